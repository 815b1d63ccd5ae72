"""The loop: utterance -> snapshot -> turn -> proposals -> decisions -> execution -> next turn.

One engine holds one conversation and at most one open run. It is asyncio and Qt-free; all its methods are called from
the thread of its event loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from app.agent.approval import AskMode, verdict
from app.agent.backends.base import Backend, TurnEnd, TurnRequest
from app.agent.errors import BackendError, ToolError
from app.agent.events import (
    AnswerUnderstood,
    CallDecided,
    CallFinished,
    CallProposed,
    EditRefused,
    EngineState,
    Event,
    Outcome,
    RunFailed,
    RunFinished,
    StateChanged,
    TurnAnswered,
    TurnStarted,
    UtteranceReceived,
)
from app.agent.history import closed
from app.agent.host import Host
from app.agent.journal import Journal
from app.agent.json_types import JsonObject
from app.agent.limits import Limits, RepeatGuard
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage, Utterance
from app.agent.proposal import Decision, Proposal
from app.agent.proposing import arguments_json, bound, irreversible, new_id, previewed, propose
from app.agent.running import Run, asked_again, run_call
from app.agent.serial import message_from_json, message_to_json, proposal_to_json
from app.agent.snapshot import Snapshot
from app.agent.turns import ask_backend, with_unique_ids

_log = logging.getLogger(__name__)

COMMANDS = "commands"
"""The backend that can't correct itself: what it proposes and the target refuses stays open for the person."""


class Answer(Protocol):
    """An utterance understood as the answer to an open question."""

    @property
    def kind(self) -> Literal["approve", "reject", "cancel"]:
        """What was answered."""

    @property
    def positions(self) -> tuple[int, ...]:
        """The proposals meant, by position; empty for all."""


