"""The real speech model on recordings: what must be heard, and what must not."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import jiwer
import numpy as np
import pytest
from voice_kit import AUDIO, joined, recording, silence, tone

from app.voice.capture import Capture
from app.voice.errors import TranscriptionError
from app.voice.file_microphone import record_file
from app.voice.hypotheses import plain
from app.voice.models import find_model
from app.voice.transcriber import Transcriber
from app.voice.types import SAMPLE_RATE_HZ, Recording, Transcript

pytestmark = pytest.mark.speech

SCREEN = ("set the status to accepted", "click save", "undo that", "new speaker", "discard changes", "approve")


def word_errors(reference: str, heard: str) -> float:
    return jiwer.wer(plain(reference), plain(heard) or "nothing")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("accept-and-save-awb", "set the status to accepted and save"),
        ("new-speaker-joe", "go to speakers and click new speaker"),
        ("new-speaker-48k-stereo-24bit", "go to speakers and click new speaker"),
        ("title-joe", "set the title to voice control for everyone"),
        ("conferences-joe", "go to conferences"),
        ("save-joe", "save"),
        ("save-slt", "save"),
        ("train-joe", "the train to the coast leaves at noon"),
        ("salt-awb", "could you pass me the salt please"),
    ],
)
def test_what_is_said_is_heard(transcriber: Transcriber, name: str, text: str) -> None:
    heard = transcriber.transcribe(record_file(AUDIO / f"{name}.flac"))
    assert heard.heard == "speech"
    assert text in [plain(each.text) for each in heard.hypotheses]
    assert heard.text == heard.hypotheses[0].text
    assert heard.transcribe_ms > 0


def test_the_screen_s_words_help_to_hear_them(transcriber: Transcriber) -> None:
    plainly = transcriber.transcribe(recording("accept-and-save-slt"))
    helped = transcriber.transcribe(recording("accept-and-save-slt"), bias=SCREEN)
    said = "set the status to accepted and save"
    # Which readings are among the five without help depends on the processor's arithmetic.
    unhelped = {plain(each.text): each.log_probability for each in plainly.hypotheses}
    assert {plain(each.text): each.log_probability for each in helped.hypotheses}[said] > unhelped.get(said, -math.inf)


NOTHING_SAID = {
    "zeros": (silence(4), "muted"),
    "nothing at all": (silence(0), "silent"),
    "one sample": (np.full(1, 0.1, dtype=np.float32), "no_speech"),
    "a muted device that flickers": (np.tile(np.array([0, 1 / 32768], dtype=np.float32), 32_000), "muted"),
    "a quiet room": (np.random.default_rng(1).normal(0, 0.0002, 64_000).astype(np.float32), "silent"),
    "a tone": (tone(3), "no_speech"),
    "white noise": (recording("white-noise").samples, "no_speech"),
    "a constant fan": (recording("fan").samples, "no_speech"),
    "hum of the mains": (recording("hum").samples, "no_speech"),
    "clicks": ((np.random.default_rng(2).random(64_000) < 2e-4).astype(np.float32), "no_speech"),
}


@pytest.mark.parametrize("name", NOTHING_SAID)
def test_silence_and_noise_print_nothing_and_are_told_apart(transcriber: Transcriber, name: str) -> None:
    samples, expected = NOTHING_SAID[name]
    heard = transcriber.transcribe(Recording(samples), bias=SCREEN)
    assert (heard.heard, heard.text, heard.hypotheses) == (expected, "", ())


def test_minutes_of_noise_print_nothing(transcriber: Transcriber) -> None:
    noise = np.tile(recording("fan").samples, 20)
    heard = transcriber.transcribe(Recording(noise), bias=SCREEN)
    assert (heard.heard, heard.text) == ("no_speech", "")


def test_quiet_speech_is_speech(transcriber: Transcriber) -> None:
    quiet = Recording(recording("new-speaker-joe").samples * np.float32(0.01))
    heard = [plain(each.text) for each in transcriber.transcribe(quiet).hypotheses]
    assert "go to speakers and click new speaker" in heard


def test_counting_at_key_down_loses_nothing(transcriber: Transcriber) -> None:
    heard = transcriber.transcribe(recording("count-joe"))
    assert any(plain(each.text) in ("1 2 3 4 5", "one two three four five") for each in heard.hypotheses)


def test_a_clip_that_ends_on_its_last_phoneme_loses_nothing(transcriber: Transcriber) -> None:
    samples = recording("new-speaker-joe").samples
    loud = np.flatnonzero(np.abs(samples) > 0.01)
    heard = transcriber.transcribe(Recording(samples[loud[0] : loud[-1] + 1]))
    assert plain(heard.text) == "go to speakers and click new speaker"


def test_a_key_released_200_ms_before_the_speech_ends_loses_nothing(transcriber: Transcriber) -> None:
    samples = recording("new-speaker-joe").samples
    loud = np.flatnonzero(np.abs(samples) > 0.01)
    released_at = int(loud[-1]) - SAMPLE_RATE_HZ // 5
    capture = Capture(SAMPLE_RATE_HZ)
    capture.start()
    capture.feed(samples[:released_at])
    capture.stop()
    capture.feed(np.concatenate((samples[released_at:], silence(0.5))))
    heard = capture.take()
    assert heard is not None
    assert plain(transcriber.transcribe(heard).text) == "go to speakers and click new speaker"


def test_custom_words_do_not_swallow_ordinary_ones(transcriber: Transcriber) -> None:
    """Other talk stays what it is, though the screen's words sound a little like it."""
    alike = ("the trade to the cost", "train", "leave", "coasts", "delete", "new room")
    heard = transcriber.transcribe(recording("train-slt"), bias=alike)
    assert plain(heard.text) == "the train to the coast leaves at noon"


