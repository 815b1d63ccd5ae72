"""Joins the voice to the panel: push-to-talk, level, what was heard, and what is spoken."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from app.agent.messages import Utterance
from app.desk.heard import utterance_of
from app.desk.models_command import model_manager
from app.desk.recogniser import hearing_twice, recogniser_of
from app.pages.setting_row import Listings
from app.panel.panel import AssistantPanel
from app.qtbridge.listening import ListeningController, ListeningState, NothingHeard
from app.qtbridge.model_work import ModelWork, ModelWorkEnded
from app.qtbridge.push_to_talk import PushToTalk
from app.qtbridge.speaking import SpeakingController
from app.settings import VoiceSettings
from app.voice.errors import VoiceError
from app.voice.models import available_models, find_model
from app.voice.portaudio import PortAudio
from app.voice.recogniser_process import RecogniserProcess
from app.voice.second_look import Expectation
from app.voice.sound_system import SoundSystem
from app.voice.speech import SpeechSettings, engine_voices
from app.voice.types import Transcript
from app.voice.worker import Recogniser

RecogniserMaker: TypeAlias = Callable[[], Recogniser]


class VoiceDesk(QObject):
    """Owns listening and speaking.

    Signals:
        utterance_transcribed: An utterance's id and the milliseconds its transcription took; just before:
        utterance_heard: An `Utterance` for the engine.
    """

    utterance_transcribed = Signal(str, float)
    utterance_heard = Signal(object)

    def __init__(
        self,
        settings: VoiceSettings,
        window: QMainWindow,
        panel: AssistantPanel,
        sound: SoundSystem | None = None,
        *,
        listen_in: Callable[[RecogniserMaker], RecogniserMaker] = lambda make: make,
        expectation: Expectation | None = None,
        process: RecogniserProcess | None = None,
    ) -> None:
        """Starts the threads; opens and loads nothing yet.

        Args:
            listen_in: Gives a recogniser that tells what it hears to somebody else, too.
            expectation: What can be done on the screen: what can't be is heard a second time.
            process: The recogniser's, where it was started ahead.
        """
        super().__init__(window)
        self._panel = panel
        self._sound = sound or PortAudio()
        self._settings = settings
        self._listen_in = listen_in
        self._expectation = expectation
        self.speaking = SpeakingController(self._sound, speech_settings(settings), self)
        self.listening = ListeningController(
            self._sound,
            listen_in(self._recogniser_of(settings, process)),
            device=settings.device,
            keep_warm=settings.keep_warm,
            hush=self.speaking.hush,
            cue=settings.cue,
            expectation=expectation,
            parent=self,
        )
        self.models = ModelWork(model_manager(), self)
        self.models.ended.connect(self._on_model_work_ended)
        self.key = PushToTalk(self.listening, window, key=settings.push_to_talk_key, mode=settings.push_to_talk_mode)
        listening = self.listening
        listening.state_changed.connect(self._on_state)
        listening.state_changed.connect(self.speaking.on_listening_state)
        listening.level_changed.connect(panel.set_level)
        listening.partial_heard.connect(panel.show_partial)
        listening.utterance_transcribed.connect(self._on_transcribed)
        listening.nothing_heard.connect(self._on_nothing_heard)
        listening.failed.connect(self._on_failed)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication) and self._sound.devices_changed() is None:
            # Only listing the devices again tells what is new; who has been in the system's settings comes back here.
            application.applicationStateChanged.connect(self._on_application_state)
        panel.push_to_talk_pressed.connect(listening.press)
        panel.push_to_talk_released.connect(listening.release)
        panel.cancel_requested.connect(listening.cancel)

    def start(self) -> None:
        """Loads the speech model and opens the microphone, in their own threads."""
        self.listening.warm_up()

    def say(self, text: str, *, is_error: bool = False) -> None:
        """Speaks, as far as the settings want it."""
        self.speaking.say(text, is_error=is_error)

    def configure(self, settings: VoiceSettings) -> None:
        """Takes new settings. Another model or language hears the next utterance; it is loaded at once."""
        before, self._settings = self._settings, settings
        if (settings.model, settings.language) != (before.model, before.language):
            self._use_model()
        self.speaking.configure(speech_settings(settings))
        if settings.keep_warm != before.keep_warm:
            self.listening.use_keep_warm(wanted=settings.keep_warm)
        self.listening.use_cue(wanted=settings.cue)
        self.listening.use_device(settings.device)
        self.key.use_key(settings.push_to_talk_key)
        self.key.use_mode(settings.push_to_talk_mode)
        self._panel.set_key_name(self.key.key_name)

    def listings(self) -> Listings:
        """What is on this machine, for the Settings page; each is asked for in a thread of its own."""
        return Listings(self._microphones, self._models, _voices)

    def _microphones(self) -> tuple[tuple[str, str], ...]:
        try:
            return tuple((device.name, device.name) for device in self._sound.input_devices())
        except VoiceError:
            return ()

    def _models(self) -> tuple[tuple[str, str], ...]:
        names = list(available_models())
        chosen = self._settings.model
        if chosen not in names and _is_here(chosen):
            names.append(chosen)
        return tuple((name, name) for name in names)

    def _use_model(self) -> None:
        self.listening.use_recogniser(self._listen_in(self._recogniser_of(self._settings)))

    def _recogniser_of(self, settings: VoiceSettings, process: RecogniserProcess | None = None) -> RecogniserMaker:
        make, expectation = recogniser_of(settings, process), self._expectation
        return make if expectation is None else lambda: hearing_twice(make(), expectation)

    def shutdown(self) -> None:
        """Ends all threads."""
        self.models.close()
        self.listening.shutdown()
        self.speaking.shutdown()

    @Slot(object)
    def _on_application_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.listening.look_for_devices()

    @Slot(object)
    def _on_state(self, state: ListeningState) -> None:
        self._panel.set_listening(state.activity, state.reason)
        if state.activity in ("idle", "unavailable"):
            self._panel.show_partial("")

    @Slot(object)
    def _on_transcribed(self, transcript: Transcript) -> None:
        utterance: Utterance | None = utterance_of(transcript)
        if utterance is not None:
            self.utterance_transcribed.emit(utterance.id, transcript.transcribe_ms)
            self.utterance_heard.emit(utterance)

    @Slot(object)
    def _on_nothing_heard(self, nothing: NothingHeard) -> None:
        self._panel.set_muted(nothing.heard == "muted")
        self._panel.show_notice(nothing.sentence)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._panel.show_notice(sentence, kind="error")

    @Slot(object)
    def _on_model_work_ended(self, ended: ModelWorkEnded) -> None:
        if ended.work != "getting":
            return
        # It took a while: the person may be on another page by now.
        self._panel.show_notice(ended.words, kind="information" if ended.ok else "error")
        if ended.ok and ended.name == self._settings.model:
            self._use_model()


def _is_here(model: str) -> bool:
    try:
        find_model(model)
    except VoiceError:
        return False
    return True


def _voices() -> tuple[tuple[str, str], ...]:
    try:
        return tuple((name, voice) for voice, name in engine_voices())
    except VoiceError:
        return ()


def speech_settings(settings: VoiceSettings) -> SpeechSettings:
    """The part of the settings that concerns speech output."""
    return SpeechSettings(settings.speech, settings.voice, settings.rate, settings.volume)
