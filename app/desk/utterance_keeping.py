"""Keeps utterances while the settings name a folder for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.agent.events import Event
from app.agent.messages import Utterance
from app.agent.registry import Registry
from app.qtbridge.engine_bridge import EngineBridge
from app.settings import VoiceSettings
from app.voice.keeping import HeardRecording, KeepingRecogniser, RecentRecordings
from app.voice.types import HeardHypothesis
from app.voice.worker import Recogniser

if TYPE_CHECKING:
    from app.desk.utterance_log import UtteranceLog


class UtteranceKeeping(QObject):
    """Owns the log of utterances; lives on the GUI thread."""

    def __init__(self, registry: Registry, bridge: EngineBridge, parent: QObject | None = None) -> None:
        """Keeps nothing until `configure` says where."""
        super().__init__(parent)
        self._registry = registry
        self._recordings = RecentRecordings(wanted=False)
        self._log: UtteranceLog | None = None
        self._where = ("", "")
        bridge.happened.connect(self._take)

    def recogniser(self, make: Callable[[], Recogniser]) -> Callable[[], Recogniser]:
        """The same recogniser, with the sound of what it hears at hand."""
        recordings = self._recordings
        return lambda: KeepingRecogniser(make(), recordings)

    def configure(self, settings: VoiceSettings) -> None:
        """Takes new settings; an utterance under way is still kept where it began."""
        where = (settings.keep_utterances, settings.model)
        if where == self._where:
            return
        self.close()
        self._where = where
        folder, model = where
        self._recordings.wanted = bool(folder)
        if folder:
            # Imported late: few want it, and it brings the models of what is stored.
            from app.desk.utterance_log import UtteranceLog

            self._log = UtteranceLog(
                Path(folder).expanduser(),
                snapshot=self._registry.snapshot,
                recording_of=self._recording_of,
                speech_model=model,
            )

    def close(self) -> None:
        """Writes what is still open. Nothing more is kept."""
        if self._log is not None:
            self._log.close()
            self._log = None

    def _recording_of(self, utterance: Utterance) -> HeardRecording | None:
        return self._recordings.of([HeardHypothesis(each.text, each.log_probability) for each in utterance.hypotheses])

    @Slot(object)
    def _take(self, event: Event) -> None:
        if self._log is not None:
            self._log.take(event)
