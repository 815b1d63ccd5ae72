"""Turns a recording into a transcript, on this machine."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from app.voice.decoding import Decoded, Encoded, decode, encode_short, log_probability
from app.voice.device import BestDevice, Device, gpu_is_there
from app.voice.endpointing import Span, speech_groups, speech_spans, what_is_heard
from app.voice.errors import TranscriptionError
from app.voice.hypotheses import distinct
from app.voice.types import COMMAND_UP_TO_S, SAMPLE_RATE_HZ, Heard, HeardHypothesis, Recording, Samples, Transcript

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

_T = TypeVar("_T")

_PIECES_KEPT = 16
"""Some three minutes of speech."""


class Transcriber:
    """Whisper through faster-whisper. Loads its model at first use or at `load`; calls are made one at a time."""

    def __init__(
        self, model: Path, *, languages: tuple[str, ...] = ("en",), cpu_threads: int = 0, try_gpu: bool = True
    ) -> None:
        """Keeps what is needed to load the model later.

        Args:
            model: Folder of a CTranslate2 Whisper model (`models.find_model`).
            languages: Those that may be spoken, ISO 639-1. Of several a multilingual model finds out which it is, each
                time anew; other models know English only.
            cpu_threads: 0 takes as many as the machine has cores, at most 4.
            try_gpu: Whether a GPU may be used, if there is one.
        """
        self._folder = model
        self._languages = languages
        self._cpu_threads = cpu_threads or min(4, os.cpu_count() or 1)
        self._model: BestDevice[WhisperModel] = BestDevice(self._load, has_gpu=gpu_is_there if try_gpu else _no_gpu)
        self._pieces: OrderedDict[bytes, Decoded] = OrderedDict()
        self._encoded: tuple[WhisperModel, bytes, Encoded] | None = None
        self._rehearsed = False
        self._lock = threading.Lock()
        self._interrupted = threading.Event()

    def load(self) -> None:
        """Loads the model (some 0.4 s for the import, 0.3 s for tiny.en) if it isn't there yet.

        Raises:
            TranscriptionError: The files are damaged or don't fit this machine.
        """
        with self._lock:
            if not self._model.is_loaded:
                self._run(lambda _model: None)

    def rehearse(self) -> None:
        """Hears nothing, once: what a first run sets up would otherwise be waited for at the first utterance.

        Raises:
            TranscriptionError: The model can't be loaded or failed.
        """
        nothing = np.zeros(SAMPLE_RATE_HZ // 10, dtype=np.float32)
        with self._lock:
            if not self._rehearsed:
                speech_spans(nothing)
                self._decode(nothing, (Span(0, len(nothing)),), ())
                self._rehearsed = True

    def transcribe(self, recording: Recording, *, bias: Sequence[str] = ()) -> Transcript:
        """Recognises what was said. Where nobody speaks, says what there was, and has no text at all.

        Args:
            recording: Mono, 16 kHz; any length, 0 s too.
            bias: Words likely here, such as the names on the screen.

        Raises:
            TranscriptionError: The model can't be loaded, failed, or `interrupt` was called.
        """
        started = time.perf_counter()
        self._interrupted.clear()
        heard, spans = what_is_heard(recording.samples)
        decoded: list[Decoded] = []
        if heard == "speech":
            if recording.duration_s <= COMMAND_UP_TO_S:  # whole, so that nothing at its edges is cut off
                spans = (Span(0, len(recording.samples)),)
            with self._lock:
                decoded = self._decode(recording.samples, speech_groups(spans), tuple(bias))
        return _transcript(decoded, heard, recording.duration_s, (time.perf_counter() - started) * 1000)

    def log_probabilities(self, recording: Recording, language: str, texts: Sequence[str]) -> list[float]:
        """How likely each text is for a recording of up to 8 s: the mean natural-log probability per token.

        Quick for the recording that was transcribed last: it is not encoded again.

        Raises:
            TranscriptionError: The model can't be loaded or failed.
        """

        def scores(model: WhisperModel) -> list[float]:
            encoded = self._encode(model, recording.samples)
            return [log_probability(model, encoded, language, text) for text in texts]

        with self._lock:
            return self._run(scores)

    def interrupt(self) -> None:
        """Ends a `transcribe` in progress in another thread at the next pause in the speech; it raises."""
        self._interrupted.set()

    def close(self) -> None:
        """Frees the model. A later call loads it again."""
        with self._lock:
            self._model.close()
            self._rehearsed = False
            self._pieces.clear()
            self._encoded = None

    def _decode(self, samples: Samples, spans: tuple[Span, ...], bias: tuple[str, ...]) -> list[Decoded]:
        def pieces(model: WhisperModel) -> list[Decoded]:
            one = self._decode_piece if len(spans) == 1 else self._decode_once
            return [one(model, samples[span.start : span.end], bias) for span in spans]

        return [piece for piece in self._run(pieces) if not piece.nobody_speaks]

    def _run(self, work: Callable[[WhisperModel], _T]) -> _T:
        try:
            return self._model.run(work)
        except RuntimeError as error:
            raise TranscriptionError(
                f"The speech model failed: {error}. Try again, or choose another model."
            ) from error

    def _decode_once(self, model: WhisperModel, samples: Samples, bias: tuple[str, ...]) -> Decoded:
        """As `_decode_piece`; the very same sound is not decoded again.

        While somebody dictates, each partial transcript is of all that was said up to then: only its end is new.
        """
        key = hashlib.blake2b(samples.tobytes() + repr(bias).encode()).digest()
        if key not in self._pieces:
            self._pieces[key] = self._decode_piece(model, samples, bias)
        self._pieces.move_to_end(key)
        while len(self._pieces) > _PIECES_KEPT:
            self._pieces.popitem(last=False)
        return self._pieces[key]

    def _decode_piece(self, model: WhisperModel, samples: Samples, bias: tuple[str, ...]) -> Decoded:
        if self._interrupted.is_set():
            raise TranscriptionError("Transcribing was stopped.")
        return decode(model, samples, self._encode(model, samples), self._languages, bias)

    def _encode(self, model: WhisperModel, samples: Samples) -> Encoded:
        key = hashlib.blake2b(samples.tobytes()).digest()
        if self._encoded is None or self._encoded[0] is not model or self._encoded[1] != key:
            self._encoded = (model, key, encode_short(model, samples))
        return self._encoded[2]

    def _load(self, device: Device) -> WhisperModel:
        from faster_whisper import WhisperModel

        try:
            return WhisperModel(
                str(self._folder),
                device=device,
                compute_type="int8" if device == "cpu" else "auto",
                cpu_threads=self._cpu_threads,
                local_files_only=True,
            )
        except (RuntimeError, ValueError, OSError) as error:
            if device != "cpu":  # The CPU is tried next.
                raise
            raise TranscriptionError(
                f"The speech model {self._folder.name} can't be loaded: {error}. Get it again, or choose another."
            ) from error


def _no_gpu() -> bool:
    return False


def _transcript(pieces: list[Decoded], heard: Heard, duration_s: float, transcribe_ms: float) -> Transcript:
    said = [piece for piece in pieces if piece.readings]
    readings = said[0].readings if len(said) == 1 else _joined(said)
    if heard == "speech" and not readings:
        heard = "no_speech"
    return Transcript(
        text=readings[0].text if readings else "",
        hypotheses=readings,
        language=said[0].language if said else "en",
        heard=heard,
        duration_s=duration_s,
        transcribe_ms=transcribe_ms,
    )


def _joined(pieces: list[Decoded]) -> tuple[HeardHypothesis, ...]:
    """The best readings of the pieces one after the other; the score is their mean, weighted by length."""
    best = [piece.readings[0] for piece in pieces]
    length = sum(len(reading.text) for reading in best)
    if not length:
        return ()
    score = sum(reading.log_probability * len(reading.text) for reading in best) / length
    return distinct((HeardHypothesis(" ".join(reading.text for reading in best), score),))
