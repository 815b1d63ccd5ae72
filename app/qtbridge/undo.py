"""The undo log: whatever one utterance changed is undone, and redone, as one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from app.agent.errors import ToolError

MAXIMUM_ENTRIES = 200

_AS_ONE = "as one"
"""Stands for a run where there is none; no run has this id."""


class Change(Protocol):
    """Something that has been done and can be taken back."""

    @property
    def text(self) -> str:
        """What was done, as a person reads it: "Status of Agents that ask first"."""

    def undo(self) -> None:
        """Takes it back.

        Raises:
            ToolError: It can't be taken back; nothing was done.
        """

    def redo(self) -> None:
        """Does it again.

        Raises:
            ToolError: It can't be done again; nothing was done.
        """


class _Entry(QUndoCommand):
    """The changes of one utterance, or one change made by hand. Changes are recorded after they were made."""

    def __init__(self, title: str, change: Change, run_id: str) -> None:
        super().__init__(title or change.text)
        self.run_id = run_id
        self.changes = [change]
        self.error: Exception | None = None
        self.failures = 0
        # QUndoStack.push() calls redo() at once, and what is recorded has been done already.
        self.silent = True

    def undo(self) -> None:
        self._run([(change.undo, change.redo) for change in reversed(self.changes)])

    def redo(self) -> None:
        self._run([(change.redo, change.undo) for change in self.changes])

    def _run(self, steps: list[tuple[_Step, _Step]]) -> None:
        if self.silent:
            self.silent = False
            return
        done: list[_Step] = []
        try:
            for step, inverse in steps:
                step()
                done.append(inverse)
        except Exception as error:  # noqa: BLE001  nothing may pass through Qt's stack; UndoLog raises it afterwards
            self.error = error
            self._take_back(done)

    def _take_back(self, inverses: list[_Step]) -> None:
        for inverse in reversed(inverses):
            try:
                inverse()
            except ToolError:
                # What can't be put back stays as it is; the first error is the one that is told.
                continue


class _Step(Protocol):
    def __call__(self) -> None: ...


class UndoLog(QObject):
    """A `QUndoStack` whose entries are utterances. Lives on the GUI thread."""

    changed = Signal()
    """What can be undone or redone is different now."""
    undone = Signal(str)
    """An entry was undone; carries its text."""
    redone = Signal(str)
    failed = Signal(str)
    """An entry could not be undone or redone; carries the reason, in words."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stack = QUndoStack(self)
        self._stack.setUndoLimit(MAXIMUM_ENTRIES)
        self._stack.indexChanged.connect(self._on_index_changed)
        self._run_id = ""
        self._title = ""
        self._top: _Entry | None = None
        self._busy = False

    @property
    def undo_text(self) -> str:
        """What `undo` would take back, or an empty string."""
        return self._stack.undoText()

    @property
    def undo_run(self) -> str:
        """The run whose changes `undo` would take back; empty where they were made by hand, or there are none."""
        entry = self._stack.command(self._stack.index() - 1) if self._stack.canUndo() else None
        return entry.run_id if isinstance(entry, _Entry) else ""

    @property
    def redo_text(self) -> str:
        """What `redo` would do again, or an empty string."""
        return self._stack.redoText()

    def record(self, change: Change) -> None:
        """Adds a change that has just been made.

        Between `begin` and `end` all changes are one entry; outside each is its own. While an entry is being undone
        nothing is recorded: what changes then belongs to the undoing.
        """
        if self._busy:
            return
        if self._run_id and self._top is not None:
            self._top.changes.append(change)
            self.changed.emit()
            return
        entry = _Entry(self._title, change, self._run_id)
        self._stack.push(entry)
        self._top = entry

    def latest(self) -> Change | None:
        """The change recorded last, if it is an entry of its own and nothing was undone since.

        Somebody typing makes many changes of one kind: the caller may widen this one instead of recording another.
        """
        if self._run_id or self._busy or self._top is None:
            return None
        return self._top.changes[-1]

    def begin(self, run_id: str, title: str) -> None:
        """Opens the entry of an utterance. `title` is what the person said; one left open before is closed."""
        self._run_id, self._title, self._top = run_id, title, None

    def end(self, run_id: str) -> None:
        """Closes the entry of that utterance. Closing one that isn't open does nothing."""
        if run_id == self._run_id:
            self._run_id, self._title, self._top = "", "", None

    @contextmanager
    def as_one(self, title: str) -> Iterator[None]:
        """Makes all that is recorded meanwhile one entry of that title, even while an utterance has its own open."""
        outer = self._run_id, self._title
        self._run_id, self._title, self._top = _AS_ONE, title, None
        try:
            yield
        finally:
            # What the utterance still changes comes after this, so it needs an entry after this one.
            (self._run_id, self._title), self._top = outer, None

    def undo(self) -> str:
        """Takes the latest entry back and returns its text.

        Raises:
            ToolError: There is nothing to undo, or a change could not be taken back: then all of the entry is as
                it was. An entry that fails twice is dropped, so that earlier ones can be reached.
        """
        if not self._stack.canUndo():
            raise ToolError("There is nothing to undo.")
        text = self._stack.undoText()
        self._step(self._stack.index() - 1, backwards=True)
        self.undone.emit(text)
        return text

    def redo(self) -> str:
        """Does the entry again that was undone last, and returns its text.

        Raises:
            ToolError: There is nothing to redo, or it could not be done again.
        """
        if not self._stack.canRedo():
            raise ToolError("There is nothing to redo.")
        text = self._stack.redoText()
        self._step(self._stack.index(), backwards=False)
        self.redone.emit(text)
        return text

    def clear(self) -> None:
        """Forgets everything: nothing can be undone afterwards."""
        self._top = None
        self._stack.clear()

    def _step(self, index: int, *, backwards: bool) -> None:
        entry = self._stack.command(index)
        assert isinstance(entry, _Entry)
        self._top = None
        self._busy = True
        try:
            self._move(backwards=backwards)
            error, entry.error = entry.error, None
            if error is None:
                entry.failures = 0
                return
            entry.failures += 1
            dropped = entry.failures > 1
            # The stack has moved although nothing was done: move it back without running anything.
            entry.silent = True
            entry.setObsolete(dropped)
            self._move(backwards=not backwards)
        finally:
            self._busy = False
        if not isinstance(error, ToolError):
            raise error
        message = str(error)
        if dropped:
            message += " It has been taken off the list of what can be undone."
        self.failed.emit(message)
        raise ToolError(message) from error

    def _move(self, *, backwards: bool) -> None:
        if backwards:
            self._stack.undo()
        else:
            self._stack.redo()

    def _on_index_changed(self, _index: int) -> None:
        self.changed.emit()
