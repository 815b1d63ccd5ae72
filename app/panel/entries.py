"""What stands in the conversation, as values; the widgets that show them are in `entry_widgets`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.agent.messages import Source
from app.agent.proposal import Proposal

NoticeKind: TypeAlias = Literal["information", "caution", "error"]


@dataclass(frozen=True, slots=True)
class Said:
    """What the person said or typed; `partial` while it is still being heard."""

    text: str
    source: Source = "text"
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What the assistant says."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What a model thought before it answered: folded away, and marked as that."""

    text: str


@dataclass(frozen=True, slots=True)
class Card:
    """A proposed action, in whatever state it is. `message` is what it said it did."""

    proposal: Proposal
    message: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that went wrong or is worth knowing, with what to do about it."""

    text: str
    hint: str = ""
    kind: NoticeKind = "information"


@dataclass(frozen=True, slots=True)
class Changes:
    """The end of a run that changed something: how much, and the offer to undo it."""

    count: int
    undoable: bool = True


@dataclass(frozen=True, slots=True)
class Phrases:
    """Things the person could say instead."""

    phrases: tuple[str, ...]


Entry: TypeAlias = Said | Answer | Reasoning | Card | Notice | Changes | Phrases


def is_open(entry: Entry) -> bool:
    """Whether the person may still have to act on it, so that it must stay in sight."""
    return isinstance(entry, Card) and entry.proposal.status not in ("done", "failed", "rejected")
