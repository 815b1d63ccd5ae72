"""The listening controller: whatever happens to the key, the device or the recogniser, it ends where it should."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot
from voice_kit import AUDIO, WAIT_S, FakeSound, FakeStream, silence, tone, transcript

from app.qtbridge.listening import ListeningController, ListeningState, NothingHeard
from app.voice.errors import ModelMissingError, TranscriptionError
from app.voice.recorder import GONE
from app.voice.types import Recording, Transcript


@dataclass
class SlowRecogniser:
    """Stands for the model where a test has to stop it in the middle of its work, or have it fail."""

    outcomes: list[Transcript | Exception] = field(default_factory=list)
    may_finish: threading.Event = field(default_factory=threading.Event)
    working: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    seen: list[Recording] = field(default_factory=list)
    bias: tuple[str, ...] = ()
    interrupted: int = 0
    finishes_when_interrupted: bool = False
    closed: bool = False

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        """Nothing to load."""

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        self.seen.append(recording)
        self.bias = bias
        self.working.release()
        self.may_finish.wait(WAIT_S)
        outcome = self.outcomes.pop(0) if self.outcomes else transcript("save")
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def interrupt(self) -> None:
        self.interrupted += 1
        if self.finishes_when_interrupted:
            self.may_finish.set()

    def close(self) -> None:
        self.closed = True

    def wait_working(self) -> None:
        assert self.working.acquire(timeout=WAIT_S), "nothing was given to the recogniser"


@dataclass
class Told:
    """All that the controller told, in order."""

    states: list[ListeningState] = field(default_factory=list)
    heard: list[Transcript] = field(default_factory=list)
    nothing: list[NothingHeard] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    partials: list[str] = field(default_factory=list)

    @property
    def activities(self) -> list[str]:
        return [state.activity for state in self.states]


@pytest.fixture
def sound() -> FakeSound:
    return FakeSound()


@pytest.fixture
def recogniser() -> SlowRecogniser:
    recogniser = SlowRecogniser()
    recogniser.may_finish.set()
    return recogniser


@pytest.fixture
def controller(
    qtbot: QtBot,  # noqa: ARG001 - an application has to be there
    sound: FakeSound,
    recogniser: SlowRecogniser,
) -> Iterator[ListeningController]:
    controller = ListeningController(sound, lambda: recogniser, partials=False)
    yield controller
    recogniser.may_finish.set()
    controller.shutdown()


@pytest.fixture
def told(controller: ListeningController) -> Told:
    told = Told()
    controller.state_changed.connect(told.states.append)
    controller.utterance_transcribed.connect(told.heard.append)
    controller.nothing_heard.connect(told.nothing.append)
    controller.failed.connect(told.failed.append)
    controller.partial_heard.connect(told.partials.append)
    return told


@pytest.fixture
def stream(controller: ListeningController, sound: FakeSound) -> FakeStream:
    """The warm microphone."""
    controller.warm_up()
    return sound.wait_open()


def speak(controller: ListeningController, stream: FakeStream) -> None:
    controller.press()
    stream.deliver(tone(0.5, 48_000))
    controller.release()
    stream.deliver(tone(0.5, 48_000))


def idle(controller: ListeningController) -> bool:
    return controller.state == ListeningState("idle")


def test_press_speak_release(
    qtbot: QtBot, controller: ListeningController, stream: FakeStream, told: Told, recogniser: SlowRecogniser
) -> None:
    with qtbot.waitSignal(controller.level_changed):
        controller.press()
        stream.deliver(tone(0.5, 48_000))
    controller.release()
    stream.deliver(tone(0.5, 48_000))
    qtbot.waitUntil(lambda: bool(told.heard))
    assert [each.text for each in told.heard] == ["save"]
    assert told.activities == ["listening", "transcribing", "idle"]
    assert recogniser.seen[0].duration_s >= 0.7


@pytest.mark.parametrize("heard", ["muted", "silent", "no_speech"])
def test_muted_silent_and_no_speech_each_have_a_sentence(
    qtbot: QtBot,
    controller: ListeningController,
    stream: FakeStream,
    told: Told,
    recogniser: SlowRecogniser,
    heard: str,
) -> None:
    recogniser.outcomes = [transcript("", heard, 2.0)]
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(told.nothing))
    assert told.nothing[0].heard == heard
    assert told.nothing[0].sentence.endswith(".")
    assert not told.heard
    assert idle(controller)


def test_quick_tap_is_told_to_hold(
    qtbot: QtBot, controller: ListeningController, stream: FakeStream, told: Told, recogniser: SlowRecogniser
) -> None:
    recogniser.outcomes = [transcript("", "silent", 0.5)]
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(told.nothing))
    assert "Hold the key" in told.nothing[0].sentence


@pytest.mark.parametrize("error", [TranscriptionError("The model failed."), ZeroDivisionError("a fault")])
def test_a_worker_that_raises_after_stop_does_not_stay_transcribing(
    qtbot: QtBot,
    controller: ListeningController,
    stream: FakeStream,
    told: Told,
    recogniser: SlowRecogniser,
    error: Exception,
) -> None:
    recogniser.outcomes = [error]
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(told.failed))
    assert idle(controller)
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(told.heard))


def test_cancel_while_recording(
    qtbot: QtBot, controller: ListeningController, stream: FakeStream, told: Told, recogniser: SlowRecogniser
) -> None:
    controller.press()
    stream.deliver(tone(0.5, 48_000))
    controller.cancel()
    assert idle(controller)
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(told.heard))
    assert len(recogniser.seen) == 1


def test_cancel_while_transcribing_frees_the_key_at_once(
    qtbot: QtBot, controller: ListeningController, stream: FakeStream, told: Told, recogniser: SlowRecogniser
) -> None:
    recogniser.may_finish.clear()
    recogniser.outcomes = [transcript("delete everything"), transcript("save")]
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(recogniser.seen))
    controller.cancel()
    assert idle(controller)
    assert recogniser.interrupted
    speak(controller, stream)
    recogniser.may_finish.set()
    qtbot.waitUntil(lambda: bool(told.heard))
    assert [each.text for each in told.heard] == ["save"], "the cancelled one is never told"


def test_press_while_the_last_one_is_transcribed(
    qtbot: QtBot, controller: ListeningController, stream: FakeStream, told: Told, recogniser: SlowRecogniser
) -> None:
    recogniser.may_finish.clear()
    recogniser.outcomes = [transcript("first"), transcript("second")]
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(recogniser.seen))
    controller.press()
    assert controller.state.activity == "listening"
    stream.deliver(tone(0.5, 48_000))
    recogniser.may_finish.set()
    qtbot.waitUntil(lambda: len(told.heard) == 1)
    assert controller.state.activity == "listening"
    controller.release()
    stream.deliver(tone(0.5, 48_000))
    qtbot.waitUntil(lambda: len(told.heard) == 2)
    assert [each.text for each in told.heard] == ["first", "second"]


def test_ten_presses_a_second_end_idle(
    qtbot: QtBot, controller: ListeningController, stream: FakeStream, told: Told
) -> None:
    for _ in range(10):
        controller.press()
        controller.press()
        stream.deliver(tone(0.05, 48_000))
        controller.release()
        controller.release()
        stream.deliver(tone(0.05, 48_000))
    stream.deliver(tone(0.5, 48_000))
    qtbot.waitUntil(lambda: bool(told.heard) and idle(controller))


def test_unplugged_while_the_key_is_down(
    qtbot: QtBot, controller: ListeningController, stream: FakeStream, told: Told
) -> None:
    controller.press()
    stream.deliver(tone(0.5, 48_000))
    stream.is_active = False
    qtbot.waitUntil(lambda: bool(told.heard))
    assert told.failed == [GONE]
    assert idle(controller)
    controller.release()
    assert idle(controller)


def test_no_microphone_is_said_and_asked_for_again(
    qtbot: QtBot, controller: ListeningController, sound: FakeSound, told: Told
) -> None:
    sound.refusal = "No microphone was found."
    controller.warm_up()
    qtbot.waitUntil(lambda: controller.state == ListeningState("unavailable", "No microphone was found."))
    assert not told.failed, "nobody has asked to speak yet"
    controller.press()
    qtbot.waitUntil(lambda: told.failed == ["No microphone was found."])
    assert controller.state.activity == "unavailable"
    controller.release()
    sound.refusal = ""
    controller.press()
    stream = sound.wait_open()
    stream.deliver(tone(0.5, 48_000))
    controller.release()
    stream.deliver(tone(0.5, 48_000))
    qtbot.waitUntil(lambda: bool(told.heard) and idle(controller))


def test_a_missing_model_is_said_and_found_once_it_is_there(
    qtbot: QtBot, sound: FakeSound, recogniser: SlowRecogniser
) -> None:
    missing = True

    def find() -> SlowRecogniser:
        if missing:
            raise ModelMissingError("The speech model is not on this machine.")
        return recogniser

    controller = ListeningController(sound, find, partials=False)
    failed: list[str] = []
    heard: list[Transcript] = []
    controller.failed.connect(failed.append)
    controller.utterance_transcribed.connect(heard.append)
    controller.warm_up()
    qtbot.waitUntil(lambda: controller.state.activity == "unavailable")
    assert controller.state.reason == "The speech model is not on this machine."
    stream = sound.wait_open()
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(failed))
    missing = False
    speak(controller, stream)
    qtbot.waitUntil(lambda: bool(heard) and idle(controller))
    controller.shutdown()


def test_partials_while_held_are_no_utterance(qtbot: QtBot, sound: FakeSound, recogniser: SlowRecogniser) -> None:
    recogniser.outcomes = [transcript("set the"), transcript("set the status")]
    controller = ListeningController(sound, lambda: recogniser)
    told = Told()
    controller.partial_heard.connect(told.partials.append)
    controller.utterance_transcribed.connect(told.heard.append)
    controller.press()
    stream = sound.wait_open()
    stream.deliver(tone(1.0, 48_000))
    qtbot.waitUntil(lambda: len(told.partials) >= 2)
    assert told.partials[:2] == ["set the", "set the status"]
    assert not told.heard
    controller.cancel()
    controller.shutdown()


def test_the_program_s_own_voice_is_silenced_and_not_kept(
    qtbot: QtBot, sound: FakeSound, recogniser: SlowRecogniser
) -> None:
    hushed: list[bool] = []

    def hush() -> bool:
        hushed.append(True)
        return True

    controller = ListeningController(sound, lambda: recogniser, partials=False, hush=hush)
    controller.warm_up()
    stream = sound.wait_open()
    stream.deliver(tone(0.3, 48_000))
    with qtbot.waitSignal(controller.utterance_transcribed):
        controller.press()
        stream.deliver(silence(1.5)[:24_000])
        controller.release()
        stream.deliver(silence(1.5)[:24_000])
    assert hushed == [True]
    controller.shutdown()


def test_a_file_is_heard_as_if_it_were_spoken(
    qtbot: QtBot, controller: ListeningController, told: Told, recogniser: SlowRecogniser, tmp_path: Path
) -> None:
    with qtbot.waitSignal(controller.utterance_transcribed):
        controller.feed_file(AUDIO / "save-joe.flac")
    assert recogniser.seen[0].duration_s == pytest.approx(0.46, abs=0.01)
    with qtbot.waitSignal(controller.failed):
        controller.feed_file(tmp_path / "missing.wav")
    assert told.failed[0].startswith("There is no file")
    assert idle(controller)


@pytest.mark.parametrize("when", ["recording", "transcribing", "warming up"])
def test_shutdown_while(when: str, qtbot: QtBot, sound: FakeSound, recogniser: SlowRecogniser) -> None:
    controller = ListeningController(sound, lambda: recogniser)
    heard: list[Transcript] = []
    controller.utterance_transcribed.connect(heard.append)
    controller.warm_up()
    if when != "warming up":
        stream = sound.wait_open()
        controller.press()
        stream.deliver(tone(0.5, 48_000))
    if when == "transcribing":
        recogniser.may_finish.clear()
        controller.release()
        stream.deliver(tone(0.5, 48_000))
        qtbot.waitUntil(lambda: bool(recogniser.seen))
        recogniser.finishes_when_interrupted = True
    controller.shutdown()
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("greenroom-")]
    QCoreApplication.processEvents()
    assert not heard
