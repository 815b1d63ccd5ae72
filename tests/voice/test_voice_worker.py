"""The transcription thread: order, cancelling, and when a partial transcript may be the final one."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from pathlib import Path

import pytest
from voice_kit import AUDIO, WAIT_S, joined, recording, silence, transcript

from app.voice.errors import TranscriptionError
from app.voice.types import Recording, Transcript
from app.voice.worker import TranscriptionWorker


class CountingRecogniser:
    """Gives "1", "2", ... so that a test sees which request an answer belongs to; the model is tested elsewhere."""

    def __init__(self) -> None:
        self.count = 0

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        raise TranscriptionError("The model is damaged.")

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        self.count += 1
        return transcript(str(self.count), duration_s=recording.duration_s + len(bias))

    def interrupt(self) -> None:
        """Nothing takes long here."""

    def close(self) -> None:
        """Nothing is held."""


class Told:
    """Keeps what the worker tells."""

    def __init__(self) -> None:
        self.all: queue.Queue[tuple[str, int, str]] = queue.Queue()

    def recogniser_ready(self) -> None:
        self.all.put(("ready", 0, ""))

    def recogniser_failed(self, message: str) -> None:
        self.all.put(("model", 0, message))

    def partial_transcribed(self, token: int, transcript: Transcript) -> None:
        self.all.put(("partial", token, transcript.text))

    def transcribed(self, token: int, transcript: Transcript) -> None:
        self.all.put(("final", token, transcript.text))

    def transcription_failed(self, token: int, message: str) -> None:
        self.all.put(("failed", token, message))

    def next(self) -> tuple[str, int, str]:
        return self.all.get(timeout=WAIT_S)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def worker(told: Told) -> Iterator[TranscriptionWorker]:
    worker = TranscriptionWorker(told, CountingRecogniser)
    yield worker
    worker.close()


PARTIAL = joined(silence(0.2), recording("save-joe"), silence(0.5))


@pytest.mark.parametrize(
    ("partial", "final", "expected"),
    [
        pytest.param(PARTIAL, joined(PARTIAL, silence(0.8)), "1", id="only silence followed"),
        pytest.param(PARTIAL, PARTIAL, "1", id="nothing followed"),
        pytest.param(PARTIAL, joined(PARTIAL, recording("undo-that-slt")), "2", id="more was said"),
        pytest.param(
            Recording(recording("train-joe").samples[:16_000]), recording("train-joe"), "2", id="a word went on"
        ),
    ],
)
def test_a_partial_is_final_only_if_nothing_but_silence_followed(
    worker: TranscriptionWorker, told: Told, partial: Recording, final: Recording, expected: str
) -> None:
    worker.transcribe_partial(1, partial)
    assert told.next() == ("partial", 1, "1")
    worker.transcribe(1, final, ())
    assert told.next() == ("final", 1, expected)


def test_a_partial_of_another_utterance_is_never_final(worker: TranscriptionWorker, told: Told) -> None:
    worker.transcribe_partial(1, PARTIAL)
    worker.transcribe(2, PARTIAL, ())
    assert [told.next(), told.next()] == [("partial", 1, "1"), ("final", 2, "2")]


def test_cancelled_requests_are_dropped(worker: TranscriptionWorker, told: Told) -> None:
    worker.cancel(3)
    worker.transcribe_partial(1, PARTIAL)
    worker.transcribe(2, PARTIAL, ())
    worker.transcribe_file(2, AUDIO / "save-joe.flac", ())
    worker.transcribe(3, PARTIAL, ())
    assert told.next() == ("final", 3, "1")


def test_files_and_faults_of_files(worker: TranscriptionWorker, told: Told, tmp_path: Path) -> None:
    worker.transcribe_file(1, AUDIO / "save-joe.flac", ())
    assert told.next() == ("final", 1, "1")
    worker.transcribe_file(2, tmp_path / "missing.wav", ())
    kind, token, message = told.next()
    assert (kind, token) == ("failed", 2)
    assert message.startswith("There is no file")


def test_a_model_that_fails_at_load_is_said_and_tried_again(worker: TranscriptionWorker, told: Told) -> None:
    worker.warm_up()
    assert told.next() == ("model", 0, "The model is damaged.")
    worker.transcribe(1, PARTIAL, ())
    assert told.next()[0] == "final"


def test_another_recogniser_is_used_from_the_next_request_on(worker: TranscriptionWorker, told: Told) -> None:
    worker.transcribe(1, PARTIAL, ())
    worker.transcribe(2, PARTIAL, ())
    worker.use_recogniser(CountingRecogniser)
    worker.transcribe(3, PARTIAL, ())
    assert [told.next()[2] for _ in range(2)] == ["1", "2"]
    assert told.next() == ("model", 0, "The model is damaged.")
    assert told.next() == ("final", 3, "1")
