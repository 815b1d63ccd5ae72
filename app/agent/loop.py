"""The loop: utterance -> snapshot -> turn -> proposals -> decisions -> execution -> next turn.

One engine holds one conversation and at most one open run. It is asyncio and Qt-free; all its methods are called from
the thread of its event loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, Protocol

from app.agent.approval import AskMode
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
from app.agent.history import closed, from_an_utterance, open_calls
from app.agent.host import Host
from app.agent.journal import Journal
from app.agent.json_types import JsonObject
from app.agent.limits import Limits, RepeatGuard
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage, Utterance
from app.agent.proposal import Decision, Proposal
from app.agent.proposing import (
    arguments_json,
    new_id,
    previewed,
    propose,
    rebound,
)
from app.agent.running import Run
from app.agent.serial import message_from_json, message_to_json, proposal_from_json, proposal_to_json
from app.agent.settling import Settler
from app.agent.turns import ask_backend, with_unique_ids

_log = logging.getLogger(__name__)

_REMEMBERED = 400
"""Messages of earlier sessions that are taken up; what a model gets of them is trimmed by its own budget."""

_UNSETTLED = ("waiting", "approved", "running")
"""Stored statuses of a proposal nobody has been told the end of."""

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
        self.emit = emit
        self._journal = journal
        self._answers = answers
        self._options = options
        self._messages = from_an_utterance(message_from_json(each) for each in journal.load_conversation(_REMEMBERED))
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
                self.emit(AnswerUnderstood(utterance, answer.kind, answer.positions, applied=bool(waiting)))
                if waiting:
                    await self._apply_answer(answer, waiting, utterance.source)
                return
            await self.cancel()
            self._run = run = Run(new_id(), utterance, RepeatGuard(self._options.limits.repeats))
            run.task = asyncio.create_task(self._lead(run, self._turns), name=f"run {run.id}")

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
        self.keep(run, proposal)
        self.emit(CallDecided(run.id, proposal, decision.by))
        run.decided(proposal.id)
        return True

    async def edit(self, proposal_id: str, arguments: JsonObject) -> None:
        """Replaces the arguments of a proposal that waits, if its target accepts them; else says why not."""
        run = self._run
        proposal = run.proposals.get(proposal_id) if run else None
        if run is None or proposal is None or proposal.status not in ("waiting", "refused"):
            self.emit(EditRefused(proposal_id, "This action is no longer open."))
            return
        snapshot = await self._host.snapshot()
        try:
            call = await self._host.bind(snapshot, proposal.tool, arguments_json(snapshot, proposal, arguments))
            edited = await previewed(self._host, snapshot, proposal, call)
        except ToolError as error:
            self.emit(EditRefused(proposal_id, str(error)))
            return
        if edited.status == "refused":
            self.emit(EditRefused(proposal_id, edited.error))
            return
        current = run.proposals[proposal_id]
        if current.status not in ("waiting", "refused"):
            self.emit(EditRefused(proposal_id, "This action was decided meanwhile."))
            return
        self.show(run, replace(edited, confidence=1.0))

    async def resume(self) -> None:
        """Takes up what the last process left: reports calls that were under way, and asks its open questions again.

        Call once, before the first `say`.
        """
        for stored in self._journal.started_without_outcome():
            self._report_unfinished(proposal_from_json(stored), "was under way when Greenroom ended. Please check it.")
        for stored in self._journal.approved_not_started():
            proposal = proposal_from_json(stored)
            if proposal.status in _UNSETTLED and self._journal.record_start(proposal.id):
                self._report_unfinished(proposal, "was approved but not begun when Greenroom ended. Say it again.")
        left = [proposal_from_json(stored) for stored in self._journal.open_proposals()]
        if left and self._run is None:
            utterance = Utterance(new_id(), "Left open the last time")
            self._run = run = Run(new_id(), utterance, RepeatGuard(self._options.limits.repeats))
            run.task = asyncio.create_task(self._lead(run, partial(self._resumed, left=left)), name=f"run {run.id}")

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

    async def _lead(self, run: Run, work: Callable[[Run], Awaitable[Event]]) -> None:
        """Leads one run from its utterance to its end, whatever happens on the way."""
        self.emit(UtteranceReceived(run.id, run.utterance))
        await self._host.begin(run.id, run.utterance.text)
        ended: Event
        try:
            ended = await work(run)
        except asyncio.CancelledError:
            ended = RunFinished(run.id, "cancelled", run.summary() or "Cancelled. Nothing was changed.")
        except BackendError as error:
            ended = RunFailed(run.id, str(error), error.hint, error.kind)
        except Exception:  # noqa: BLE001 - a fault of ours ends this run, never the engine; it is logged in full
            _log.exception("run %s failed", run.id)
            ended = RunFailed(run.id, "Something went wrong inside Greenroom.", "The log has the details.", "internal")
        for proposal in run.undecided_or_unrun():
            self.show(run, replace(proposal, status="rejected", error=proposal.error or "Not run: the run has ended."))
        self._close_conversation(run.id, "Not run: the run ended before it was decided.")
        # After the conversation is whole and stored: the window may be closing, and then nobody answers this.
        await self._host.end(run.id)
        self.set_state("idle")
        self.emit(ended)

    async def _resumed(self, run: Run, left: list[Proposal]) -> Event:
        """Asks again what was open when the last process ended, on the screen as it is now."""
        snapshot = await self._host.snapshot()
        for proposal in left:
            self.show(run, await rebound(self._host, snapshot, proposal) or proposal)
        for proposal in left:
            settled = await self._settler().settle_one(run, proposal.id, self_correcting=False)
            if settled.status == "failed":
                break
        return RunFinished(run.id, "failed" if run.failures else "finished", run.summary() or "Nothing was changed.")

    async def _turns(self, run: Run) -> Event:
        self._append(run.id, UserMessage(run.utterance))
        limits = self._options.limits
        for turn in range(1, limits.turns + 1):
            self.set_state("thinking")
            snapshot = await self._host.snapshot()
            self.emit(TurnStarted(run.id, turn, self._backend.name))
            request = TurnRequest(self._messages, snapshot, self._options.instructions)
            end = await ask_backend(self._backend, request, run.id, self.emit, limits.turn_s)
            self.emit(TurnAnswered(run.id, turn, end.backend or self._backend.name))
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
            if not await self._settler().settle(run, snapshot, proposals, self_correcting=end.backend != COMMANDS):
                return RunFinished(
                    run.id, "failed" if run.failures else "finished", run.summary() or "Nothing was changed."
                )
        return self._limit(run, "It took too many turns.")

    def _report_unfinished(self, proposal: Proposal, what: str) -> None:
        """Tells, once, that a call of an earlier process has no known outcome."""
        message = f"{proposal.title} {proposal.target} {what}"
        failed = replace(proposal, status="failed", error=message)
        self._journal.save_proposal(failed.id, failed.run_id, failed.status, proposal_to_json(failed))
        self._journal.record_outcome(failed.id, False, message)
        self.emit(CallFinished(failed.run_id, failed, failed.before, None, message))

    def _settler(self) -> Settler:
        return Settler(self._host, self._journal, self, self._options.ask_mode, self._options.limits.execution_s)

    def _limit(self, run: Run, reason: str) -> RunFinished:
        return RunFinished(run.id, "limit", f"Stopped. {reason} {run.summary()}".strip())

    def _finished(self, run: Run, end: TurnEnd) -> RunFinished:
        outcome: Outcome = "nothing_understood" if end.finish == "declined" else "finished"
        message = end.refusal or end.text or end.notice or run.summary()
        return RunFinished(run.id, outcome, message, end.suggestions)

    def show(self, run: Run, proposal: Proposal) -> None:
        """Stores a proposal and tells the program."""
        self.keep(run, proposal)
        self.emit(CallProposed(run.id, proposal))

    def keep(self, run: Run, proposal: Proposal) -> None:
        """Stores a proposal."""
        run.proposals[proposal.id] = proposal
        self._journal.save_proposal(proposal.id, run.id, proposal.status, proposal_to_json(proposal))

    def answer(self, run: Run, proposal: Proposal, content: str, *, ok: bool) -> None:
        """Gives the call of a proposal its result; a call left by another process has its result already."""
        run.note(proposal, content, ok=ok)
        if any(call_id == proposal.call_id for call_id, _ in open_calls(self._messages)):
            self._append(run.id, ToolMessage(proposal.call_id, proposal.tool, content, ok))

    def _close_conversation(self, run_id: str, reason: str) -> None:
        """Gives each call without a result one, so that what is stored is acceptable to a server."""
        missing = closed(self._messages, reason)[len(self._messages) :]
        if missing:
            self._append(run_id, *missing)

    def _append(self, run_id: str, *messages: Message) -> None:
        self._messages = (*self._messages, *messages)
        self._journal.save_messages(run_id, [message_to_json(message) for message in messages])

    def set_state(self, state: EngineState) -> None:
        """Says what is being done now, if it is something else than before."""
        if state != self._state:
            self._state = state
            self.emit(StateChanged(state))
