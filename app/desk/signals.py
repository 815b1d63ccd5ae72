"""Ctrl+C and a request to terminate end the window in good order."""

from __future__ import annotations

import signal
import socket
import sys
from types import FrameType

from PySide6.QtCore import QCoreApplication, QObject, QSocketNotifier

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class QuitOnSignals(QObject):
    """Quits the application when the process is asked to end.

    Python runs its signal handlers between two steps of Python code, and while Qt waits for events there are none: the
    signal therefore writes a byte to a socket, and the socket wakes Qt (`signal.set_wakeup_fd`).
    """

    def __init__(self, application: QCoreApplication) -> None:
        super().__init__(application)
        self._application = application
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        if sys.platform != "win32":  # there set_wakeup_fd takes sockets too, but a console closes the process itself
            signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._before = {number: signal.signal(number, self._quit) for number in _SIGNALS}

    def close(self) -> None:
        """Puts the former handlers back."""
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if sys.platform != "win32":
            signal.set_wakeup_fd(-1)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _drain(self) -> None:
        self._reader.recv(64)

    def _quit(self, _number: int, _frame: FrameType | None) -> None:
        self._application.quit()
