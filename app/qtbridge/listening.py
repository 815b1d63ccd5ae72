"""From a key press to a transcript: owns the recorder and the transcription thread, and tells both as Qt signals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.voice.cue import CuePlayer
from app.voice.recorder import Recorder
from app.voice.second_look import Expectation
from app.voice.sound_system import SoundSystem
from app.voice.types import Heard, Recording, Transcript
from app.voice.worker import Recogniser, TranscriptionWorker

PARTIAL_EVERY_MS = 300
PARTIAL_UP_TO_S = 120.0
"""Longer recordings get no partial transcripts: finding the speech in them takes longer each time."""

Activity: TypeAlias = Literal["idle", "listening", "transcribing", "unavailable"]

_QUICK_TAP_S = 0.8
"""Pre-roll and release tail alone make half a second."""


@dataclass(frozen=True, slots=True)
class ListeningState:
    """What the voice is doing, and why not where it can't.

    Attributes:
        reason: Where `activity` is `unavailable`: what is missing and how to get it. Pressing tries again.
    """

    activity: Activity
    reason: str = ""


@dataclass(frozen=True, slots=True)
class NothingHeard:
    """A recording without speech: what there was instead, and a sentence for the person."""

    heard: Heard
    sentence: str


@dataclass(frozen=True, slots=True)
class _Failure:
    token: int
    message: str


@dataclass(frozen=True, slots=True)
class _Recorded:
    token: int
    recording: Recording
    problem: str


@dataclass(frozen=True, slots=True)
class _Heard:
    token: int
    transcript: Transcript


class ListeningController(QObject):
    """The voice as one Qt object on the GUI thread. None of its methods waits, except `shutdown`.

    Signals:
        state_changed: `ListeningState`; only when it differs from the last.
        level_changed: RMS between 0 and 1, about 20 times a second while listening.
        partial_heard: Text heard so far, while the key is held. Never the final answer.
        utterance_transcribed: `Transcript` with speech in it.
        nothing_heard: `NothingHeard`.
        cancelled: What was being recorded or transcribed was thrown away.
        failed: A sentence: this recording could not be made or recognised.
        ready: The speech model is loaded.
        microphone_opened: A microphone is open; the list of microphones may be another one since.
    """

    state_changed = Signal(object)
    level_changed = Signal(float)
    partial_heard = Signal(str)
    utterance_transcribed = Signal(object)
    nothing_heard = Signal(object)
    cancelled = Signal()
    failed = Signal(str)
    ready = Signal()
    microphone_opened = Signal()

    def __init__(
        self,
        sound: SoundSystem,
        make_recogniser: Callable[[], Recogniser],
        *,
        device: str = "",
        keep_warm: bool = True,
        partials: bool = True,
        hush: Callable[[], bool] | None = None,
        cue: bool = False,
        expectation: Expectation | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Starts the two threads; opens and loads nothing yet (`warm_up`).

        Args:
            sound: The sound devices.
            make_recogniser: Finds the speech model and gives a `Transcriber`; called in the transcription thread.
            device: Name of the microphone; an empty string takes the default one.
            keep_warm: Leave the microphone open between utterances, so that no first word is lost.
            partials: Recognise every 300 ms while the key is held.
            hush: Called at key-down; silences the program's own voice and says whether it was speaking, because
                then the moment before the key went down is not kept.
            expectation: Asked at key-down for the words that are likely, which help to hear what can't be done
                at first; a partial transcript is the final one only if it can be done.
            cue: Sound a tone at key-down and at key-up; it is taken out of what is recorded.
        """
        super().__init__(parent)
        self._state = ListeningState("idle")
        self._serial = 0
        self._oldest_wanted = 0
        self._held = False
        self._awaiting_recording = False
        self._transcribing = 0
        self._partial_asked = False
        self._model_missing = ""
        self._microphone_missing = ""
        self._expectation = expectation
        self._bias: tuple[str, ...] = ()
        self._partials = QTimer(self)
        self._partials.setInterval(PARTIAL_EVERY_MS)
        self._partials.timeout.connect(self._ask_partial)
        self._use_partials = partials
        self._hush = hush
        self._sound = sound
        self._cue: CuePlayer | None = None
        # A child of this object, so that what the two threads still tell can't outlive it.
        self._relay = _Relay(self)
        self._relay.opened.connect(self._on_opened)
        self._relay.level.connect(self._on_level)
        self._relay.recorded.connect(self._on_recorded)
        self._relay.microphone_missing.connect(self._on_microphone_missing)
        self._relay.model_answered.connect(self._on_model_answered)
        self._relay.partial.connect(self._on_partial)
        self._relay.heard.connect(self._on_heard)
        self._relay.failure.connect(self._on_failure)
        self._recorder = Recorder(self._relay, sound, device=device, keep_warm=keep_warm)
        is_clear = expectation.is_clear if expectation is not None else None
        self._worker = TranscriptionWorker(self._relay, make_recogniser, is_clear=is_clear)
        self.use_cue(wanted=cue)

    @property
    def state(self) -> ListeningState:
        """What it is doing now."""
        return self._state

    @Slot()
    def warm_up(self) -> None:
        """Loads the model and opens the microphone, in their threads: call it when the window has painted."""
        self._worker.warm_up()
        self._recorder.warm_up()

    def use_recogniser(self, make_recogniser: Callable[[], Recogniser]) -> None:
        """Takes another speech model or language from the next utterance on; loads it at once."""
        self._worker.use_recogniser(make_recogniser)

    def use_device(self, name: str) -> None:
        """Takes another microphone from the next utterance on."""
        self._recorder.use_device(name)

    def use_keep_warm(self, *, wanted: bool) -> None:
        """Leaves the microphone open between utterances from now on, or closes it."""
        self._recorder.use_keep_warm(wanted=wanted)

    @Slot()
    def look_for_devices(self) -> None:
        """Takes the microphone that is wanted, or the system's default, if it has come or changed since."""
        self._recorder.look_for_devices()

    def use_cue(self, *, wanted: bool) -> None:
        """Sounds a tone at key-down and at key-up from now on, or no more."""
        if wanted and self._cue is None:
            self._cue = CuePlayer(self._sound)
        elif not wanted and self._cue is not None:
            self._cue.close()
            self._cue = None

    @Slot()
    def press(self) -> None:
        """The key has gone down. Pressing while the last utterance is being transcribed is fine."""
        if self._held:
            return
        self._held = self._awaiting_recording = True
        self._look()
        self._serial += 1
        was_speaking = self._hush is not None and self._hush()
        self._recorder.start(self._serial, pre_roll=not was_speaking)
        if self._cue is not None:
            self._cue.play("begin")
        if self._use_partials:
            self._partials.start()
        self._show()

    @Slot()
    def release(self) -> None:
        """The key is up (or was lost): what was said goes to the recogniser."""
        if not self._held:
            return
        self._end_of_holding()
        self._recorder.stop()
        self._show()

    @Slot()
    def cancel(self) -> None:
        """Throws away what is being recorded or transcribed; nothing of it is told any more."""
        self._forget()
        self._recorder.cancel()
        self._worker.cancel(self._oldest_wanted)
        self._show()
        self.cancelled.emit()

    def feed_file(self, path: Path) -> None:
        """Hears a sound file as if it were spoken now."""
        self._serial += 1
        self._transcribing += 1
        self._look()
        self._worker.transcribe_file(self._serial, path, self._bias)
        self._show()

    def shutdown(self) -> None:
        """Ends both threads; a recording or transcription in progress is dropped, and nothing is told any more."""
        self._forget()
        self._recorder.close()
        self._worker.close()
        self.use_cue(wanted=False)

    def _look(self) -> None:
        if self._expectation is not None:
            self._bias = self._expectation.look()

    def _end_of_holding(self) -> None:
        self._held = False
        self._partials.stop()
        self._partial_asked = False

    def _forget(self) -> None:
        """Nothing that was asked for up to now is wanted any more."""
        self._end_of_holding()
        self._oldest_wanted = self._serial + 1
        self._awaiting_recording = False
        self._transcribing = 0

    def _show(self) -> None:
        missing = self._model_missing or self._microphone_missing
        if self._held:
            state = ListeningState("listening")
        elif self._awaiting_recording or self._transcribing:
            state = ListeningState("transcribing")
        elif missing:
            state = ListeningState("unavailable", missing)
        else:
            state = ListeningState("idle")
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)

    @Slot()
    def _ask_partial(self) -> None:
        recording = self._recorder.so_far()
        if self._partial_asked or self._transcribing or not 0 < recording.duration_s <= PARTIAL_UP_TO_S:
            return
        self._partial_asked = True
        self._worker.transcribe_partial(self._serial, recording, has_cue=self._cue is not None)

    @Slot()
    def _on_opened(self) -> None:
        self._microphone_missing = ""
        self._show()
        self.microphone_opened.emit()

    @Slot(float)
    def _on_level(self, level: float) -> None:
        if self._held:
            self.level_changed.emit(level)

    @Slot(object)
    def _on_recorded(self, recorded: _Recorded) -> None:
        if recorded.token < self._oldest_wanted:
            return
        if recorded.problem and self._held:
            # The device went while the key was down; there is nothing to hold any more.
            self._end_of_holding()
        self._awaiting_recording = self._held
        if self._cue is not None and not self._held:
            self._cue.play("end")  # Not at key-up: the release tail would record it.
        if recorded.problem:
            self.failed.emit(recorded.problem)
        if recorded.recording.duration_s:
            self._transcribing += 1
            has_cue = self._cue is not None
            self._worker.transcribe(recorded.token, recorded.recording, self._bias, has_cue=has_cue)
        self._show()

    @Slot(str)
    def _on_microphone_missing(self, message: str) -> None:
        self._microphone_missing = message
        if self._held or self._awaiting_recording:
            self._end_of_holding()
            self._awaiting_recording = False
            self.failed.emit(message)
        self._show()

    @Slot(str)
    def _on_model_answered(self, problem: str) -> None:
        self._model_missing = problem
        self._show()
        if not problem:
            self.ready.emit()

    @Slot(object)
    def _on_partial(self, heard: _Heard) -> None:
        self._partial_asked = False
        if self._held and heard.token == self._serial and heard.transcript.text:
            self.partial_heard.emit(heard.transcript.text)

    @Slot(object)
    def _on_heard(self, heard: _Heard) -> None:
        if heard.token < self._oldest_wanted:
            return
        self._model_missing = ""
        self._transcribing = max(0, self._transcribing - 1)
        self._show()
        transcript = heard.transcript
        if transcript.heard == "speech":
            self.utterance_transcribed.emit(transcript)
        else:
            self.nothing_heard.emit(NothingHeard(transcript.heard, _sentence(transcript)))

    @Slot(object)
    def _on_failure(self, failure: _Failure) -> None:
        if failure.token < self._oldest_wanted:
            return
        self._transcribing = max(0, self._transcribing - 1)
        self._show()
        self.failed.emit(failure.message)


