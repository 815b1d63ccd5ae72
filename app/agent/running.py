"""One run's state, and the execution of one approved call: at most once, against the screen that was approved."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field, replace

from app.agent.errors import TargetError, ToolError
from app.agent.events import CallFinished
from app.agent.host import Host
from app.agent.limits import RepeatGuard
from app.agent.messages import Image, Utterance
from app.agent.proposal import Proposal, ProposalStatus
from app.agent.proposing import bound, new_id, place_of, previewed, rebound
from app.agent.snapshot import Snapshot

_log = logging.getLogger(__name__)


@dataclass
class Run:
    """What is known of one run while it is open. Lives in the engine's thread only.

    Attributes:
        interruptible: A cancel may end it where it waits now. Not before its transaction is open, while a call is
            being executed, or while it is being closed: then it ends by itself, at the next step.
        unasked: Proposals approved without the person.
        rejected: (tool, target guid) of what the person rejected: asked about again, whatever is allowed.
        begun: Proposals that have been started and whose outcome is not stored yet.
        answered: Proposals whose call has its result; one that was refused is no open question any more.
    """

    id: str
    utterance: Utterance
    guard: RepeatGuard
    images: tuple[Image, ...] = ()
    task: asyncio.Task[None] | None = None
    cancel_requested: bool = False
    interruptible: bool = False
    proposals: dict[str, Proposal] = field(default_factory=dict)
    unasked: set[str] = field(default_factory=set)
    rejected: set[tuple[str, str]] = field(default_factory=set)
    begun: set[str] = field(default_factory=set)
    answered: set[str] = field(default_factory=set)
    calls: int = 0
    tokens: int = 0
    done: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    _decisions: dict[str, asyncio.Event] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether it has not ended yet."""
        return self.task is not None and not self.task.done()

    def waiting(self) -> tuple[Proposal, ...]:
        """The proposals that wait for the person, in order."""
        return self._with_status("waiting", "refused")

    def unsettled(self) -> tuple[Proposal, ...]:
        """The proposals that have no end yet."""
        return self._with_status("waiting", "refused", "approved", "running")

    def is_waiting(self, proposal_id: str) -> bool:
        """Whether that proposal waits for the person."""
        return any(proposal.id == proposal_id for proposal in self.waiting())

    def _with_status(self, *statuses: ProposalStatus) -> tuple[Proposal, ...]:
        return tuple(p for p in self.proposals.values() if p.status in statuses and p.id not in self.answered)

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


def is_current(snapshot: Snapshot, proposal: Proposal) -> bool:
    """Whether nothing about the proposal's target has changed since it was shown."""
    view = snapshot.instance_of(proposal.target_guid)
    return view is not None and view.revision == proposal.revision and place_of(snapshot).same(proposal.place)


async def asked_again(host: Host, snapshot: Snapshot, proposal: Proposal) -> Proposal | None:
    """Checks an approved proposal against the screen as it is now.

    Returns:
        None where what was approved is what would run; else a new proposal, to be asked about again.

    Raises:
        TargetError: The target has gone or can't be used now.
    """
    if not proposal.target_guid:
        return None  # a tool of the application: it acts on no instance
    view = snapshot.instance_of(proposal.target_guid)
    if view is None:
        moved = await rebound(host, snapshot, proposal)
        if moved is None:
            where = f" Open {proposal.place} and say it again." if proposal.place.page else ""
            raise TargetError(f"{proposal.target or proposal.title} is no longer there.{where}")
        return replace(moved, id=new_id())
    if not view.available:
        raise TargetError(view.reason or f"{view.label} can't be used now.")
    if is_current(snapshot, proposal):
        return None
    fresh = await previewed(host, snapshot, proposal, replace(bound(proposal), revision=view.revision))
    same = place_of(snapshot).same(proposal.place) and _shown(fresh) == _shown(proposal)
    return None if same and fresh.status == "waiting" else replace(fresh, id=new_id())


def _shown(proposal: Proposal) -> tuple[object, ...]:
    """What the person saw of what would happen."""
    return proposal.before, proposal.after, proposal.arguments, proposal.effect, proposal.irreversible


def not_again(proposal: Proposal) -> CallFinished:
    """The end of a call that was started before, in an earlier life of the program or from a second place."""
    return _failed(proposal, "Not run again: this action had already been started.")


async def run_call(run: Run, proposal: Proposal, host: Host, timeout_s: float) -> CallFinished:
    """Runs one approved proposal, of which the caller has recorded the start as the first.

    The caller must not be cancelled meanwhile (`Run.interruptible`), and stores the outcome when everything else that
    follows from it is stored: a kill before that is then reported at the next start.
    """
    run.begun.add(proposal.id)
    execution = asyncio.ensure_future(_executed(host, proposal))
    await asyncio.wait([execution], timeout=timeout_s)
    if execution.done() and execution.cancelled():
        run.begun.discard(proposal.id)  # perhaps the program is ending: it stays without an outcome, to be reported
    return _outcome(proposal, execution, timeout_s)


async def _executed(host: Host, proposal: Proposal) -> str:
    try:
        return await host.execute(bound(proposal))
    except SystemExit as error:
        raise ToolError("It tried to end the program, which an action may not do.") from error


def _outcome(proposal: Proposal, execution: asyncio.Future[str], timeout_s: float) -> CallFinished:
    if not execution.done():
        # Nobody waits for it any more, and it must not go on behind the back of a run that has gone on.
        execution.add_done_callback(_forget)
        execution.cancel()
        return _failed(proposal, f"No result after {timeout_s:g} seconds. It is not known whether it was done.")
    if execution.cancelled():
        return _failed(proposal, "It was stopped from outside. It is not known whether it was done.")
    error = execution.exception()
    if error is None:
        done = replace(proposal, status="done")
        return CallFinished(proposal.run_id, done, proposal.before, proposal.after, execution.result())
    if isinstance(error, ToolError):
        return _failed(proposal, str(error))
    if not isinstance(error, Exception):
        raise error
    _log.error("the host failed at %s", proposal.tool, exc_info=error)
    return _failed(proposal, "Something went wrong inside Greenroom. It is not known whether it was done.")


def _forget(execution: asyncio.Future[str]) -> None:
    """Takes note of how a call ended that came too late, so that nothing complains that nobody did."""
    if not execution.cancelled() and execution.exception() is not None:
        _log.info("a call that took too long failed in the end")


def _failed(proposal: Proposal, message: str) -> CallFinished:
    failed = replace(proposal, status="failed", error=message)
    return CallFinished(proposal.run_id, failed, proposal.before, proposal.before, message)
