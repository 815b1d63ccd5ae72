"""Work of the GUI thread in small pieces, so that a burst of it doesn't hold up the window."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

_SLICE_S = 0.001
"""How long pieces follow each other in one turn: most take next to nothing, and one that builds a card half a frame."""


class Turns(QObject):
    """Does pieces of work in order, in turns of the event loop of their own, each followed by one without any.

    The engine answers a command with a dozen events and calls at once, and each may build a card or open a page, which
    is laid out and painted afterwards: all in one turn of the event loop would be seen as a pause.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pieces: deque[Callable[[], object]] = deque()
        self._resting = False
        self._slice_s = _SLICE_S
        # A timer, not QTimer.singleShot: with no time to wait that posts an event, which belongs to the same turn.
        self._next_turn = QTimer(self)
        self._next_turn.setSingleShot(True)
        self._next_turn.timeout.connect(self._take_turn)

    def add(self, piece: Callable[[], object]) -> None:
        """Does a piece of work in one of the next turns, after those before it. On the GUI thread only."""
        self._pieces.append(piece)
        if self._slice_s == math.inf:
            self._work()
        elif not self._next_turn.isActive():
            self._next_turn.start(0)

    def finish(self) -> None:
        """Does what waits, and from now on each piece at once: the window is closing, and nobody watches."""
        self._slice_s = math.inf
        self._next_turn.stop()
        self._work()

    @Slot()
    def _take_turn(self) -> None:
        # What was changed in the last turn is laid out and painted at the beginning of this one.
        if self._resting:
            self._resting = False
            if self._pieces:
                self._next_turn.start(0)
            return
        self._resting = True
        # Before the work: a piece that fails, or waits in an event loop of its own, doesn't keep the others.
        self._next_turn.start(0)
        self._work()

    def _work(self) -> None:
        until = time.perf_counter() + self._slice_s
        while self._pieces:
            self._pieces.popleft()()
            if time.perf_counter() >= until:
                return
