"""Sends what is heard where it belongs: into the field that is dictated into, or to the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut

from app.agent.messages import Utterance
from app.desk.dictation import Dictation
from app.desk.foresight import Foresight
from app.desk.outline import Outline
from app.panel.panel import AssistantPanel

if TYPE_CHECKING:  # both load the recorder, which the first paint does not wait for
    from app.desk.voice import VoiceDesk
    from app.qtbridge.listening import ListeningState


class SpokenWords(QObject):
    """Stands between the voice and everything that takes words.

    Args:
        panel: Shows whether there is dictation, and what came of a passage. Its window gets the key Esc, meanwhile.
    """

    for_engine = Signal(object)
    """An `Utterance` that is no dictation."""

    def __init__(self, panel: AssistantPanel, dictation: Dictation, foresight: Foresight, outline: Outline) -> None:
        super().__init__(panel)
        self._dictation = dictation
        self._foresight = foresight
        self._outline = outline
        self._escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), panel.window())
        self._escape.setEnabled(False)
        self._escape.activated.connect(dictation.end)
        panel.cancel_requested.connect(dictation.end)
        dictation.changed.connect(self._on_dictation)
        dictation.changed.connect(panel.set_dictating)
        dictation.told.connect(panel.show_notice)
        foresight.found.connect(outline.foresee)

    def listen_to(self, voice: VoiceDesk) -> None:
        """Takes what this voice hears from now on."""
        voice.utterance_heard.connect(self._on_heard)
        voice.listening.partial_heard.connect(self._on_partial)
        voice.listening.state_changed.connect(self._on_state)
        voice.listening.nothing_heard.connect(self._on_nothing)
        voice.listening.failed.connect(self._on_nothing)
        voice.listening.cancelled.connect(self._on_nothing)
        voice.key.escaped.connect(self._dictation.end)

    @Slot(object)
    def _on_heard(self, utterance: Utterance) -> None:
        if self._dictation.active:
            self._dictation.take(utterance)
        else:
            self.for_engine.emit(utterance)

    @Slot(str)
    def _on_partial(self, heard: str) -> None:
        if self._dictation.active:
            self._dictation.show_partial(heard)
        else:
            self._foresight.consider(heard)

    @Slot(object)
    def _on_state(self, state: ListeningState) -> None:
        if state.activity == "listening":
            self._dictation.check()
            self._foresight.begin()
        else:
            self._foresight.end()
        if state.activity in ("idle", "unavailable"):
            # The words, if there were any, follow: what becomes of them is outlined by then.
            self._dictation.show_partial("")

    @Slot()
    @Slot(object)
    def _on_nothing(self, _what: object = None) -> None:
        self._outline.foresee("")

    @Slot(str)
    def _on_dictation(self, label: str) -> None:
        self._escape.setEnabled(bool(label))
