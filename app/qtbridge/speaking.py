"""Speaks results, but never into an open microphone."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot

from app.qtbridge.listening import ListeningState
from app.voice.sound_system import SoundSystem
from app.voice.speech import SpeechOutput, SpeechSettings


class SpeakingController(QObject):
    """The speech output as a Qt object on the GUI thread.

    Give `hush` to the `ListeningController`, and connect its `state_changed` to `on_listening_state`.

    Signals:
        speech_failed: A sentence that says why nothing is spoken, and what to do.
    """

    speech_failed = Signal(str)

    def __init__(self, sound: SoundSystem, settings: SpeechSettings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._listening = False
        self._speech = SpeechOutput(sound, settings, on_problem=self.speech_failed.emit)

    def configure(self, settings: SpeechSettings) -> None:
        """Speaks so from the next thing on."""
        self._speech.configure(settings)

    @Slot(str)
    def say(self, text: str, *, is_error: bool = False) -> None:
        """Speaks, unless the mode doesn't want it or the microphone is listening."""
        if not self._listening:
            self._speech.say(text, is_error=is_error)

    def hush(self) -> bool:
        """Falls silent; returns whether the program was speaking."""
        return self._speech.stop()

    @Slot(object)
    def on_listening_state(self, state: ListeningState) -> None:
        """Speaks nothing while the microphone listens: it would be heard as a command."""
        self._listening = state.activity == "listening"

    def shutdown(self) -> None:
        """Falls silent and ends the thread."""
        self._speech.close()
