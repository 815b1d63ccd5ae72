"""Two recognisers together: who is asked when, and what comes of it; both are real."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from voice_kit import joined, recording

from app.voice.errors import TranscriptionError
from app.voice.hypotheses import plain
from app.voice.moonshine.files import DECODER, NAME, find_moonshine
from app.voice.moonshine.model import Moonshine
from app.voice.second_opinion import SecondOpinion
from app.voice.transcriber import Transcriber
from app.voice.two_recognisers import TwoRecognisers
from app.voice.types import Recording, Transcript

pytestmark = pytest.mark.speech

WORDS = ("click save", "set the city to")


@pytest.fixture(scope="module")
def moonshine() -> Iterator[Moonshine]:
    folder = find_moonshine()
    assert folder is not None
    model = Moonshine(folder, threads=2)
    yield model
    model.close()


def never(_heard: Transcript) -> bool:
    return False


def always(_heard: Transcript) -> bool:
    return True


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("city-joe", "the city is edinburgh"),
        ("team-abstract-rms", "set the abstract to we explain how a small team replaced its build system"),
    ],
)
def test_two_hear_what_one_alone_does_not(transcriber: Transcriber, moonshine: Moonshine, name: str, said: str) -> None:
    spoken = recording(name)
    alone = transcriber.transcribe(spoken)
    together = SecondOpinion(TwoRecognisers(transcriber, moonshine), never).transcribe(spoken, bias=WORDS)
    assert plain(together.text) == said
    assert together.recognisers == 2
    assert alone.recognisers == 1
    assert said not in [plain(each.text) for each in alone.hypotheses[:1]]
    assert len(together.hypotheses) <= 8, "more would only cost time"
    scores = [each.log_probability for each in together.hypotheses]
    assert scores == sorted(scores, reverse=True)
    assert together.transcribe_ms > alone.transcribe_ms / 10


@pytest.mark.parametrize(
    ("bias", "is_clear", "again"),
    [((), never, False), (WORDS, always, False), (WORDS, never, True)],
    ids=["dictation", "a clear command", "an unclear one"],
)
def test_who_is_asked(
    transcriber: Transcriber,
    moonshine: Moonshine,
    bias: tuple[str, ...],
    is_clear: Callable[[Transcript], bool],
    again: bool,
) -> None:
    heard = SecondOpinion(TwoRecognisers(transcriber, moonshine), is_clear).transcribe(recording("save-joe"), bias=bias)
    assert (heard.recognisers == 2) is again


def test_silence_and_long_speech_need_no_opinion(transcriber: Transcriber, moonshine: Moonshine) -> None:
    opinion = SecondOpinion(TwoRecognisers(transcriber, moonshine), never)
    assert opinion.transcribe(recording("silence"), bias=WORDS).recognisers == 1
    passage = recording("passage-rms")
    assert opinion.transcribe(joined(passage, passage), bias=WORDS).recognisers == 1


def test_without_a_whole_second_model_the_first_one_is_enough(
    transcriber: Transcriber, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = find_moonshine()
    assert folder is not None
    shutil.copytree(folder, tmp_path / NAME)
    (tmp_path / NAME / DECODER).write_bytes(b"damaged")
    opinion = SecondOpinion(TwoRecognisers(transcriber, Moonshine(tmp_path / NAME)), never)
    opinion.load()
    opinion.rehearse()
    heard = opinion.transcribe(recording("save-joe"), bias=WORDS)
    assert heard.hypotheses == transcriber.transcribe(recording("save-joe")).hypotheses
    assert "Install it again" in caplog.text
    opinion.close()
    assert not [each for each in threading.enumerate() if each.name == "greenroom-second-recogniser"]


def test_it_can_be_cancelled_while_the_second_one_hears(transcriber: Transcriber) -> None:
    class Interrupting(Moonshine):
        """Is interrupted as soon as it has listened, as if Esc had been pressed just then."""

        def listen(self, samples):  # type: ignore[no-untyped-def]
            sound = super().listen(samples)
            self.interrupt()
            return sound

    folder = find_moonshine()
    assert folder is not None
    opinion = SecondOpinion(TwoRecognisers(transcriber, Interrupting(folder)), never)
    with pytest.raises(TranscriptionError, match="stopped"):
        opinion.transcribe(Recording(recording("city-joe").samples), bias=WORDS)