class _Relay(QObject):
    """Carries what the two threads tell to the GUI thread: it is their listener, and lives on the GUI thread."""

    opened = Signal()
    level = Signal(float)
    recorded = Signal(object)
    microphone_missing = Signal(str)
    model_answered = Signal(str)
    partial = Signal(object)
    heard = Signal(object)
    failure = Signal(object)

    def microphone_opened(self) -> None:
        self.opened.emit()

    def recording_started(self) -> None:
        """The key going down says so already."""

    def level_measured(self, level: float) -> None:
        self.level.emit(level)

    def recording_finished(self, token: int, recording: Recording, problem: str) -> None:
        self.recorded.emit(_Recorded(token, recording, problem))

    def microphone_failed(self, message: str) -> None:
        self.microphone_missing.emit(message)

    def recogniser_ready(self) -> None:
        self.model_answered.emit("")

    def recogniser_failed(self, message: str) -> None:
        self.model_answered.emit(message)

    def partial_transcribed(self, token: int, transcript: Transcript) -> None:
        self.partial.emit(_Heard(token, transcript))

    def transcribed(self, token: int, transcript: Transcript) -> None:
        self.heard.emit(_Heard(token, transcript))

    def transcription_failed(self, token: int, message: str) -> None:
        self.failure.emit(_Failure(token, message))


def _sentence(transcript: Transcript) -> str:
    if transcript.heard == "muted":
        return "The microphone gives only silence. It may be muted: check its switch and the system's sound settings."
    if transcript.duration_s < _QUICK_TAP_S:
        return "That was too short. Hold the key while you speak."
    if transcript.heard == "silent":
        return "Nothing was loud enough to be speech. Speak nearer to the microphone, or choose another one."
    return "There was sound, but no speech in it."
