"""Speech output: the real engine makes the sound; it stops at once, and never breaks the program."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from voice_kit import WAIT_S, FakeSound

from app.qtbridge.listening import ListeningState
from app.qtbridge.speaking import SpeakingController
from app.voice import speech as speech_module
from app.voice.endpointing import what_is_heard
from app.voice.errors import VoiceError
from app.voice.portaudio import PortAudio
from app.voice.speech import NO_ENGINE, SpeechMode, SpeechOutput, SpeechSettings, engine_voices
from app.voice.types import SAMPLE_RATE_HZ


@pytest.fixture
def sound() -> FakeSound:
    return FakeSound()


@pytest.fixture
def speech(sound: FakeSound) -> Iterator[SpeechOutput]:
    speech = SpeechOutput(sound, SpeechSettings("all"))
    yield speech
    speech.close()


def wait_quiet(speech: SpeechOutput) -> None:
    deadline = time.monotonic() + WAIT_S
    while speech.is_speaking:
        assert time.monotonic() < deadline, "it never became quiet"
        threading.Event().wait(0.005)


def test_what_is_spoken_is_speech(speech: SpeechOutput, sound: FakeSound, capsys: pytest.CaptureFixture[str]) -> None:
    speech.say("Status is Accepted, and it was saved.")
    assert sound.played.acquire(timeout=WAIT_S)
    playback = sound.playbacks[0]
    assert playback.rate_hz == SAMPLE_RATE_HZ
    assert what_is_heard(playback.samples)[0] == "speech"
    assert capsys.readouterr().out == "", "standard output belongs to the command line"
    playback.close()
    wait_quiet(speech)
    assert speech.problem == ""


def test_stop_ends_what_sounds_and_forgets_what_waits(speech: SpeechOutput, sound: FakeSound) -> None:
    for text in ("One.", "Two.", "Three."):
        speech.say(text)
    assert sound.played.acquire(timeout=WAIT_S)
    assert speech.stop()
    assert sound.playbacks[0].closed.wait(WAIT_S), "it ends in no other way"
    wait_quiet(speech)
    assert len(sound.playbacks) == 1
    assert not speech.stop(), "there is nothing left to silence"
    speech.say("Four.")
    assert sound.played.acquire(timeout=WAIT_S)


@pytest.mark.parametrize(("mode", "spoken"), [("off", 0), ("errors", 1), ("all", 2)])
def test_modes(speech: SpeechOutput, sound: FakeSound, mode: SpeechMode, spoken: int) -> None:
    speech.configure(SpeechSettings(mode))
    speech.say("Saved.")
    speech.say("That can't be done.", is_error=True)
    for _ in range(spoken):
        assert sound.played.acquire(timeout=WAIT_S)
        sound.playbacks[-1].close()
    wait_quiet(speech)
    assert len(sound.playbacks) == spoken


def test_rate_volume_and_voice_change_the_sound(speech: SpeechOutput, sound: FakeSound) -> None:
    voices = dict(engine_voices())
    german = next(name for name in voices if name.endswith("/de"))
    for settings in (
        SpeechSettings("all", rate_wpm=150),
        SpeechSettings("all", rate_wpm=300),
        SpeechSettings("all", rate_wpm=300, volume=0.2),
        SpeechSettings("all", rate_wpm=300, volume=0.2, voice=german),
    ):
        speech.configure(settings)
        speech.say("The status is accepted.")
        assert sound.played.acquire(timeout=WAIT_S)
        sound.playbacks[-1].close()
        wait_quiet(speech)
    slow, fast, quiet, other = (playback.samples for playback in sound.playbacks)
    assert len(slow) > 1.4 * len(fast)
    assert abs(quiet).max() < 0.5 * abs(fast).max()
    assert len(other) != len(quiet)


@pytest.mark.parametrize("error", [RuntimeError("no eSpeak"), OSError("no library"), ImportError("comtypes")])
def test_no_speech_engine_is_said_once_and_raises_nothing(
    sound: FakeSound, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fail() -> Any:
        raise error

    monkeypatch.setattr(speech_module, "_make_engine", fail)
    problems: queue.Queue[str] = queue.Queue()
    speech = SpeechOutput(sound, SpeechSettings("all"), on_problem=problems.put)
    speech.say("One.")
    speech.say("Two.")
    assert problems.get(timeout=WAIT_S).startswith(NO_ENGINE)
    wait_quiet(speech)
    assert problems.empty()
    speech.close()
    with pytest.raises(VoiceError, match="espeak-ng"):
        engine_voices()


def test_no_loudspeaker_is_said_and_shutdown_is_quick() -> None:
    """Headless machines have no sound card; PortAudio itself says so here."""
    sound = PortAudio()
    if sound.input_devices():
        pytest.skip("this machine has a sound card")
    speech = SpeechOutput(sound, SpeechSettings("all"))
    speech.say("One.")
    wait_quiet(speech)
    assert speech.problem.startswith("No loudspeaker was found")
    speech.close()


def test_nothing_is_spoken_into_an_open_microphone(qtbot: QtBot, sound: FakeSound) -> None:
    speaking = SpeakingController(sound, SpeechSettings("all"))
    speaking.say("Status is Accepted.")
    assert sound.played.acquire(timeout=WAIT_S)
    speaking.on_listening_state(ListeningState("listening"))
    assert speaking.hush()
    speaking.say("Saved.")
    qtbot.waitUntil(lambda: not speaking.hush())
    speaking.on_listening_state(ListeningState("idle"))
    speaking.say("Undone.")
    assert sound.played.acquire(timeout=WAIT_S)
    assert len(sound.playbacks) == 2
    speaking.shutdown()
