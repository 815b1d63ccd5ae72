"""What every adapter needs of the program around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from app.agent.registry import Registry
from app.qtbridge.undo import Change

if TYPE_CHECKING:
    from app.widgets.dictation_field import DictationField


def _english() -> str:
    return "en"


def _forget(_change: Change) -> None:
    """Takes no note of a change."""


@dataclass(frozen=True, slots=True)
class VoiceContext:
    """Where adapters register, and where they leave their changes.

    Attributes:
        registry: Holds what is on screen.
        record: Takes each change an adapter has made, usually `UndoLog.record`.
        language: The language values are spoken in, ISO 639-1; asked at each use.
        today: What "tomorrow" counts from.
        dictate: Begins dictation into a field and returns what to do next, in words; None where nobody takes dictation.
    """

    registry: Registry
    record: Callable[[Change], None] = _forget
    language: Callable[[], str] = _english
    today: Callable[[], date] = date.today
    dictate: Callable[[DictationField], str] | None = None

    def without_undo(self) -> VoiceContext:
        """The same for widgets whose owner records their changes itself."""
        return replace(self, record=_forget)
