"""The engine as a Qt object: slots in, one signal for each kind of event out."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.agent.backends.base import Backend
from app.agent.events import EditRefused, Event
from app.agent.grants import Grants
from app.agent.host import Host
from app.agent.journal import Journal
from app.agent.json_types import JsonObject
from app.agent.loop import AnswerParser, Engine, EngineOptions
from app.agent.messages import Utterance
from app.agent.proposal import Decision
from app.qtbridge.engine_thread import EngineThread
from app.qtbridge.gui_thread import GuiThread

_SHUTDOWN_S = 3.0
"""How long a call under way may take to finish when the window closes."""


def _english() -> str:
    return "en"


class EngineBridge(QObject):
    """Owns the engine and its thread; lives on the GUI thread.

    Args:
        grants: What is always allowed; by default what is granted holds until the program ends.
        observe: Is given every event at once, in the engine's thread: for what measures time.
        language: The language that what is typed is in, ISO 639-1; asked at each use.

    Signals:
        happened: Every event of `app.agent.events`, in order, on the GUI thread.
    """

    happened = Signal(object)
    _emitted = Signal(object)

    def __init__(
        self,
        gui: GuiThread,
        host: Host,
        backend: Backend,
        journal: Journal,
        answers: AnswerParser,
        options: EngineOptions,
        parent: QObject | None = None,
        *,
        grants: Grants | None = None,
        observe: Callable[[Event], None] | None = None,
        language: Callable[[], str] = _english,
    ) -> None:
        super().__init__(parent)
        self._language = language
        self._gui = gui
        self._observe = observe
        self._emitted.connect(self._on_emitted, Qt.ConnectionType.QueuedConnection)
        self._thread = EngineThread()
        self._engine = self._thread.submit(self._make(host, backend, journal, answers, options, grants)).result()

    def new_utterance(self, text: str) -> Utterance:
        """Typed text as an utterance."""
        return Utterance(secrets.token_hex(8), text, language=self._language())

    @Slot(str)
    def submit_text(self, text: str) -> None:
        """Takes what was typed."""
        if text.strip():
            self.submit(self.new_utterance(text.strip()))

    @Slot(object)
    def submit(self, utterance: Utterance) -> None:
        """Takes an utterance, spoken or typed."""
        self._start(self._engine.say(utterance))

    @Slot()
    def resume(self) -> None:
        """Takes up what the last session left open."""
        self._start(self._engine.resume())

    @Slot(object)
    def decide(self, decision: Decision) -> None:
        """Takes a decision on a proposal."""
        self._start(self._decide(decision))

    @Slot(str, object)
    def edit(self, proposal_id: str, arguments: JsonObject) -> None:
        """Takes edited arguments."""
        self._start(self._engine.edit(proposal_id, arguments))

    @Slot()
    def cancel(self) -> None:
        """Ends the open run."""
        self._start(self._engine.cancel())

    def configure(self, *, backend: Backend | None = None, options: EngineOptions | None = None) -> None:
        """Takes new settings; they hold from the next turn on."""
        self._start(self._configure(backend, options))

    def shutdown(self) -> None:
        """Cancels the open run, lets a call under way finish, ends the engine thread and joins it."""
        if self._thread.running:
            self._gui.serve_until(self._thread.submit(self._engine.cancel()), _SHUTDOWN_S)
        self._gui.close()
        self._thread.stop()
        self._gui.turns.finish()

    @Slot(object)
    def _on_emitted(self, event: Event) -> None:
        self._gui.turns.add(partial(self.happened.emit, event))

    def _start(self, coroutine: Any) -> None:
        if not self._thread.running:
            coroutine.close()
            return
        self._thread.submit(coroutine).add_done_callback(_raise_in_log)

    async def _decide(self, decision: Decision) -> None:
        if not self._engine.decide(decision):
            self._emitted.emit(EditRefused(decision.proposal_id, "This action was decided before."))

    async def _configure(self, backend: Backend | None, options: EngineOptions | None) -> None:
        self._engine.configure(backend=backend, options=options)

    async def _make(
        self,
        host: Host,
        backend: Backend,
        journal: Journal,
        answers: AnswerParser,
        options: EngineOptions,
        grants: Grants | None,
    ) -> Engine:
        return Engine(host, backend, self._emit, journal=journal, answers=answers, options=options, grants=grants)

    def _emit(self, event: Event) -> None:
        if self._observe is not None:
            self._observe(event)
        self._emitted.emit(event)


def _raise_in_log(future: Future[Any]) -> None:
    """A fault of ours in the engine thread reaches the exception hook instead of vanishing in a future."""
    error = None if future.cancelled() else future.exception()
    if error is not None:
        sys.excepthook(type(error), error, error.__traceback__)
