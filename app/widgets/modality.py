"""Whether a dialog stands in front of a window, and news of it."""

from __future__ import annotations

import weakref
from typing import Protocol
from weakref import WeakSet

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from app.widgets.naming import name_of, tidy
from app.widgets.of_window import of_window


def blocking_dialog(window: QWidget) -> QWidget | None:
    """The modal dialog that keeps `window` from taking input, or None."""
    if QApplication.activeModalWidget() is None:
        # The usual case, in no time: listing the top-level widgets goes through all widgets of the program.
        return None
    for other in QApplication.topLevelWidgets():
        if other is window or not other.isVisible() or not other.isModal():
            continue
        if _is_above(window, other):
            continue
        if other.windowModality() is Qt.WindowModality.ApplicationModal or _is_above(other, window):
            return other
    return None


def _is_above(window: QWidget, ancestor: QWidget) -> bool:
    """Whether `window` was opened from `ancestor`, directly or through other windows."""
    parent = window.parentWidget()
    while parent is not None:
        if parent.window() is ancestor:
            return True
        parent = parent.window().parentWidget()
    return False


class _Found:
    """What was found to be in front of a window, and until when that holds."""

    def __init__(self, front: QWidget, dialog: QWidget | None) -> None:
        # Weak: a dialog that is dropped without being closed must still go.
        self._front = weakref.ref(front)
        self._dialog = weakref.ref(dialog) if dialog is not None else None
        self._title = dialog.windowTitle() if dialog is not None else ""
        self.reason = _reason(dialog) if dialog is not None else ""

    def holds(self, front: QWidget) -> bool:
        """Whether it is still so; `front` is the modal dialog that was opened last."""
        if self._front() is not front:
            return False
        if self._dialog is None:
            return True
        dialog = self._dialog()
        if dialog is None or not shiboken6.isValid(dialog):
            return False
        return dialog.isVisible() and dialog.windowTitle() == self._title


def _reason(dialog: QWidget) -> str:
    title = tidy(dialog.windowTitle()) or name_of(dialog)
    return f"the dialog “{title}” has to be answered first" if title else "a dialog has to be answered first"


class Blockable(Protocol):
    """Something in a window that can't be operated while a dialog is in front."""

    def touch(self) -> None:
        """Says that it may have been blocked or freed."""


class ModalityWatch(QObject):
    """Tells when a window becomes blocked by a dialog or free again. One for each window, owned by it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._found: _Found | None = None
        # Not a signal: two thousand connections take longer to make than all else that showing a widget needs.
        self._told: WeakSet[Blockable] = WeakSet()
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Passes everything on."""
        if event.type() in (QEvent.Type.WindowBlocked, QEvent.Type.WindowUnblocked):
            self._found = None
            for each in tuple(self._told):
                each.touch()
        return False

    def reason(self) -> str:
        """Which dialog has to be answered before the window can be operated, or an empty string.

        Found once for all widgets of the window, which ask one after the other.
        """
        front = QApplication.activeModalWidget()
        if front is None:
            return ""
        if self._found is None or not self._found.holds(front):
            window = self.parent()
            assert isinstance(window, QWidget)
            self._found = _Found(front, blocking_dialog(window))
        return self._found.reason

    def tell(self, who: Blockable) -> None:
        """Touches it each time from now on, for as long as it lives."""
        self._told.add(who)

    @staticmethod
    def of(window: QWidget) -> ModalityWatch:
        """The watch of `window`, made at the first call."""
        return of_window(window, ModalityWatch)
