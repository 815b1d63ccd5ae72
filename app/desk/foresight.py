"""Reads what has been said so far in a thread of its own, to outline its target before the key is released."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal, Slot

from app.agent.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class _Question:
    press: int
    heard: str
    snapshot: Snapshot
    language: str


@dataclass(frozen=True, slots=True)
class _Reply:
    press: int
    guid: str


class Foresight(QObject):
    """Answers with the target of what is being said; what comes too late is dropped.

    Args:
        snapshot: Takes the screen now; called on the GUI thread.
        language: What is spoken, ISO 639-1.
    """

    found = Signal(str)
    """The guid of the target, while the key is held."""
    _replied = Signal(object)

    def __init__(
        self, snapshot: Callable[[], Snapshot], language: Callable[[], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._snapshot = snapshot
        self._language = language
        self._press = 0
        self._listening = False
        self._questions: queue.Queue[_Question | None] = queue.Queue()
        self._thread: threading.Thread | None = None
        self._replied.connect(self._on_reply)

    @Slot()
    def begin(self) -> None:
        """The key has gone down."""
        self._press += 1
        self._listening = True

    @Slot()
    def end(self) -> None:
        """The key is up: answers that come now are late."""
        self._listening = False

    @Slot(str)
    def consider(self, heard: str) -> None:
        """Looks for the target of what has been heard up to now. Returns at once."""
        if not self._listening:
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="greenroom-foresight", daemon=True)
            self._thread.start()
        self._questions.put(_Question(self._press, heard, self._snapshot(), self._language()))

    def close(self) -> None:
        """Ends the thread and joins it."""
        self.end()
        if self._thread is not None:
            self._questions.put(None)
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        # Imported here: the window paints before the grammar is needed.
        from app.agent.commands.foresight import Foreseer

        foreseer = Foreseer()
        while (question := self._latest()) is not None:
            guid = foreseer.target(question.snapshot, question.heard, question.language)
            self._replied.emit(_Reply(question.press, guid))

    def _latest(self) -> _Question | None:
        """Waits for a question; of several that wait the last one counts."""
        question = self._questions.get()
        while question is not None and not self._questions.empty():
            question = self._questions.get()
        return question

    @Slot(object)
    def _on_reply(self, reply: _Reply) -> None:
        if self._listening and reply.press == self._press and reply.guid:
            self.found.emit(reply.guid)
