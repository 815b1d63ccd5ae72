"""Keeps the garbage collector's full rounds for moments in which nobody waits for the program."""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

_NEVER = 1_000_000_000
_SETTLED_MS = 8_000
"""After so long all that the program keeps for good is made: windows, grammar, speech model."""
_QUIET_MS = 1_500
_ROUNDS = 10
"""Rounds of the middle generation, of 7,000 new objects each, after which a full one is due; Python's own number."""
_OVERDUE = 300


class QuietCollections(QObject):
    """Full rounds on the GUI thread alone, between two requests.

    A full round stops every thread until it has looked at all objects, half a million with the grammar: 70 to 500 ms.
    Python begins one whenever some thread has made enough objects, and a request makes many. What is there once the
    program has started stays for good, and is left out of all rounds. The small rounds go on as ever.
    """

    def __init__(self, busy: Callable[[], bool], parent: QObject | None = None) -> None:
        """From now on no full round begins by itself.

        Args:
            busy: Whether something is being heard, thought about or done.
        """
        super().__init__(parent)
        self._busy = busy
        self._settled = False
        self._thresholds = gc.get_threshold()
        gc.set_threshold(*self._thresholds[:2], _NEVER)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_time)

    def begin(self) -> None:
        """The program has started: what it keeps for good will be there in some seconds."""
        self._timer.start(_SETTLED_MS)

    @Slot()
    def put_off(self) -> None:
        """Something happens: the next round waits until it has been quiet for a while, or is long overdue."""
        if not self._settled:
            return
        if gc.get_count()[2] >= _OVERDUE and not self._busy():
            gc.collect()
        self._timer.start(_QUIET_MS)

    def close(self) -> None:
        """Leaves the collector as it was."""
        self._settled = False  # What still happens while the program ends puts nothing off.
        self._timer.stop()
        gc.set_threshold(*self._thresholds)
        gc.unfreeze()

    @Slot()
    def _on_time(self) -> None:
        if self._busy():
            self._timer.start(_QUIET_MS)
        elif not self._settled:
            self._settled = True
            gc.collect()
            gc.freeze()
            self._timer.start(_QUIET_MS)
        elif gc.get_count()[2] >= _ROUNDS:
            gc.collect()
