"""Moonshine base for English: gives several readings of a recording, and says how likely any text is for it."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.voice.errors import TranscriptionError
from app.voice.moonshine.beam import likeliest
from app.voice.moonshine.files import DECODER, ENCODER, TOKENS
from app.voice.moonshine.network import Cache, Decoder
from app.voice.moonshine.tokens import END, START, Tokens
from app.voice.moonshine.weights import read_weights
from app.voice.types import SAMPLE_RATE_HZ, HeardHypothesis, Samples

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from threadpoolctl import ThreadpoolController

_BEAM = 5
_SHORTEST_S = 0.5
"""Shorter ones are padded: the encoder's convolutions need some samples."""

_TOKENS_PER_SECOND = 10
_FEWEST_TOKENS = 12


@dataclass(frozen=True, slots=True)
class Sound:
    """A recording that Moonshine has listened to."""

    memory: Cache
    duration_s: float


@dataclass(frozen=True, slots=True)
class Judgement:
    """What Moonshine thinks of a text.

    Attributes:
        log_probability: The mean natural-log probability per token, that of its end included.
        is_own: Each token is the one that Moonshine itself would have written there.
    """

    log_probability: float
    is_own: bool


@dataclass(frozen=True, slots=True)
class _Parts:
    encoder: InferenceSession
    decoder: Decoder
    tokens: Tokens
    pools: ThreadpoolController


class Moonshine:
    """The model. Loads its files at first use or at `load`."""

    def __init__(self, folder: Path, *, threads: int = 0) -> None:
        """Keeps what is needed to load it later.

        Args:
            folder: What `find_moonshine` gave.
            threads: Of the encoder; 0 takes as many as the machine has cores, at most 4.
        """
        self._folder = folder
        self._threads = threads or min(4, os.cpu_count() or 1)
        self._lock = threading.Lock()
        self._parts: _Parts | None = None
        self._interrupted = threading.Event()

    def load(self) -> None:
        """Loads the files (some 0.5 s, 190 MB of memory) if they aren't there yet.

        Raises:
            TranscriptionError: They are damaged.
        """
        self._loaded()

    def listen(self, samples: Samples) -> Sound:
        """Listens to some seconds of mono sound, 16 kHz.

        Raises:
            TranscriptionError: The model can't be loaded.
        """
        self._interrupted.clear()
        parts = self._loaded()
        padded = np.zeros(max(len(samples), round(_SHORTEST_S * SAMPLE_RATE_HZ)), dtype=np.float32)
        padded[: len(samples)] = samples
        encoded = parts.encoder.run(None, {"input_values": padded[None]})[0]
        with _one_thread(parts):
            return Sound(parts.decoder.listen(encoded), len(padded) / SAMPLE_RATE_HZ)

    def readings(self, sound: Sound) -> tuple[HeardHypothesis, ...]:
        """Up to five readings, likeliest first; some may differ in capitals or punctuation only.

        Raises:
            TranscriptionError: `interrupt` was called.
        """
        parts = self._loaded()
        most = _FEWEST_TOKENS + math.ceil(_TOKENS_PER_SECOND * sound.duration_s)
        with _one_thread(parts):
            found = likeliest(parts.decoder, sound.memory, width=_BEAM, most_tokens=most, check=self._check)
        texts = {parts.tokens.text(one.tokens): one.log_probability for one in reversed(found)}
        return tuple(HeardHypothesis(text, texts[text]) for text in reversed(texts) if text)

    def judge(self, sound: Sound, texts: Sequence[str]) -> list[Judgement]:
        """Says of each text how likely it is for this sound."""
        if not texts:
            return []
        parts = self._loaded()
        sentences = [[START, *parts.tokens.numbers(text), END] for text in texts]
        longest = max(len(sentence) for sentence in sentences)
        padded = np.array([[*sentence, *[END] * (longest - len(sentence))] for sentence in sentences])
        with _one_thread(parts):
            scores, _ = parts.decoder.step(padded[:, :-1], sound.memory, None)
        following = np.take_along_axis(scores, padded[:, 1:, None], axis=2)[:, :, 0]
        expected = scores.max(axis=2) <= following
        return [
            Judgement(float(row[: len(one) - 1].mean()), bool(right[: len(one) - 1].all()))
            for row, right, one in zip(following, expected, sentences, strict=True)
        ]

    def interrupt(self) -> None:
        """Makes `readings` in progress in another thread raise `TranscriptionError` soon."""
        self._interrupted.set()

    def close(self) -> None:
        """Frees the files. A later call loads them again."""
        with self._lock:
            self._parts = None

    def _loaded(self) -> _Parts:
        with self._lock:
            if self._parts is None:
                try:
                    self._parts = self._read()
                except (OSError, ValueError, RuntimeError) as error:
                    raise TranscriptionError(
                        f"The second speech model in {self._folder} can't be loaded: {error}. Install it again."
                    ) from error
            return self._parts

    def _read(self) -> _Parts:
        # Imported here: some 0.2 s that only who has the model needs to wait for.
        import onnxruntime
        from threadpoolctl import ThreadpoolController

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3  # Errors reach us as exceptions; warnings about the graph help nobody.
        try:
            encoder = onnxruntime.InferenceSession(
                str(self._folder / ENCODER), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its exceptions have no class in common
            raise ValueError(str(error)) from error
        decoder = Decoder(read_weights(self._folder / DECODER))
        return _Parts(encoder, decoder, Tokens(self._folder / TOKENS), ThreadpoolController())

    def _check(self) -> None:
        if self._interrupted.is_set():
            raise TranscriptionError("Transcribing was stopped.")


def _one_thread(parts: _Parts) -> AbstractContextManager[object]:
    """Lets numpy's multiplications run in this thread alone.

    They wait for memory rather than for the processor, and threads that wait for each other while another program uses
    the cores made them up to ten times as slow.
    """
    limits: AbstractContextManager[object] = parts.pools.limit(limits=1, user_api="blas")
    return limits
