"""A real microphone path: PulseAudio, ALSA, PortAudio, the recorder, and the real speech model at its end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import jiwer
import numpy as np
import pytest
import soundfile
from pytestqt.qtbot import QtBot
from virtual_microphone import VirtualMicrophone, missing, virtual_microphone
from voice_kit import WAIT_S, joined, recording, silence

from app.qtbridge.listening import ListeningController, NothingHeard
from app.voice.doctor import check_voice
from app.voice.hypotheses import plain
from app.voice.portaudio import PortAudio
from app.voice.speech import SpeechOutput, SpeechSettings
from app.voice.transcriber import Transcriber
from app.voice.types import SAMPLE_RATE_HZ, Recording, Transcript

pytestmark = [pytest.mark.microphone, pytest.mark.skipif(bool(missing()), reason=missing() or "installed")]

SPOKEN = "set the status to accepted and save"
NOW_OR_NEVER = 4
"""Attempts at what a stall of the machine can spoil: what never works is broken."""
MOST_WORD_ERRORS = 0.2
"""Where the clip falls between two frames of the model changes a word now and then; a lost piece costs more."""


@pytest.fixture(scope="module")
def microphone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualMicrophone]:
    folder = tmp_path_factory.mktemp("pulse")
    folder.chmod(0o700)
    with virtual_microphone(folder) as microphone, pytest.MonkeyPatch.context() as patch:
        # PortAudio reads these when it starts, which it does for every first stream.
        for name in ("PULSE_SERVER", "ALSA_CONFIG_PATH"):
            patch.setenv(name, microphone.environment[name])
        yield microphone


class KeepingTranscriber:
    """The real recogniser, keeping what it was given."""

    def __init__(self, transcriber: Transcriber) -> None:
        self.transcriber = transcriber
        self.given: list[Recording] = []

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        self.transcriber.load()

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        self.given.append(recording)
        return self.transcriber.transcribe(recording, bias=bias)

    def interrupt(self) -> None:
        self.transcriber.interrupt()

    def close(self) -> None:
        """The fixture closes the model."""


@pytest.fixture
def keeping(transcriber: Transcriber) -> KeepingTranscriber:
    return KeepingTranscriber(transcriber)


@pytest.fixture
def sound() -> PortAudio:
    return PortAudio()


@pytest.fixture
def controller(
    qtbot: QtBot,
    microphone: VirtualMicrophone,  # noqa: ARG001 - it has to run
    keeping: KeepingTranscriber,
    sound: PortAudio,
) -> Iterator[ListeningController]:
    """Warm: the model is loaded and the stream delivers."""
    controller = ListeningController(sound, lambda: keeping, partials=False)
    controller.warm_up()
    nothing: list[NothingHeard] = []
    controller.nothing_heard.connect(nothing.append)
    controller.press()
    with qtbot.waitSignal(controller.level_changed):
        pass
    controller.release()
    qtbot.waitUntil(lambda: bool(nothing))
    keeping.given.clear()
    yield controller
    controller.shutdown()


def test_spoken_into_the_microphone_heard_by_the_model(
    qtbot: QtBot,
    controller: ListeningController,
    microphone: VirtualMicrophone,
    tmp_path: Path,
) -> None:
    file = tmp_path / "spoken.wav"
    soundfile.write(file, recording("accept-and-save-awb").samples, SAMPLE_RATE_HZ)
    controller.press()
    assert microphone.play(file).wait(20) == 0
    with qtbot.waitSignal(controller.utterance_transcribed) as heard:
        controller.release()
    assert heard.args is not None
    texts = [plain(each.text) for each in heard.args[0].hypotheses]
    assert min(jiwer.wer(SPOKEN, text) for text in texts) <= MOST_WORD_ERRORS, texts


def test_a_muted_microphone_is_said(qtbot: QtBot, controller: ListeningController) -> None:
    controller.press()
    with qtbot.waitSignal(controller.level_changed):
        pass
    with qtbot.waitSignal(controller.nothing_heard) as heard:
        controller.release()
    assert heard.args is not None
    assert heard.args[0].heard == "muted"


def test_what_is_kept_begins_before_key_down_and_ends_after_key_up(
    qtbot: QtBot,
    controller: ListeningController,
    microphone: VirtualMicrophone,
    keeping: KeepingTranscriber,
    tmp_path: Path,
) -> None:
    """A steady count of samples plays while the key goes down and comes up: the recording spans more than the hold."""
    file = tmp_path / "tone.wav"
    steady = np.tile(recording("count-joe").samples, 5)
    soundfile.write(file, steady, SAMPLE_RATE_HZ)
    playing = microphone.play(file)
    levels: list[float] = []
    controller.level_changed.connect(levels.append)
    controller.press()
    qtbot.waitUntil(lambda: any(level > 0.01 for level in levels))
    controller.cancel()
    missing_s = []
    for _ in range(NOW_OR_NEVER):
        levels.clear()
        started = time.monotonic()
        controller.press()
        qtbot.waitUntil(lambda: len(levels) >= 10)
        held_s = time.monotonic() - started
        with qtbot.waitSignals([controller.utterance_transcribed]):
            controller.release()
        missing_s.append(held_s + 0.2 - keeping.given[-1].duration_s)
        if missing_s[-1] <= 0:
            break
    playing.terminate()
    playing.wait()
    assert min(missing_s) <= 0, missing_s


def test_one_two_three_four_five_at_key_down_loses_nothing(
    qtbot: QtBot,
    controller: ListeningController,
    microphone: VirtualMicrophone,
    tmp_path: Path,
) -> None:
    """The speech begins as the key goes down; it ends on the last phoneme, and the key comes up at once."""
    file = tmp_path / "count.wav"
    soundfile.write(file, recording("count-joe").samples, SAMPLE_RATE_HZ)
    playing = microphone.play(file)
    controller.press()
    assert playing.wait(20) == 0
    with qtbot.waitSignal(controller.utterance_transcribed) as heard:
        controller.release()
    assert heard.args is not None
    texts = [plain(each.text) for each in heard.args[0].hypotheses]
    assert {"1 2 3 4 5", "one two three four five"} & set(texts), texts


def test_the_cue_sound_itself_is_recorded_and_heard_as_nothing(
    qtbot: QtBot, controller: ListeningController, keeping: KeepingTranscriber
) -> None:
    """Played into the same sink that the microphone hears: it is in the recording, and is taken out of it."""
    controller.use_cue(wanted=True)
    levels: list[float] = []
    controller.level_changed.connect(levels.append)
    controller.press()
    qtbot.waitUntil(lambda: any(level > 0.02 for level in levels))
    quiet_from = len(levels)
    qtbot.waitUntil(lambda: len(levels) >= quiet_from + 6)
    with qtbot.waitSignal(controller.nothing_heard):
        controller.release()
    assert keeping.given[-1].duration_s > 0.5
    controller.use_cue(wanted=False)


def test_speech_under_the_cue_is_heard(
    qtbot: QtBot, controller: ListeningController, microphone: VirtualMicrophone, tmp_path: Path
) -> None:
    file = tmp_path / "spoken.wav"
    soundfile.write(file, recording("accept-and-save-awb").samples, SAMPLE_RATE_HZ)
    controller.use_cue(wanted=True)
    playing = microphone.play(file)
    controller.press()
    assert playing.wait(20) == 0
    with qtbot.waitSignal(controller.utterance_transcribed) as heard:
        controller.release()
    assert heard.args is not None
    texts = [plain(each.text) for each in heard.args[0].hypotheses]
    assert min(jiwer.wer(SPOKEN, text) for text in texts) <= MOST_WORD_ERRORS, texts
    controller.use_cue(wanted=False)


def test_the_default_source_changes_while_idle(
    qtbot: QtBot, controller: ListeningController, sound: PortAudio, microphone: VirtualMicrophone, tmp_path: Path
) -> None:
    """It is noticed without a restart: what is played into the new one is heard."""
    module = microphone.control("load-module", "module-null-sink", "sink_name=second", "channels=2").strip()
    microphone.control("set-default-source", "second.monitor")
    try:
        qtbot.waitUntil(lambda: sound.devices_changed() is False and sound.open_streams == 1)
        file = tmp_path / "spoken.wav"
        late = joined(silence(2.0), recording("accept-and-save-awb"))  # A stream takes a while to deliver.
        soundfile.write(file, late.samples, SAMPLE_RATE_HZ)
        controller.press()
        assert microphone.play(file, "second").wait(20) == 0
        with qtbot.waitSignal(controller.utterance_transcribed) as heard:
            controller.release()
        assert heard.args is not None
        texts = [plain(each.text) for each in heard.args[0].hypotheses]
        assert min(jiwer.wer(SPOKEN, text) for text in texts) <= MOST_WORD_ERRORS, texts
    finally:
        microphone.control("set-default-source", "vmic.monitor")
        microphone.control("unload-module", module)


@pytest.mark.usefixtures("microphone")
def test_the_program_speaks_and_is_silenced() -> None:
    sound = PortAudio()
    speech = SpeechOutput(sound, SpeechSettings("all"))
    speech.say("Status is Accepted, and it was saved. This goes on for a minute, so that it can be stopped. " * 12)
    deadline = time.monotonic() + WAIT_S
    while sound.open_streams == 0:
        assert time.monotonic() < deadline
        os.sched_yield()
    started = time.monotonic()
    assert speech.stop()
    while speech.is_speaking:
        os.sched_yield()
    assert time.monotonic() - started < 20
    assert speech.problem == ""
    speech.close()


def test_the_microphone_hears_the_app_s_own_voice(
    qtbot: QtBot,
    microphone: VirtualMicrophone,  # noqa: ARG001 - it has to run
    keeping: KeepingTranscriber,
) -> None:
    """It speaks into the sink that the microphone hears, and the key goes down: nothing of it is an utterance."""
    sound = PortAudio()
    speech = SpeechOutput(sound, SpeechSettings("all"))
    hushes: list[bool] = []
    controller = ListeningController(
        sound, lambda: keeping, partials=False, hush=lambda: bool(hushes) and speech.stop()
    )
    controller.warm_up()
    heard: list[Transcript] = []
    nothing: list[NothingHeard] = []
    controller.utterance_transcribed.connect(heard.append)
    controller.nothing_heard.connect(nothing.append)
    levels: list[float] = []
    controller.level_changed.connect(levels.append)
    for _ in range(NOW_OR_NEVER):
        hushes.clear()
        speech.say("Delete this talk. " * 20)
        controller.press()
        qtbot.waitUntil(lambda: any(level > 0.02 for level in levels))  # It is speaking, and is heard.
        controller.cancel()
        levels.clear()
        heard.clear()
        hushes.append(True)
        controller.press()
        qtbot.waitUntil(lambda: len(levels) > 10)
        controller.release()
        qtbot.waitUntil(lambda: bool(heard or nothing))
        if nothing:
            break
        qtbot.waitUntil(lambda: not speech.is_speaking)
        levels.clear()
    speech.close()
    controller.shutdown()
    assert nothing, heard[0].text


@pytest.mark.usefixtures("microphone")
def test_doctor_sees_the_microphone() -> None:
    checks = {check.name: check for check in check_voice(PortAudio())}
    assert checks["Microphone"].ok
    assert checks["Sound library"].ok
    assert "default" in checks["Microphone"].detail
