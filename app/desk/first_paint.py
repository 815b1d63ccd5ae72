"""What may wait until the window is on the screen, and does."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

_AT_THE_LATEST_MS = 2_000
"""For a window that isn't painted: one that starts minimised, or behind others."""


class AfterFirstPaint(QObject):
    """Does some work once, in the turn of the event loop after the widget was first painted.

    `QTimer.singleShot(0, ...)` right after `show()` would do it before: that posts an event, and a window is painted
    only when the window system asks for it.
    """

    def __init__(self, widget: QWidget, work: Callable[[], object]) -> None:
        super().__init__(widget)
        self._widget = widget
        self._work = work
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_time)
        self._timer.start(_AT_THE_LATEST_MS)
        widget.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Passes everything on."""
        if event.type() is QEvent.Type.Paint:
            self._widget.removeEventFilter(self)
            self._timer.start(0)
        return False

    def _on_time(self) -> None:
        self._widget.removeEventFilter(self)
        self._work()
