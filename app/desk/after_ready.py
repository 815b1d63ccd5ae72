"""What may wait until the program listens, and does."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance, Slot

_AT_THE_LATEST_MS = 4_000
"""For a program that won't listen: one without a speech model."""


class AfterReady(QObject):
    """Does some work once, in the turn of the event loop after a signal, or after four seconds without it."""

    def __init__(self, ready: SignalInstance, work: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(work)
        self._timer.start(_AT_THE_LATEST_MS)
        ready.connect(self._on_ready)

    @Slot()
    def _on_ready(self) -> None:
        if self._timer.isActive():
            self._timer.start(0)
