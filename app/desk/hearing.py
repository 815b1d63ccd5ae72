"""From a sound file to a transcript."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, Slot

from app.qtbridge.listening import ListeningController, NothingHeard
from app.voice.types import Transcript


class FileEar(QObject):
    """Feeds sound files to the listening controller, as the microphone would, and waits for what it heard."""

    def __init__(self, listening: ListeningController) -> None:
        super().__init__()
        self._listening = listening
        self._loop = QEventLoop(self)
        self._heard: Transcript | NothingHeard | str = ""
        listening.utterance_transcribed.connect(self._end)
        listening.nothing_heard.connect(self._end)
        listening.failed.connect(self._end)

    def hear(self, file: Path) -> Transcript | NothingHeard | str:
        """What a sound file says; a text where it can't be used: the reason, and what to do."""
        self._listening.feed_file(file)
        self._loop.exec()
        return self._heard

    def close(self) -> None:
        """Stops listening to the controller."""
        for signal in (self._listening.utterance_transcribed, self._listening.nothing_heard, self._listening.failed):
            signal.disconnect(self._end)

    @Slot(object)
    def _end(self, heard: Transcript | NothingHeard | str) -> None:
        self._heard = heard
        self._loop.quit()
