"""The sound cue: heard by the person, by nobody else."""

from __future__ import annotations

import numpy as np
import pytest
import soxr
from pytestqt.qtbot import QtBot
from voice_kit import WAIT_S, FakeSound, joined, recording, silence, tone, transcript

from app.qtbridge.listening import ListeningController
from app.voice.cue import CUE_RATE_HZ, CuePlayer, cue_sound, without_cue
from app.voice.endpointing import loudest_level
from app.voice.errors import VoiceError
from app.voice.hypotheses import plain
from app.voice.sound_system import OutputStream
from app.voice.transcriber import Transcriber
from app.voice.types import SAMPLE_RATE_HZ, Recording, Samples, Transcript


def with_cue(spoken: Recording, at_s: float, level: float = 1.0) -> Recording:
    """A recording with the cue of key-down in it, as loud as it is played."""
    cue = soxr.resample(cue_sound("begin"), CUE_RATE_HZ, SAMPLE_RATE_HZ) * level
    samples = spoken.samples.copy()
    at = round(at_s * SAMPLE_RATE_HZ)
    samples[at : at + len(cue)] += cue
    return Recording(samples)


@pytest.mark.parametrize("at_s", [0.0, 0.3, 2.0], ids=["at once", "after the pre-roll", "a sound server was asleep"])
def test_the_cue_itself_is_no_sound(at_s: float) -> None:
    cued = with_cue(Recording(silence(3.0)), at_s)
    assert loudest_level(cued.samples) > 0.05
    assert loudest_level(without_cue(cued).samples) < 0.0008, "what counts as silent"


def test_the_rest_of_the_sound_stays() -> None:
    spoken = joined(silence(0.3), tone(1.0), silence(0.3))
    assert np.max(np.abs(without_cue(spoken).samples - spoken.samples)) < 0.03
    late = joined(silence(6.0), recording("accept-and-save-awb"))
    assert np.array_equal(without_cue(late).samples[6 * SAMPLE_RATE_HZ :], late.samples[6 * SAMPLE_RATE_HZ :])
    assert without_cue(Recording(silence(0))).duration_s == 0


@pytest.mark.speech
def test_the_cue_sound_itself_is_recorded_and_heard_as_nothing(transcriber: Transcriber) -> None:
    cued = with_cue(Recording(silence(1.5)), 0.4)
    heard = transcriber.transcribe(without_cue(cued))
    assert (heard.text, heard.heard) == ("", "silent")


@pytest.mark.speech
@pytest.mark.parametrize("at_s", [0.35, 0.6])
def test_speech_under_the_cue_is_heard(transcriber: Transcriber, at_s: float) -> None:
    spoken = joined(silence(0.3), recording("accept-and-save-awb"), silence(0.2))
    heard = transcriber.transcribe(without_cue(with_cue(spoken, at_s)))
    assert "set the status to accepted and save" in [plain(each.text) for each in heard.hypotheses]


class HearsWhatItIsGiven:
    """Stands for the model: what reaches it is looked at, not what it makes of it."""

    def __init__(self) -> None:
        self.given: list[Recording] = []

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        """Nothing to load."""

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:  # noqa: ARG002
        self.given.append(recording)
        return transcript("save")

    def interrupt(self) -> None:
        """Nothing takes long."""

    def close(self) -> None:
        """Nothing to free."""


def test_cues_at_key_down_and_when_all_is_recorded(qtbot: QtBot) -> None:
    sound, recogniser = FakeSound(), HearsWhatItIsGiven()
    controller = ListeningController(sound, lambda: recogniser, partials=False, cue=True)
    controller.warm_up()
    stream = sound.wait_open()
    controller.press()
    assert sound.played.acquire(timeout=WAIT_S)
    stream.deliver(
        np.concatenate((np.zeros(4_800, np.float32), sound.playbacks[0].samples, np.zeros(9_600, np.float32)))
    )
    sound.playbacks[0].close()
    controller.release()
    assert len(sound.playbacks) == 1, "nothing sounds while the release tail is recorded"
    with qtbot.waitSignal(controller.utterance_transcribed):
        stream.deliver(silence(1.5))
    assert sound.played.acquire(timeout=WAIT_S)
    assert [len(each.samples) for each in sound.playbacks] == [len(cue_sound("begin"))] * 2
    sound.playbacks[1].close()
    assert loudest_level(recogniser.given[0].samples) < 0.0008
    controller.use_cue(wanted=False)
    controller.press()
    controller.cancel()
    assert len(sound.playbacks) == 2
    controller.shutdown()


class NoLoudspeaker(FakeSound):
    """A machine without an output: none of those that run the tests can be relied on to be one."""

    def play(self, samples: Samples, sample_rate_hz: int) -> OutputStream:  # noqa: ARG002
        self.played.release()
        raise VoiceError("No loudspeaker was found.")


def test_no_loudspeaker_for_the_cue_is_no_fault() -> None:
    sound = NoLoudspeaker()
    player = CuePlayer(sound)
    for _ in range(2):
        player.play("begin")
        assert sound.played.acquire(timeout=WAIT_S)
    player.close()
