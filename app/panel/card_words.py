"""What a proposal card says, in plain words. No Qt: the same words serve the screen, the screen reader and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.agent.json_types import Json
from app.agent.policy import ConfidenceLevel, Policy
from app.agent.proposal import Proposal, ProposalStatus

EMPTY_VALUE = "empty"
IRREVERSIBLE = "Can’t be undone"
_LONGEST_TITLE = 28

_LEVELS: Mapping[ConfidenceLevel, str] = {
    "low": "Low confidence",
    "medium": "Medium confidence",
    "high": "High confidence",
}
_POLICIES: Mapping[Policy, str] = {"auto": "Runs without asking", "confirm": "Asks first", "never": "Not allowed"}
_STATUSES: Mapping[ProposalStatus, str] = {
    "waiting": "Waiting for you",
    "approved": "Approved",
    "rejected": "Rejected",
    "running": "Applying",
    "done": "Done",
    "failed": "Not done",
    "refused": "Not possible as it is",
}


class Change(NamedTuple):
    """What a card shows as the change: a value before and after, or one sentence."""

    before: str
    after: str
    sentence: str


def shown(value: Json) -> str:
    """A value as people write it: Yes and No, commas between items, nothing for no value."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ", ".join(f"{words(key)}: {shown(item)}" for key, item in value.items())
    if isinstance(value, Sequence):
        return ", ".join(shown(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def words(name: str) -> str:
    """A parameter's name as a label: `due_date` becomes `Due date`."""
    return name.replace("_", " ").strip().capitalize()


def change_of(proposal: Proposal) -> Change:
    """The change that a proposal would make; where it names no value, its effect, else its arguments."""
    if proposal.before is not None or proposal.after is not None:
        return Change(shown(proposal.before) or EMPTY_VALUE, shown(proposal.after) or EMPTY_VALUE, "")
    return Change("", "", proposal.effect or shown(proposal.arguments))


def verb_line(proposal: Proposal) -> str:
    """The verb, with the record that it is about: `Choose  ·  “Agents that ask first”`."""
    title = proposal.place.title
    if len(title) > _LONGEST_TITLE:
        title = title[:_LONGEST_TITLE].rsplit(" ", 1)[0] + " …"
    return f"{proposal.title}  ·  “{title}”" if title else proposal.title


def confidence_words(proposal: Proposal) -> str:
    """The confidence in a word with its number: `High confidence, 93 %`."""
    return f"{_LEVELS[proposal.level]}, {round(proposal.confidence * 100)} %"


def trust_words(proposal: Proposal) -> str:
    """How sure the assistant is, and how much is asked; that there is no way back is said instead of that."""
    return f"{confidence_words(proposal)}  ·  {IRREVERSIBLE if proposal.irreversible else _POLICIES[proposal.policy]}"


def status_words(proposal: Proposal, message: str = "") -> str:
    """The state of an action in words: what was done, or why not, where that is known.

    Args:
        message: What the call said it did, once it has run.
    """
    if proposal.status in ("failed", "refused") and proposal.error:
        return proposal.error
    if proposal.status == "done" and message:
        return message
    return _STATUSES[proposal.status]


def spoken(proposal: Proposal, message: str = "") -> str:
    """The whole card as one text for a screen reader."""
    change = change_of(proposal)
    what = change.sentence or f"from {change.before} to {change.after}"
    where = f" of “{proposal.place.title}”" if proposal.place.title else ""
    return (
        f"Action {proposal.position}: {proposal.title} {proposal.target}{where}, {what}. "
        f"{trust_words(proposal).replace('  ·  ', '. ')}. {status_words(proposal, message)}."
    ).replace("..", ".")
