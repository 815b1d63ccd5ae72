"""Opens the window at once and brings the rest of the program behind it, while the window answers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.desk import preload
from app.desk.first_paint import AfterFirstPaint
from app.desk.options import DeskOptions
from app.desk.quiet_collections import QuietCollections
from app.desk.shell import Shell
from app.pages.background import Background
from app.settings.first_look import first_look
from app.voice.recogniser_process import RecogniserProcess

if TYPE_CHECKING:
    from app.desk.assembly import Desk
    from app.desk.foundations import Foundations

_log = logging.getLogger("greenroom")

_GROUND = "ground"
_VOICE = "voice"


class Startup(QObject):
    """One start of the program: the window is painted, then the page appears in it, then it listens.

    A page that is chosen meanwhile is the one that appears; what is sent to the assistant is answered once it is there;
    who holds the button down by then is listened to.

    Signals:
        page_made: The first page is in its place; nobody listens yet.
        started: The desk is complete: voice and backends are being made ready in their threads.
        failed: A sentence: the program can't start.
    """

    page_made = Signal()
    started = Signal()
    failed = Signal(str)

    def __init__(self, options: DeskOptions) -> None:
        """Makes the window. `show` shows it, and begins with the rest after the first paint."""
        super().__init__()
        self.shell = Shell(first_look())
        self.desk: Desk | None = None
        self._collections = QuietCollections(lambda: self.shell.panel.busy, self)
        self._options = options
        self._closed = False
        self._foundations: Foundations | None = None
        self._recogniser = RecogniserProcess()
        self._sent: list[str] = []
        self._left: list[str] = []
        self._then: Callable[[], None] = self._make_desk
        self._turn = QTimer(self)
        self._turn.timeout.connect(self._import_one)
        self._background = Background(self)
        self._background.done.connect(self._on_done)
        self.shell.panel.set_listening("starting")
        self.shell.panel.text_submitted.connect(self._keep)

    def show(self) -> None:
        """Shows the window; returns before it is painted."""
        window = self.shell.window
        window.show()
        # Nothing has the focus yet, not even the navigation, so that the first page can tell whether somebody came by.
        window.setFocus()
        AfterFirstPaint(window, lambda: self._background.start(_GROUND, self._lay_foundations))

    def close(self) -> None:
        """Ends what is under way, and the desk. Once is enough."""
        if self._closed:
            return
        self._closed = True
        self._turn.stop()
        self._collections.close()
        self._background.finish()
        if self.desk is not None:
            self.desk.close()
            return
        self._recogniser.close()
        if self._foundations is not None:
            self._foundations.database.close()
        self.shell.window.close()
        self.shell.window.deleteLater()

    def _lay_foundations(self) -> Foundations | Exception:
        self._recogniser.start()  # It imports what it needs beside this process, on another core.
        from app.desk.settings_found import find_settings
        from app.desk.speech_models import load_ahead

        try:
            found = find_settings(self._options)
            load_ahead(self._recogniser, found.settings.voice)
            preload.import_all(preload.WITHOUT_QT)
            from app.desk.foundations import lay_foundations

            self._foundations = lay_foundations(self._options, found)
        except Exception as error:  # noqa: BLE001 - the GUI thread tells which it is
            return error
        return self._foundations

    @Slot(str, object)
    def _on_done(self, name: str, found: object) -> None:
        if self._closed:
            return
        if isinstance(found, Exception):
            self._fail(found)
        elif name == _GROUND:
            self._import(preload.WITH_QT, self._make_desk)
        else:
            self._import(preload.VOICE_WITH_QT, self._start_desk)

    def _import(self, names: tuple[str, ...], then: Callable[[], None]) -> None:
        """Imports one module in each turn of the event loop, and goes on after the last."""
        self._left, self._then = list(names), then
        self._turn.start(0)

    @Slot()
    def _import_one(self) -> None:
        try:
            if self._left:
                preload.import_all((self._left.pop(0),))
                return
            self._turn.stop()
            self._then()
        except Exception as error:  # noqa: BLE001 - else an empty window would stay on the screen
            self._turn.stop()
            self._fail(error)

    def _make_desk(self) -> None:
        from app.desk.assembly import Desk

        self.desk = Desk(self._options, shell=self.shell, foundations=self._foundations, recogniser=self._recogniser)
        # What is sent before it has started waits in line, behind what was sent earlier.
        self.shell.panel.text_submitted.disconnect(self.desk.bridge.submit_text)
        self.page_made.emit()
        AfterFirstPaint(self.desk.window, lambda: self._background.start(_VOICE, self._import_voice))

    def _import_voice(self) -> None:
        preload.import_all(preload.VOICE_WITHOUT_QT)

    def _start_desk(self) -> None:
        desk = self.desk
        if desk is None:
            return
        self.shell.panel.set_listening("idle")
        desk.start()
        self.shell.panel.text_submitted.disconnect(self._keep)
        self.shell.panel.text_submitted.connect(desk.bridge.submit_text)
        for text in self._sent:
            desk.bridge.submit_text(text)
        if self.shell.panel.input.talk.isDown():
            desk.voice.listening.press()
        self.shell.panel.conversation.prepare_cards(lambda: self.shell.panel.busy)
        self._collections.begin()
        desk.bridge.happened.connect(self._collections.put_off)
        desk.voice.listening.state_changed.connect(self._collections.put_off)
        self.started.emit()

    @Slot(str)
    def _keep(self, text: str) -> None:
        self._sent.append(text)

    def _fail(self, error: Exception) -> None:
        from app.store.errors import StoreError

        if not isinstance(error, StoreError):
            _log.error("the program can't start", exc_info=error)
        self.failed.emit(str(error) or type(error).__name__)
