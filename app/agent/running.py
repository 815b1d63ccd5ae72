"""One run's state, and the execution of one approved call: at most once, against the screen that was approved."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from app.agent.errors import TargetError, ToolError
from app.agent.events import CallFinished
from app.agent.host import Host
from app.agent.journal import Journal
from app.agent.limits import RepeatGuard
from app.agent.messages import Utterance
from app.agent.proposal import Proposal
from app.agent.proposing import bound, instance_by_guid, new_id, place_of, previewed, rebound


@dataclass
class Run:
    """What is known of one run while it is open. Lives in the engine's thread only."""

    id: str
    utterance: Utterance
    guard: RepeatGuard
    task: asyncio.Task[None] | None = None
    cancel_requested: bool = False
    proposals: dict[str, Proposal] = field(default_factory=dict)
    calls: int = 0
    tokens: int = 0
    done: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    _decisions: dict[str, asyncio.Event] = field(default_factory=dict)

    def waiting(self) -> tuple[Proposal, ...]:
        """The proposals that wait for the person, in order."""
        return tuple(proposal for proposal in self.proposals.values() if proposal.status in ("waiting", "refused"))

    def undecided_or_unrun(self) -> tuple[Proposal, ...]:
        """The proposals that will not run any more when the run ends now."""
        return tuple(p for p in self.proposals.values() if p.status in ("waiting", "refused", "approved"))

    async def wait_decision(self, proposal_id: str) -> None:
        """Waits until the proposal has been decided."""
        await self._decisions.setdefault(proposal_id, asyncio.Event()).wait()

    def decided(self, proposal_id: str) -> None:
        """Wakes whoever waits for the decision."""
        self._decisions.setdefault(proposal_id, asyncio.Event()).set()

    def note(self, proposal: Proposal, content: str, *, ok: bool) -> None:
        """Remembers what came of a call, for the closing sentence."""
        if ok:
            self.done.append(content)
        elif proposal.status != "rejected":
            self.failures.append(content)

    def summary(self) -> str:
        """What was done and what was not, in words; empty where nothing was tried."""
        return " ".join([*self.done, *self.failures])


async def asked_again(host: Host, proposal: Proposal) -> Proposal | None:
    """Checks an approved proposal against the screen as it is now.

    Returns:
        None where what was approved is what would run; else a new proposal, to be asked about again.

    Raises:
        TargetError: The target has gone or can't be used now.
    """
    if not proposal.target_guid:
        return None  # a tool of the application: it acts on no instance
    snapshot = await host.snapshot()
    view = instance_by_guid(snapshot, proposal.target_guid)
    if view is None:
        moved = await rebound(host, snapshot, proposal)
        if moved is None:
            where = f" Open {proposal.place} and say it again." if proposal.place.page else ""
            raise TargetError(f"{proposal.target or proposal.title} is no longer there.{where}")
        return replace(moved, id=new_id())
    if not view.available:
        raise TargetError(view.reason or f"{view.label} can't be used now.")
    same_place = place_of(snapshot).same(proposal.place)
    if view.revision == proposal.revision and same_place:
        return None
    fresh = await previewed(host, snapshot, proposal, replace(bound(proposal), revision=view.revision))
    same = (fresh.before, fresh.after, fresh.arguments) == (proposal.before, proposal.after, proposal.arguments)
    return None if same and same_place and fresh.status == "waiting" else replace(fresh, id=new_id())


async def run_call(proposal: Proposal, host: Host, journal: Journal, timeout_s: float) -> CallFinished:
    """Runs one approved proposal, once: not again after a restart, nor from a second place.

    A cancellation that arrives while the call is under way waits for it: its outcome is recorded before the run ends.
    """
    if not journal.record_start(proposal.id):
        return _failed(proposal, "Not run again: this action had already been started.")
    execution = asyncio.ensure_future(host.execute(bound(proposal)))
    try:
        async with asyncio.timeout(timeout_s):
            message = await asyncio.shield(execution)
    except TimeoutError:
        finished = _failed(proposal, f"No result after {timeout_s:.0f} seconds; it may still be at work.")
    except ToolError as error:
        finished = _failed(proposal, str(error))
    else:
        view = instance_by_guid(await host.snapshot(), proposal.target_guid)
        after = view.state.get("value") if view else proposal.after
        finished = CallFinished(proposal.run_id, replace(proposal, status="done"), proposal.before, after, message)
    journal.record_outcome(proposal.id, finished.proposal.status == "done", finished.message)
    return finished


def _failed(proposal: Proposal, message: str) -> CallFinished:
    failed = replace(proposal, status="failed", error=message)
    return CallFinished(proposal.run_id, failed, proposal.before, proposal.before, message)
