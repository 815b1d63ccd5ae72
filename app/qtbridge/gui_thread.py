"""Runs work on the GUI thread for other threads, and hands the result back."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Qt, QThread, Signal, Slot

from app.qtbridge.turns import Turns

T = TypeVar("T")


class GuiThread(QObject):
    """A queue into the thread that made this object (the GUI thread).

    Results and exceptions come back as they are: nothing is swallowed and nothing is turned into a time-out. Each piece
    of work has a turn of the event loop of its own, in line with what else `turns` is given.
    """

    _posted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.turns = Turns(self)
        self._queue: deque[tuple[Callable[[], Any], Future[Any]]] = deque()
        self._arrived = threading.Event()
        self._closed = False
        self._posted.connect(self._on_posted, Qt.ConnectionType.QueuedConnection)

    def post(self, work: Callable[[], T]) -> Future[T]:
        """Queues `work` for the GUI thread; callable from any thread. Cancelled at once after `close`."""
        future: Future[T] = Future()
        if self._closed:
            future.cancel()
            return future
        self._queue.append((work, future))
        self._arrived.set()
        self._posted.emit()
        return future

    async def call(self, work: Callable[[], T]) -> T:
        """Runs `work` on the GUI thread and waits for it without blocking the calling event loop."""
        return await asyncio.wrap_future(self.post(work))

    def serve_until(self, done: Future[Any], timeout_s: float) -> None:
        """Runs posted work until `done` or the time is up, without the Qt event loop: for an orderly shutdown."""
        end = time.monotonic() + timeout_s
        done.add_done_callback(lambda _: self._arrived.set())
        while not done.done() and time.monotonic() < end:
            self._arrived.wait(end - time.monotonic())
            self._arrived.clear()
            while self._queue:
                self._run_next()

    def close(self) -> None:
        """Takes no more work and cancels what still waits, so that no thread waits for a window that has gone."""
        self._closed = True
        while self._queue:
            self._queue.popleft()[1].cancel()

    @Slot()
    def _on_posted(self) -> None:
        self.turns.add(self._run_next)

    def _run_next(self) -> None:
        """Runs what was posted first, if `serve_until` has not run it by now."""
        assert_gui_thread(self)
        if not self._queue:
            return
        work, future = self._queue.popleft()
        if not future.set_running_or_notify_cancel():
            return
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - carried to the thread that asked, not handled here
            future.set_exception(error)
        else:
            future.set_result(result)


def assert_gui_thread(owner: QObject) -> None:
    """Raises AssertionError outside the thread of `owner`: Qt itself says nothing about a widget touched elsewhere."""
    if QThread.currentThread() is not owner.thread():
        raise AssertionError(f"{type(owner).__name__} was used outside the GUI thread")