AnswerParser = Callable[[Utterance, Sequence[Proposal]], Answer | None]
"""Reads an utterance as an answer to the proposals that wait, or says that it is none."""


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What a person or a program sets about the loop.

    Attributes:
        instructions: The system prompt.
        ask_mode: How much is asked before it runs.
        limits: Bounds of a run.
    """

    instructions: str = ""
    ask_mode: AskMode = "changes"
    limits: Limits = field(default_factory=Limits)


class Engine:
    """Runs utterances one at a time and tells what happens through `emit`."""

    def __init__(
        self,
        host: Host,
        backend: Backend,
        emit: Callable[[Event], None],
        *,
        journal: Journal,
        answers: AnswerParser,
        options: EngineOptions = EngineOptions(),
    ) -> None:
        self._host = host
        self._backend = backend
        self._emit = emit
        self._journal = journal
        self._answers = answers
        self._options = options
        self._messages = tuple(message_from_json(stored) for stored in journal.load_conversation())
        self._close_conversation("restart", "Not known: the program ended while this was under way.")
        self._run: Run | None = None
        self._state: EngineState = "idle"
        self._saying = asyncio.Lock()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation so far; pairs are complete whenever no run is open."""
        return self._messages

    @property
    def state(self) -> EngineState:
        """What it is doing now."""
        return self._state

    def configure(self, *, backend: Backend | None = None, options: EngineOptions | None = None) -> None:
        """Takes new settings; they hold from the next turn on."""
        self._backend = backend or self._backend
        self._options = options or self._options

    async def say(self, utterance: Utterance) -> None:
        """Answers the open question with the utterance, or starts a run with it.

        A run that is still open and isn't answered by it is cancelled first: what has run stays done, nothing more of
        it runs. Returns as soon as the new run has started; `wait_idle` waits for its end.
        """
        async with self._saying:
            waiting = self._run.waiting() if self._run and self._state == "waiting" else ()
            answer = self._answers(utterance, waiting)
            if answer is not None:
                self._emit(AnswerUnderstood(utterance, answer.kind, answer.positions, applied=bool(waiting)))
                if waiting:
                    await self._apply_answer(answer, waiting, utterance.source)
                return
            await self.cancel()
            self._run = run = Run(new_id(), utterance, RepeatGuard(self._options.limits.repeats))
            run.task = asyncio.create_task(self._lead(run), name=f"run {run.id}")

    def decide(self, decision: Decision) -> bool:
        """Takes a decision on a proposal of the open run.

        Returns:
            Whether it counted: a second decision on the same proposal, from anywhere, does not.
        """
        run = self._run
        proposal = run.proposals.get(decision.proposal_id) if run else None
        if run is None or proposal is None:
            return False
        if proposal.status != "waiting" and not (proposal.status == "refused" and decision.kind == "reject"):
            return False
        if not self._journal.record_decision(proposal.id, decision.kind, decision.by):
            return False
        proposal = replace(proposal, status="approved" if decision.kind == "approve" else "rejected")
        self._keep(run, proposal)
        self._emit(CallDecided(run.id, proposal, decision.by))
        run.decided(proposal.id)
        return True

    async def edit(self, proposal_id: str, arguments: JsonObject) -> None:
        """Replaces the arguments of a proposal that waits, if its target accepts them; else says why not."""
        run = self._run
        proposal = run.proposals.get(proposal_id) if run else None
        if run is None or proposal is None or proposal.status not in ("waiting", "refused"):
            self._emit(EditRefused(proposal_id, "This action is no longer open."))
            return
        snapshot = await self._host.snapshot()
        try:
            call = await self._host.bind(snapshot, proposal.tool, arguments_json(snapshot, proposal, arguments))
            edited = await previewed(self._host, snapshot, proposal, call)
        except ToolError as error:
            self._emit(EditRefused(proposal_id, str(error)))
            return
        if edited.status == "refused":
            self._emit(EditRefused(proposal_id, edited.error))
            return
        current = run.proposals[proposal_id]
        if current.status not in ("waiting", "refused"):
            self._emit(EditRefused(proposal_id, "This action was decided meanwhile."))
            return
        self._show(run, replace(edited, confidence=1.0))

    async def cancel(self) -> None:
        """Ends the open run: a call under way is finished, nothing more is begun. Returns when it has ended."""
        run = self._run
        if run is None or run.task is None or run.task.done():
            return
        run.cancel_requested = True
        if self._state != "applying":
            run.task.cancel()
        await asyncio.wait([run.task])

    async def wait_idle(self) -> None:
        """Waits until no run is open."""
        while self._run is not None and self._run.task is not None and not self._run.task.done():
            await asyncio.wait([self._run.task])

    async def _apply_answer(self, answer: Answer, waiting: Sequence[Proposal], source: str) -> None:
        if answer.kind == "cancel":
            await self.cancel()
            return
        by = "voice" if source == "voice" else "text"
        for proposal in waiting:
            if not answer.positions or proposal.position in answer.positions:
                self.decide(Decision(proposal.id, answer.kind, by))

    async def _lead(self, run: Run) -> None:
        """Leads one run from its utterance to its end, whatever happens on the way."""
        self._emit(UtteranceReceived(run.id, run.utterance))
        self._append(run.id, UserMessage(run.utterance))
        await self._host.begin(run.id, run.utterance.text)
        ended: Event
        try:
            ended = await self._turns(run)
        except asyncio.CancelledError:
            ended = RunFinished(run.id, "cancelled", run.summary() or "Cancelled. Nothing was changed.")
        except BackendError as error:
            ended = RunFailed(run.id, str(error), error.hint, error.kind)
        except Exception:  # noqa: BLE001 - a fault of ours ends this run, never the engine; it is logged in full
            _log.exception("run %s failed", run.id)
            ended = RunFailed(run.id, "Something went wrong inside Greenroom.", "The log has the details.", "internal")
        for proposal in run.undecided_or_unrun():
            self._show(run, replace(proposal, status="rejected", error=proposal.error or "Not run: the run has ended."))
        self._close_conversation(run.id, "Not run: the run ended before it was decided.")
        # After the conversation is whole and stored: the window may be closing, and then nobody answers this.
        await self._host.end(run.id)
        self._set_state("idle")
        self._emit(ended)

    async def _turns(self, run: Run) -> Event:
        limits = self._options.limits
        for turn in range(1, limits.turns + 1):
            self._set_state("thinking")
            snapshot = await self._host.snapshot()
            self._emit(TurnStarted(run.id, turn, self._backend.name))
            request = TurnRequest(self._messages, snapshot, self._options.instructions)
            end = await ask_backend(self._backend, request, run.id, self._emit, limits.turn_s)
            self._emit(TurnAnswered(run.id, turn, end.backend or self._backend.name))
            run.tokens += end.usage.input_tokens + end.usage.output_tokens
            calls = with_unique_ids(end.calls, self._messages) if end.finish != "declined" else ()
            self._append(run.id, AssistantMessage(end.text, calls, end.reasoning, end.refusal))
            if not calls:
                return self._finished(run, end)
            run.calls += len(calls)
            if run.calls > limits.calls or run.tokens > limits.tokens:
                return self._limit(run, "It asked for too much at once.")
            proposals = [
                await propose(self._host, snapshot, call, run.id, run.calls - len(calls) + offset)
                for offset, call in enumerate(calls, 1)
            ]
            repeated = [call for call in calls if not run.guard.allows(call.name, call.arguments, snapshot.revision)]
            if repeated:
                return self._limit(run, "It kept asking for the same thing.")
            if not await self._settle(run, snapshot, proposals, end):
                return RunFinished(
                    run.id, "failed" if run.failures else "finished", run.summary() or "Nothing was changed."
                )
        return self._limit(run, "It took too many turns.")

    async def _settle(self, run: Run, snapshot: Snapshot, proposals: list[Proposal], end: TurnEnd) -> bool:
        """Shows, asks and runs the calls of one turn, in order. False where the run is over."""
        self_correcting = end.backend != COMMANDS
        for proposal in proposals:
            self._show(run, self._judged(snapshot, proposal))
        stopped = ""
        settled: list[Proposal] = []
        for offered in proposals:
            if stopped:
                proposal = replace(run.proposals[offered.id], status="rejected", error=stopped)
                self._show(run, proposal)
                self._answer(run, proposal, stopped, ok=False)
                continue
            proposal = await self._settle_one(run, offered.id, self_correcting)
            settled.append(proposal)
            if run.cancel_requested:
                raise asyncio.CancelledError
            if proposal.status == "failed":
                stopped = "Not run: the action before it failed."
            elif proposal.status == "done":
                await self._rebase(run, [p for p in proposals if p.id != offered.id])
        if stopped and not self_correcting:
            return False
        return not all(proposal.status == "rejected" for proposal in settled)

    async def _settle_one(self, run: Run, proposal_id: str, self_correcting: bool) -> Proposal:
        """Takes one proposal to its end: done, failed, rejected, or refused and reported to the model."""
        while True:
            proposal = run.proposals[proposal_id]
            if proposal.status == "refused" and self_correcting:
                self._answer(run, proposal, f"Refused: {proposal.error}", ok=False)
                return proposal
            if proposal.status in ("waiting", "refused"):
                self._set_state("waiting")
                await run.wait_decision(proposal.id)
                proposal = run.proposals[proposal.id]
            if proposal.status == "rejected":
                self._answer(run, proposal, "The person rejected this action. It was not run.", ok=False)
                return proposal
            self._set_state("applying")
            finished = await self._execute(run, proposal)
            if isinstance(finished, CallFinished):
                self._keep(run, finished.proposal)
                self._emit(finished)
                self._answer(run, finished.proposal, finished.message, ok=finished.proposal.status == "done")
                return finished.proposal
            changed = "Asked again: the screen has changed since it was approved."
            self._show(run, replace(proposal, status="rejected", error=changed))
            self._show(run, self._judged(await self._host.snapshot(), finished))
            proposal_id = finished.id

    async def _execute(self, run: Run, proposal: Proposal) -> CallFinished | Proposal:
        try:
            again = await asked_again(self._host, proposal)
        except ToolError as error:
            failed = replace(proposal, status="failed", error=str(error))
            return CallFinished(run.id, failed, proposal.before, proposal.before, str(error))
        if again is not None:
            return again
        self._show(run, replace(proposal, status="running"))
        return await run_call(proposal, self._host, self._journal, self._options.limits.execution_s)

    def _judged(self, snapshot: Snapshot, proposal: Proposal) -> Proposal:
        """`proposal` as policy, confidence and the person's setting leave it: to be asked, to run, or refused."""
        if proposal.status != "waiting":
            return proposal
        decided = verdict(
            proposal.policy, proposal.level, self._options.ask_mode, irreversible=irreversible(snapshot, proposal)
        )
        if decided == "refuse":
            return replace(proposal, status="refused", error="This action is switched off.")
        return replace(proposal, status="approved") if decided == "run" else proposal

    def _limit(self, run: Run, reason: str) -> RunFinished:
        return RunFinished(run.id, "limit", f"Stopped. {reason} {run.summary()}".strip())

    def _finished(self, run: Run, end: TurnEnd) -> RunFinished:
        outcome: Outcome = "nothing_understood" if end.finish == "declined" else "finished"
        message = end.refusal or end.text or end.notice or run.summary()
        return RunFinished(run.id, outcome, message, end.suggestions)

    async def _rebase(self, run: Run, proposals: list[Proposal]) -> None:
        """Refreshes the open proposals of a turn after one of its own calls changed the screen.

        A change that the run made itself is no reason to ask again; one from elsewhere is found at execution.
        """
        open_ones = [run.proposals[p.id] for p in proposals if run.proposals[p.id].status in ("waiting", "approved")]
        if not open_ones:
            return
        snapshot = await self._host.snapshot()
        revisions = {view.guid: view.revision for view in snapshot.instances}
        for proposal in open_ones:
            revision = revisions.get(proposal.target_guid)
            current = run.proposals[proposal.id]
            if revision is None or revision == current.revision:
                continue
            call = replace(bound(current), revision=revision)
            refreshed = await previewed(self._host, snapshot, current, call)
            if refreshed.status == "waiting":
                self._show(run, replace(refreshed, status=run.proposals[proposal.id].status))

    def _show(self, run: Run, proposal: Proposal) -> None:
        self._keep(run, proposal)
        self._emit(CallProposed(run.id, proposal))

    def _keep(self, run: Run, proposal: Proposal) -> None:
        run.proposals[proposal.id] = proposal
        self._journal.save_proposal(proposal.id, run.id, proposal.status, proposal_to_json(proposal))

    def _answer(self, run: Run, proposal: Proposal, content: str, *, ok: bool) -> None:
        run.note(proposal, content, ok=ok)
        self._append(run.id, ToolMessage(proposal.call_id, proposal.tool, content, ok))

    def _close_conversation(self, run_id: str, reason: str) -> None:
        """Gives each call without a result one, so that what is stored is acceptable to a server."""
        missing = closed(self._messages, reason)[len(self._messages) :]
        if missing:
            self._append(run_id, *missing)

    def _append(self, run_id: str, *messages: Message) -> None:
        self._messages = (*self._messages, *messages)
        self._journal.save_messages(run_id, [message_to_json(message) for message in messages])

    def _set_state(self, state: EngineState) -> None:
        if state != self._state:
            self._state = state
            self._emit(StateChanged(state))
