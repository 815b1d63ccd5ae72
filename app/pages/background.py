"""Work that may wait, in a thread of its own, whose result comes back to the GUI thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal


class Background(QObject):
    """Runs pieces of work, each in a thread that ends with it. Join them with `finish` before the owner goes."""

    done = Signal(str, object)
    """A piece of work has ended: its name, and what it returned."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._threads: list[threading.Thread] = []

    def start(self, name: str, work: Callable[[], object]) -> None:
        """Begins; `done` carries what `work` returns. `work` must raise nothing, and touch no widget."""
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=self._run, args=(name, work), name=f"settings-{name}")
        self._threads.append(thread)
        thread.start()

    def finish(self) -> None:
        """Waits for what is under way."""
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _run(self, name: str, work: Callable[[], object]) -> None:
        result = work()
        try:
            self.done.emit(name, result)
        except RuntimeError:
            # The page was destroyed meanwhile: nobody waits for the result.
            return