def test_speech_with_pauses_over_30_s_keeps_every_sentence(transcriber: Transcriber) -> None:
    spoken = joined(recording("title-joe"), silence(34), recording("train-slt"), silence(31), recording("salt-awb"))
    heard = transcriber.transcribe(spoken)
    text = (
        "set the title to voice control for everyone the train to the coast leaves at noon "
        "could you pass me the salt please"
    )
    assert word_errors(text, heard.text) <= 0.05
    assert heard.duration_s == pytest.approx(spoken.duration_s)


def test_long_dictation_keeps_more_than_its_last_sentence(transcriber: Transcriber) -> None:
    names = ("train-slt", "salt-awb", "title-joe", "conferences-joe", "new-speaker-slt", "train-joe") * 2
    texts = {
        "train": "the train to the coast leaves at noon",
        "salt": "could you pass me the salt please",
        "title": "set the title to voice control for everyone",
        "conferences": "go to conferences",
        "new": "go to speakers and click new speaker",
    }
    parts = [part for name in names for part in (recording(name), silence(0.4))]
    heard = transcriber.transcribe(joined(*parts))
    assert heard.duration_s > 25
    said = " ".join(texts[name.split("-")[0]] for name in names)
    assert word_errors(said, heard.text) <= 0.1


def test_ten_minutes_with_little_speech_take_seconds(transcriber: Transcriber) -> None:
    spoken = joined(silence(290), recording("train-joe"), silence(310))
    heard = transcriber.transcribe(spoken)
    assert plain(heard.text) == "the train to the coast leaves at noon"
    assert heard.transcribe_ms < 20_000


def test_cancel_ends_a_long_transcription(transcriber: Transcriber) -> None:
    """It raises at the next pause, not after the whole hour; and the next one is not affected."""
    parts = [part for _ in range(12) for part in (recording("train-slt"), silence(15))]
    outcome: list[Transcript | TranscriptionError] = []

    def run() -> None:
        try:
            outcome.append(transcriber.transcribe(joined(*parts)))
        except TranscriptionError as error:
            outcome.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    while thread.is_alive():
        transcriber.interrupt()
        thread.join(0.01)
    assert isinstance(outcome[0], TranscriptionError)
    assert plain(transcriber.transcribe(recording("save-joe")).text) == "save"


def test_a_damaged_model_is_said_in_words(tmp_path: Path) -> None:
    model = tmp_path / "damaged"
    model.mkdir()
    for file in find_model().iterdir():
        if file.name != "model.bin":
            (model / file.name).write_bytes(file.read_bytes())
    (model / "model.bin").write_bytes(b"\0" * 1000)
    damaged = Transcriber(model)
    with pytest.raises(TranscriptionError, match="can't be loaded"):
        damaged.transcribe(recording("save-joe"))


def test_close_and_use_again(transcriber: Transcriber) -> None:
    transcriber.close()
    assert plain(transcriber.transcribe(recording("save-joe")).text) == "save"


def test_the_recording_is_left_as_it_was(transcriber: Transcriber) -> None:
    spoken = recording("save-joe")
    before = spoken.samples.copy()
    transcriber.transcribe(spoken)
    assert np.array_equal(spoken.samples, before)
    assert spoken.sample_rate_hz == SAMPLE_RATE_HZ
