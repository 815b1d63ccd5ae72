"""Whether a dialog stands in front of a window, and news of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget


def blocking_dialog(window: QWidget) -> QWidget | None:
    """The modal dialog that keeps `window` from taking input, or None."""
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


class ModalityWatch(QObject):
    """Tells when a window becomes blocked by a dialog or free again. One for each window, owned by it."""

    changed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Passes everything on."""
        if event.type() in (QEvent.Type.WindowBlocked, QEvent.Type.WindowUnblocked):
            self.changed.emit()
        return False

    @staticmethod
    def of(window: QWidget) -> ModalityWatch:
        """The watch of `window`, made at the first call."""
        for child in window.children():
            if isinstance(child, ModalityWatch):
                return child
        return ModalityWatch(window)
