"""Takes the calls of one turn to their end, in order: shown, asked about, run, and answered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Protocol

from app.agent.approval import AskMode, verdict
from app.agent.errors import ToolError
from app.agent.events import CallFinished, EngineState, Event
from app.agent.host import Host
from app.agent.journal import Journal
from app.agent.proposal import Proposal
from app.agent.proposing import bound, irreversible, place_of, previewed
from app.agent.running import Run, asked_again, run_call
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

    def answer(self, run: Run, proposal: Proposal, content: str, *, ok: bool) -> None:
        """Gives the call of a proposal its result."""


class Settler:
    """Orders decisions and executions; policies and the screen decide what is asked."""

    def __init__(self, host: Host, journal: Journal, report: Report, ask_mode: AskMode, timeout_s: float) -> None:
        self._host = host
        self._journal = journal
        self._report = report
        self._ask_mode = ask_mode
        self._timeout_s = timeout_s

    async def settle(self, run: Run, snapshot: Snapshot, proposals: list[Proposal], *, self_correcting: bool) -> bool:
        """Shows, asks and runs the calls of one turn, in order. False where the run is over."""
        for proposal in proposals:
            self._report.show(run, self._judged(snapshot, proposal))
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
            if run.cancel_requested:
                raise asyncio.CancelledError
            if proposal.status == "failed":
                stopped = "Not run: the action before it failed."
            elif proposal.status == "done":
                await self._rebase(run, [p for p in proposals if p.id != offered.id])
        if stopped and not self_correcting:
            return False
        return not all(proposal.status == "rejected" for proposal in settled)

    async def settle_one(self, run: Run, proposal_id: str, *, self_correcting: bool) -> Proposal:
        """Takes one proposal to its end: done, failed, rejected, or refused and reported to the model."""
        while True:
            proposal = run.proposals[proposal_id]
            if proposal.status == "refused" and self_correcting:
                self._report.answer(run, proposal, f"Refused: {proposal.error}", ok=False)
                return proposal
            if proposal.status in ("waiting", "refused"):
                self._report.set_state("waiting")
                await run.wait_decision(proposal.id)
                proposal = run.proposals[proposal.id]
            if proposal.status == "rejected":
                self._report.answer(run, proposal, "The person rejected this action. It was not run.", ok=False)
                return proposal
            self._report.set_state("applying")
            finished = await self._execute(run, proposal)
            if isinstance(finished, CallFinished):
                self._report.keep(run, finished.proposal)
                self._report.emit(finished)
                self._report.answer(run, finished.proposal, finished.message, ok=finished.proposal.status == "done")
                return finished.proposal
            changed = "Asked again: the screen has changed since it was approved."
            self._report.show(run, replace(proposal, status="rejected", error=changed))
            self._report.show(run, self._judged(await self._host.snapshot(), finished))
            proposal_id = finished.id

    async def _execute(self, run: Run, proposal: Proposal) -> CallFinished | Proposal:
        try:
            again = await asked_again(self._host, proposal)
        except ToolError as error:
            failed = replace(proposal, status="failed", error=str(error))
            return CallFinished(run.id, failed, proposal.before, proposal.before, str(error))
        if again is not None:
            return again
        self._report.show(run, replace(proposal, status="running"))
        return await run_call(proposal, self._host, self._journal, self._timeout_s)

    def _judged(self, snapshot: Snapshot, proposal: Proposal) -> Proposal:
        """`proposal` as policy, confidence and the person's setting leave it: to be asked, to run, or refused."""
        if proposal.status != "waiting":
            return proposal
        decided = verdict(
            proposal.policy, proposal.level, self._ask_mode, irreversible=irreversible(snapshot, proposal)
        )
        if decided == "refuse":
            return replace(proposal, status="refused", error="This action is switched off.")
        return replace(proposal, status="approved") if decided == "run" else proposal

    async def _rebase(self, run: Run, proposals: list[Proposal]) -> None:
        """Refreshes the open proposals of a turn after one of its own calls changed the screen.

        A change that the run made itself is no reason to ask again; one from elsewhere is found at execution.
        """
        open_ones = [run.proposals[p.id] for p in proposals if run.proposals[p.id].status in ("waiting", "approved")]
        if not open_ones:
            return
        snapshot = await self._host.snapshot()
        revisions = {view.guid: view.revision for view in snapshot.instances}
        place = place_of(snapshot)
        for proposal in open_ones:
            revision = revisions.get(proposal.target_guid)
            current = run.proposals[proposal.id]
            if revision is None or (revision == current.revision and place.same(current.place)):
                continue
            call = replace(bound(current), revision=revision)
            refreshed = await previewed(self._host, snapshot, current, call)
            if refreshed.status == "waiting":
                self._report.show(run, replace(refreshed, status=run.proposals[proposal.id].status))
