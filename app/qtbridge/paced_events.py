"""Events handed on a few at a time, so that a burst of them doesn't hold up the GUI thread."""

from __future__ import annotations

import math
import time
from collections import deque

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.agent.events import Event

_SLICE_S = 0.004
"""How long events are handled before whatever else waits gets its turn: a quarter of a frame, the rest is painting."""


class PacedEvents(QObject):
    """Takes events in order and tells them in order, each as soon as the GUI thread has the time.

    The engine answers a command with a dozen events at once, and each may build a card, which is laid out and painted:
    all in one turn of the event loop would be seen as a pause.
    """

    told = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[Event] = deque()
        self._telling = False
        self._until = 0.0
        self._finished = False
        # A timer, not QTimer.singleShot: with no time to wait that posts an event, which belongs to the same turn.
        self._next_turn = QTimer(self)
        self._next_turn.setSingleShot(True)
        self._next_turn.timeout.connect(self._begin_turn)

    @Slot(object)
    def take(self, event: Event) -> None:
        """Tells an event, now or after those before it."""
        self._waiting.append(event)
        if self._next_turn.isActive() or self._finished:
            self._tell()
        else:
            self._begin_turn()

    def finish(self) -> None:
        """Tells what waits, and from now on each event at once: the window is closing, and nobody watches."""
        self._finished = True
        self._until = math.inf
        self._next_turn.stop()
        self._tell()

    @Slot()
    def _begin_turn(self) -> None:
        if self._waiting:
            self._until = time.perf_counter() + _SLICE_S
            self._next_turn.start(0)
            self._tell()

    def _tell(self) -> None:
        if self._telling:  # what is told within telling comes after it
            return
        self._telling = True
        while self._waiting and time.perf_counter() < self._until:
            self.told.emit(self._waiting.popleft())
        self._telling = False
