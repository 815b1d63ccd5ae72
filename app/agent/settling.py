"""Takes the calls of one turn to their end, in order: shown, asked about, run, and answered."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from app.agent.approval import AskMode, Unasked, Verdict, verdict, why_unasked
from app.agent.errors import ToolError
from app.agent.events import CallFinished, CallProposed, EngineState, Event
from app.agent.grants import Grants
from app.agent.host import Host
from app.agent.journal import Journal
from app.agent.proposal import Proposal
from app.agent.proposing import bound, new_id, previewed
from app.agent.running import Run, asked_again, is_current, not_again, run_call
from app.agent.snapshot import Snapshot


class Report(Protocol):
    """Where a settler tells what happens: the engine."""

    def emit(self, event: Event, /) -> None:
        """Tells the program."""

    def set_state(self, state: EngineState) -> None:
        """Says what is being done now."""

    def show(self, run: Run, proposal: Proposal) -> None:
        """Stores a proposal and tells the program."""

    def keep(self, run: Run, proposal: Proposal) -> None:
        """Stores a proposal."""

    def approve_unasked(self, run: Run, proposal: Proposal, why: Unasked) -> None:
        """Stores and tells that a proposal needs no decision of the person."""

    def answer(self, run: Run, proposal: Proposal, content: str, *, ok: bool) -> None:
        """Gives the call of a proposal its result."""


class Settler:
    """Orders decisions and executions of one turn; policies, grants and the screen decide what is asked."""

    def __init__(
        self, host: Host, journal: Journal, grants: Grants, report: Report, ask_mode: AskMode, timeout_s: float
    ) -> None:
        self._host = host
        self._journal = journal
        self._grants = grants
        self._report = report
        self._ask_mode = ask_mode
        self._timeout_s = timeout_s
        self._screen_before: Snapshot | None = None
        """The screen right before the last execution."""

    async def settle(self, run: Run, proposals: list[Proposal], *, self_correcting: bool) -> bool:
        """Shows, asks and runs the calls of one turn, in order. False where the run is over."""
        for proposal in proposals:
            self._offer(run, proposal)
        stopped = ""
        settled: list[Proposal] = []
        for offered in proposals:
            if stopped:
                proposal = replace(run.proposals[offered.id], status="rejected", error=stopped)
                self._report.show(run, proposal)
                self._report.answer(run, proposal, stopped, ok=False)
                continue
            proposal = await self.settle_one(run, offered.id, self_correcting=self_correcting)
            settled.append(proposal)
            if proposal.status == "failed":
                stopped = "Not run: the action before it failed."
            elif proposal.status == "done":
                await self._rebase(run, (other.id for other in proposals if other.id != offered.id))
        if stopped and not self_correcting:
            return False
        return not all(proposal.status == "rejected" for proposal in settled)

    async def settle_one(self, run: Run, proposal_id: str, *, self_correcting: bool) -> Proposal:
        """Takes one proposal to its end: done, failed, rejected, or refused and reported to the model.

        Raises:
            asyncio.CancelledError: The run was cancelled; a call that was under way has its result.
        """
        while True:
            proposal = run.proposals[proposal_id]
            if proposal.status == "refused" and self_correcting:
                # Decided, so that it is no open question after a restart.
                with self._journal.together():
                    self._journal.record_decision(proposal.id, "reject", "refused")
                    self._report.answer(run, proposal, f"Refused: {proposal.error}", ok=False)
                return proposal
            if proposal.status in ("waiting", "refused"):
                self._report.set_state("waiting")
                await run.wait_decision(proposal.id)
                proposal = run.proposals[proposal.id]
            if proposal.status == "rejected":
                rejected = proposal.error or "The person rejected this action. It was not run."
                self._report.answer(run, proposal, rejected, ok=False)
                return proposal
            self._report.set_state("applying")
            finished = await self._execute(run, proposal)
            if isinstance(finished, CallFinished):
                await self._tell(run, finished)
                if run.cancel_requested:
                    raise asyncio.CancelledError
                run.interruptible = True
                return finished.proposal
            # The new question is stored first, so that a kill in between loses neither.
            self._report.keep(run, finished)
            changed = "Asked again: the screen has changed since it was approved."
            self._report.show(run, replace(proposal, status="rejected", error=changed))
            self._offer(run, finished)
            proposal_id = finished.id

    async def _execute(self, run: Run, proposal: Proposal) -> CallFinished | Proposal:
        """Runs an approved proposal, or gives the one to ask about instead."""
        self._screen_before = await self._host.snapshot()
        try:
            again = await asked_again(self._host, self._screen_before, proposal)
        except ToolError as error:
            failed = replace(proposal, status="failed", error=str(error))
            return CallFinished(run.id, failed, proposal.before, proposal.before, str(error))
        if again is not None:
            return again
        if proposal.id in run.unasked and self._judge(run, proposal)[0] != "run":
            # A grant was taken back, or the person has rejected the same thing, since it was let through.
            return replace(proposal, id=new_id(), status="waiting")
        run.interruptible = False
        running = replace(proposal, status="running")
        with self._journal.together():
            is_first = self._journal.record_start(proposal.id)
            self._report.keep(run, running)
        self._report.emit(CallProposed(run.id, running))
        return await run_call(run, proposal, self._host, self._timeout_s) if is_first else not_again(proposal)

    async def _tell(self, run: Run, finished: CallFinished) -> None:
        """Stores and tells how a call went; that it has an outcome is stored last, with its result."""
        proposal, done = finished.proposal, finished.proposal.status == "done"
        self._report.keep(run, proposal)
        if done:
            view = (await self._host.snapshot()).instance_of(proposal.target_guid)
            finished = replace(finished, after=view.state.get("value") if view else proposal.after)
        self._report.emit(finished)
        with self._journal.together():
            self._report.answer(run, proposal, finished.message, ok=done)
            if proposal.id in run.begun:
                self._journal.record_outcome(proposal.id, done, finished.message)
        run.begun.discard(proposal.id)

    def _offer(self, run: Run, proposal: Proposal) -> None:
        """Shows a proposal as policy, confidence, setting and grants leave it: to be asked, to run, or refused."""
        decided, why = self._judge(run, proposal) if proposal.status == "waiting" else ("ask", None)
        if decided == "refuse":
            self._report.show(run, replace(proposal, status="refused", error="This action is switched off."))
        elif decided == "run" and why is not None:
            self._report.approve_unasked(run, proposal, why)
        else:
            self._report.show(run, proposal)

    def _judge(self, run: Run, proposal: Proposal) -> tuple[Verdict, Unasked | None]:
        allowed = bool(proposal.grant) and self._grants.is_allowed(proposal.tool, proposal.grant)
        decided = verdict(
            proposal.policy,
            proposal.level,
            self._ask_mode,
            irreversible=proposal.irreversible,
            always_allowed=allowed,
        )
        if decided != "run":
            return decided, None
        if (proposal.tool, proposal.target_guid) in run.rejected:
            return "ask", None
        return "run", why_unasked(proposal.policy, always_allowed=allowed)

    async def _rebase(self, run: Run, proposal_ids: Iterable[str]) -> None:
        """Refreshes the open proposals of a turn after one of its own calls changed the screen.

        A change that the run made itself is no reason to ask again. One from elsewhere is: a proposal that was out of
        date before the call ran is left so, and found at its execution.
        """
        before = self._screen_before
        open_ids = [each for each in proposal_ids if run.proposals[each].status in ("waiting", "approved")]
        if not open_ids or before is None:
            return
        snapshot = await self._host.snapshot()
        for proposal_id in open_ids:
            current = run.proposals[proposal_id]
            view = snapshot.instance_of(current.target_guid)
            if view is None or not is_current(before, current) or is_current(snapshot, current):
                continue
            call = replace(bound(current), revision=view.revision)
            fresh = await previewed(self._host, snapshot, current, call)
            latest = run.proposals[proposal_id]
            edited = replace(latest, status=current.status) != current
            if edited or latest.status not in ("waiting", "approved") or fresh.status != "waiting":
                continue
            if fresh.irreversible == current.irreversible:
                self._report.show(run, replace(fresh, status=latest.status))
