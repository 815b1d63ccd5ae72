"""What the last process left behind: calls nobody knows the end of, and questions nobody has answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from app.agent.conversation import readable
from app.agent.events import CallFinished, Event
from app.agent.journal import Journal
from app.agent.proposal import Proposal
from app.agent.serial import proposal_from_json, proposal_to_json

_UNSETTLED = ("waiting", "approved", "running")
"""Stored statuses of a proposal nobody has been told the end of."""


def take_up(journal: Journal, emit: Callable[[Event], None]) -> list[Proposal]:
    """Reports, once, each call that was under way or approved when the last process ended.

    Returns:
        The proposals that still wait for a decision, oldest first.
    """
    left = list(readable(proposal_from_json, journal.open_proposals()))
    asked_again = {proposal.call_id for proposal in left}
    for proposal in readable(proposal_from_json, journal.started_without_outcome()):
        done = proposal.status == "done"
        what = (
            "was done just before Greenroom ended." if done else "was under way when Greenroom ended. Please check it."
        )
        _report(journal, emit, proposal, what)
    for proposal in readable(proposal_from_json, journal.approved_not_started()):
        if proposal.status not in _UNSETTLED:
            continue
        if proposal.call_id in asked_again:
            settled = replace(proposal, status="rejected", error="Asked again: the screen has changed.")
            journal.save_proposal(settled.id, settled.run_id, settled.status, proposal_to_json(settled))
        elif journal.record_start(proposal.id):
            _report(journal, emit, proposal, "was approved but not begun when Greenroom ended. Say it again.")
    return left


def _report(journal: Journal, emit: Callable[[Event], None], proposal: Proposal, what: str) -> None:
    message = " ".join(word for word in (proposal.title, proposal.target, what) if word)
    done = proposal.status == "done"
    settled = proposal if done else replace(proposal, status="failed", error=message)
    # Told before it is noted as told: after a kill in between it is told twice, never not at all.
    emit(CallFinished(settled.run_id, settled, settled.before, settled.after if done else None, message))
    journal.save_proposal(settled.id, settled.run_id, settled.status, proposal_to_json(settled))
    journal.record_outcome(settled.id, done, message)
