"""The corrections that are remembered, as the Settings page shows them: forgotten one by one or all, and undone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Signal

from app.pages.background import Background
from app.qtbridge.undo import UndoLog

if TYPE_CHECKING:
    from app.agent.commands.corrections import Correction, Corrections

_WORK = "corrections"


class LiveCorrections(QObject):
    """What a person has put right.

    Args:
        find: Gives the corrections; it may have to load the grammar first, so it is called in a thread.
        background: That thread.
        undo: Takes what is forgotten.
    """

    changed = Signal()
    """`listed` may give others now."""

    def __init__(
        self, find: Callable[[], Corrections], background: Background, undo: UndoLog, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._find = find
        self._background = background
        self._undo = undo
        self._corrections: Corrections | None = None
        background.done.connect(self._on_found)

    def listed(self) -> tuple[Correction, ...] | None:
        """All of them, by field, the newest of each first; None before they have been looked for."""
        return None if self._corrections is None else self._corrections.all()

    def look(self) -> None:
        """Looks which there are; `changed` tells."""
        if self._corrections is None:
            self._background.start(_WORK, self._find)
        else:
            self.changed.emit()

    def forget(self, corrections: tuple[Correction, ...]) -> None:
        """Forgets some of those that `listed` gave, and records it for undo."""
        change = _Forgetting(self, corrections)
        change.redo()
        self._undo.record(change)

    def take(self, corrections: tuple[Correction, ...], *, forget: bool) -> None:
        """Forgets some, or remembers them again, without recording it."""
        assert self._corrections is not None, "nothing has been listed yet"
        if forget:
            self._corrections.forget(corrections)
        else:
            self._corrections.put_back(corrections)
        self.changed.emit()

    def _on_found(self, name: str, found: object) -> None:
        if name == _WORK:
            self._corrections = cast("Corrections", found)
            self.changed.emit()


@dataclass(frozen=True)
class _Forgetting:
    live: LiveCorrections
    corrections: tuple[Correction, ...]

    @property
    def text(self) -> str:
        if len(self.corrections) == 1:
            return f"Forgetting “{self.corrections[0].heard}”"
        return f"Forgetting {len(self.corrections)} corrections"

    def undo(self) -> None:
        self.live.take(self.corrections, forget=False)

    def redo(self) -> None:
        self.live.take(self.corrections, forget=True)
