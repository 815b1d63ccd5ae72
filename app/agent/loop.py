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

from app.agent.approval import AskMode, Unasked
from app.agent.backends.base import Backend, TurnEnd, TurnRequest
from app.agent.conversation import Conversation
from app.agent.errors import BackendError, ToolError
from app.agent.events import (
    AnswerUnderstood,
    CallDecided,
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
from app.agent.grants import Grants, MemoryGrants
from app.agent.host import Host
from app.agent.journal import Journal
from app.agent.json_types import JsonObject
from app.agent.limits import Limits, RepeatGuard
from app.agent.messages import AssistantMessage, Image, Message, ToolMessage, UserMessage, Utterance
from app.agent.proposal import Decision, Proposal
from app.agent.proposing import (
    arguments_json,
    bind,
    new_id,
    previewed,
    propose,
    rebound,
)
from app.agent.recovery import take_up
from app.agent.running import Run
from app.agent.serial import proposal_to_json
from app.agent.settling import Settler
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
        grants: Grants | None = None,
    ) -> None:
        self._host = host
        self._backend = backend
        self.emit = emit
        self._journal = journal
        self._answers = answers
        self._options = options
        self._grants = MemoryGrants() if grants is None else grants
        self._conversation = Conversation(journal)
        self._run: Run | None = None
        self._state: EngineState = "idle"
        self._saying = asyncio.Lock()

    @property
    def messages(self) -> tuple[Message, ...]:
        """The conversation so far; pairs are complete whenever no run is open."""
        return self._conversation.messages

    @property
    def state(self) -> EngineState:
        """What it is doing now."""
        return self._state

    def configure(self, *, backend: Backend | None = None, options: EngineOptions | None = None) -> None:
        """Takes new settings; they hold from the next turn on."""
        self._backend = backend or self._backend
        self._options = options or self._options

    async def say(self, utterance: Utterance, images: tuple[Image, ...] = ()) -> None:
        """Answers the open question with the utterance, or starts a run with it and the pictures that go with it.

        A run that is still open and isn't answered by it is cancelled first: what has run stays done, nothing more of
        it runs. Returns as soon as the new run has started; `wait_idle` waits for its end.
        """
        async with self._saying:
            waiting = self._run.waiting() if self._run and self._run.is_open else ()
            answer = self._answers(utterance, waiting)
            if answer is not None:
                applied = bool(waiting) or (answer.kind == "cancel" and self._run is not None and self._run.is_open)
                self.emit(AnswerUnderstood(utterance, answer.kind, answer.positions, applied))
                if applied:
                    await self._apply_answer(answer, waiting, utterance.source)
                return
            await self.cancel()
            run = Run(new_id(), utterance, RepeatGuard(self._options.limits.repeats), images)
            self._start(run, self._turns)

    def decide(self, decision: Decision) -> bool:
        """Takes a decision on a proposal of the open run.

        Returns:
            Whether it counted: a second decision on the same proposal, from anywhere, does not.
        """
        run = self._run
        proposal = run.proposals.get(decision.proposal_id) if run else None
        if run is None or proposal is None or not run.is_waiting(proposal.id):
            return False
        if proposal.status == "refused" and decision.kind == "approve":
            return False
        decided = replace(proposal, status="approved" if decision.kind == "approve" else "rejected")
        with self._journal.together():
            is_first = self._journal.record_decision(proposal.id, decision.kind, decision.by)
            if is_first:
                self.keep(run, decided)
        if not is_first:
            self._decided_elsewhere(run, proposal)
            return False
        granted = decision.kind == "approve" and decision.always and bool(proposal.grant)
        if decision.kind == "reject":
            run.rejected.add((proposal.tool, proposal.target_guid))
        proposal = decided
        self.emit(CallDecided(run.id, proposal, decision.by, granted))
        run.decided(proposal.id)
        if granted:
            label = " ".join(word for word in (proposal.title, proposal.target) if word)
            self._grants.allow(proposal.tool, proposal.grant, f"{label} on {proposal.place.page}".removesuffix(" on "))
        return True

    async def edit(self, proposal_id: str, arguments: JsonObject) -> None:
        """Replaces the arguments of a proposal that waits, if its target accepts them; else says why not."""
        run = self._run
        proposal = run.proposals.get(proposal_id) if run else None
        if run is None or proposal is None or not run.is_waiting(proposal_id):
            self.emit(EditRefused(proposal_id, "This action is no longer open."))
            return
        snapshot = await self._host.snapshot()
        try:
            call = await bind(self._host, snapshot, proposal.tool, arguments_json(snapshot, proposal, arguments))
            edited = await previewed(self._host, snapshot, proposal, call)
        except ToolError as error:
            self.emit(EditRefused(proposal_id, str(error)))
            return
        if edited.status == "refused" or edited.policy == "never":
            self.emit(EditRefused(proposal_id, edited.error or proposal.error))
            return
        if not run.is_waiting(proposal_id):
            self.emit(EditRefused(proposal_id, "This action was decided meanwhile."))
            return
        self.show(run, replace(edited, confidence=1.0))

    async def resume(self) -> None:
        """Takes up what the last process left: reports calls that were under way, and asks its open questions again.

        Call once, before the first `say`.
        """
        left = take_up(self._journal, self.emit)
        if left and self._run is None:
            utterance = Utterance(new_id(), "Left open the last time")
            run = Run(new_id(), utterance, RepeatGuard(self._options.limits.repeats))
            self._start(run, partial(self._resumed, left=left))

    async def cancel(self) -> None:
        """Ends the open run: a call under way is finished, nothing more is begun. Returns when it has ended."""
        run = self._run
        if run is None or run.task is None or run.task.done():
            return
        run.cancel_requested = True
        if run.interruptible:
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
            if answer.positions and proposal.position not in answer.positions:
                continue
            if not self.decide(Decision(proposal.id, answer.kind, by)) and proposal.status == "refused":
                self.emit(EditRefused(proposal.id, proposal.error))

    def _start(self, run: Run, work: Callable[[Run], Awaitable[Event]]) -> None:
        self._run = run
        self.emit(UtteranceReceived(run.id, run.utterance))
        run.task = asyncio.create_task(self._lead(run, work), name=f"run {run.id}")

    async def _lead(self, run: Run, work: Callable[[Run], Awaitable[Event]]) -> None:
        """Leads one run to its end, whatever happens on the way."""
        ended: Event
        try:
            await self._host.begin(run.id, run.utterance.text)
            run.interruptible = True
            if run.cancel_requested:
                raise asyncio.CancelledError
            ended = await work(run)
        except asyncio.CancelledError:
            ended = RunFinished(run.id, "cancelled", run.summary() or "Cancelled. Nothing was changed.")
        except BackendError as error:
            ended = RunFailed(run.id, str(error), error.hint, error.kind)
        except Exception:  # noqa: BLE001 - a fault of ours ends this run, never the engine; it is logged in full
            ended = _fault(run)
        run.interruptible = False
        try:
            self._close(run)
        except Exception:  # noqa: BLE001 - as above: the journal can fail here, and the run must end all the same
            ended = _fault(run)
        try:
            # After the conversation is whole and stored: the window may be closing, and then nobody answers this.
            await self._host.end(run.id)
        except asyncio.CancelledError:
            _log.info("run %s: the window closed before its transaction did", run.id)
        except Exception:  # noqa: BLE001 - as above
            ended = _fault(run)
        self.set_state("idle")
        self.emit(ended)

    def _close(self, run: Run) -> None:
        """Gives an end to whatever has none: proposals first, then the calls of the conversation."""
        for proposal in run.unsettled():
            if proposal.status == "running":
                unknown = "It is not known whether this was done. Please check it."
                self.show(run, replace(proposal, status="failed", error=unknown))
                run.begun.discard(proposal.id)  # stays without an outcome, to be reported at the next start
                continue
            ended = replace(proposal, status="rejected", error=proposal.error or "Not run: the run has ended.")
            if proposal.status == "approved" or self._journal.record_decision(proposal.id, "reject", "run ended"):
                self.show(run, ended)
            else:  # another process has decided it: what is stored is that process's to write
                run.proposals[proposal.id] = ended
                self.emit(CallProposed(run.id, ended))
        self._conversation.close(run.id, "Not run: the run ended before it was decided.")
        for proposal in [run.proposals[proposal_id] for proposal_id in run.begun]:
            self._journal.record_outcome(proposal.id, proposal.status == "done", proposal.error)

    async def _resumed(self, run: Run, left: list[Proposal]) -> Event:
        """Asks again what was open when the last process ended, on the screen as it is now."""
        snapshot = await self._host.snapshot()
        for proposal in left:
            self.show(run, await rebound(self._host, snapshot, proposal) or proposal)
        settler = self._settler()
        for proposal in left:
            settled = await settler.settle_one(run, proposal.id, self_correcting=False)
            if settled.status == "failed":
                break
        return RunFinished(run.id, "failed" if run.failures else "finished", run.summary() or "Nothing was changed.")

    async def _turns(self, run: Run) -> Event:
        self._conversation.close(run.id, "Not known: its result could not be stored.")
        self._conversation.append(run.id, UserMessage(run.utterance, images=run.images))
        limits = self._options.limits
        for turn in range(1, limits.turns + 1):
            self.set_state("thinking")
            snapshot = await self._host.snapshot()
            self.emit(TurnStarted(run.id, turn, self._backend.name))
            request = TurnRequest(self.messages, snapshot, self._options.instructions)
            end = await ask_backend(self._backend, request, run.id, self.emit, limits.turn_s)
            self.emit(TurnAnswered(run.id, turn, end.backend or self._backend.name, end.finish, end.usage))
            run.tokens += end.usage.input_tokens + end.usage.output_tokens
            calls = with_unique_ids(end.calls, self.messages) if end.finish != "declined" else ()
            self._conversation.append(run.id, AssistantMessage(end.text, calls, end.reasoning, end.refusal))
            if not calls:
                return self._finished(run, end)
            run.calls += len(calls)
            if run.calls > limits.calls or run.tokens > limits.tokens:
                return self._limit(run, "It asked for too much at once.")
            proposals = [
                await propose(self._host, snapshot, call, run.id, run.calls - len(calls) + offset)
                for offset, call in enumerate(calls, 1)
            ]
            if not run.guard.allows(calls, snapshot.revision):
                return self._limit(run, "It kept asking for the same thing.")
            if not await self._settler().settle(run, proposals, self_correcting=end.backend != COMMANDS):
                return RunFinished(
                    run.id, "failed" if run.failures else "finished", run.summary() or "Nothing was changed."
                )
        return self._limit(run, "It took too many turns.")

    def _settler(self) -> Settler:
        timeout_s = self._options.limits.execution_s
        return Settler(self._host, self._journal, self._grants, self, self._options.ask_mode, timeout_s)

    def _decided_elsewhere(self, run: Run, proposal: Proposal) -> None:
        """Another process with this journal was first: here the question is closed, and what is stored is left."""
        closed = replace(proposal, status="rejected", error="This action was decided in another window.")
        run.proposals[proposal.id] = closed
        self.emit(CallDecided(run.id, closed, "elsewhere"))
        run.decided(proposal.id)

    def _limit(self, run: Run, reason: str) -> RunFinished:
        return RunFinished(run.id, "limit", f"Stopped. {reason} {run.summary()}".strip())

    def _finished(self, run: Run, end: TurnEnd) -> RunFinished:
        outcome: Outcome = "nothing_understood" if end.finish == "declined" else "finished"
        message = end.refusal or end.text or run.summary() or end.notice
        return RunFinished(run.id, outcome, message, end.suggestions, end.notice)

    def show(self, run: Run, proposal: Proposal) -> None:
        """Stores a proposal and tells the program."""
        self.keep(run, proposal)
        self.emit(CallProposed(run.id, proposal))

    def approve_unasked(self, run: Run, proposal: Proposal, why: Unasked) -> None:
        """Stores and tells that a proposal needs no decision of the person, and why."""
        approved = replace(proposal, status="approved")
        with self._journal.together():
            self._journal.record_decision(proposal.id, "approve", why)
            self.keep(run, approved)
        run.unasked.add(proposal.id)
        self.emit(CallProposed(run.id, approved))
        self.emit(CallDecided(run.id, approved, why))

    def keep(self, run: Run, proposal: Proposal) -> None:
        """Stores a proposal."""
        run.proposals[proposal.id] = proposal
        self._journal.save_proposal(proposal.id, run.id, proposal.status, proposal_to_json(proposal))

    def answer(self, run: Run, proposal: Proposal, content: str, *, ok: bool) -> None:
        """Gives the call of a proposal its result; a call left by another process has its result already."""
        run.answered.add(proposal.id)
        run.note(proposal, content, ok=ok)
        if self._conversation.is_open(proposal.call_id):
            self._conversation.append(run.id, ToolMessage(proposal.call_id, proposal.tool, content, ok))

    def set_state(self, state: EngineState) -> None:
        """Says what is being done now, if it is something else than before."""
        if state != self._state:
            self._state = state
            self.emit(StateChanged(state))


def _fault(run: Run) -> RunFailed:
    """The end of a run by a fault of ours, which is logged in full; called while it is handled."""
    _log.exception("run %s failed", run.id)
    return RunFailed(run.id, "Something went wrong inside Greenroom.", "The log has the details.", "internal")
