"""Moonshine base for English: gives several readings of a recording, and says how likely any text is for it."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.voice.errors import TranscriptionError
from app.voice.moonshine.beam import likeliest
from app.voice.moonshine.files import DECODER, ENCODER, TOKENS
from app.voice.moonshine.judge import Judgement, judged
from app.voice.moonshine.network import Decoder, Encoder, Memory
from app.voice.moonshine.tokens import Tokens
from app.voice.moonshine.weights import Weights
from app.voice.types import SAMPLE_RATE_HZ, HeardHypothesis, Samples

_SHORTEST_S = 0.5
"""Shorter ones are padded: the encoder's convolutions need some samples."""

_TOKENS_PER_SECOND = 10
_FEWEST_TOKENS = 12


@dataclass(frozen=True, slots=True)
class Sound:
    """A recording that Moonshine has listened to."""

    memory: Memory
    duration_s: float


@dataclass(frozen=True, slots=True)
class _Parts:
    encoder: Encoder
    decoder: Decoder
    tokens: Tokens


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
        """Loads the files (some 1 s, 290 MB of memory) if they aren't there yet.

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
        return Sound(parts.encoder.listen(padded), len(padded) / SAMPLE_RATE_HZ)

    def readings(self, sound: Sound) -> tuple[HeardHypothesis, ...]:
        """Up to five readings, likeliest first; some may differ in capitals or punctuation only.

        Raises:
            TranscriptionError: `interrupt` was called.
        """
        parts = self._loaded()
        most = _FEWEST_TOKENS + math.ceil(_TOKENS_PER_SECOND * sound.duration_s)
        found = likeliest(parts.decoder, sound.memory, most_tokens=most, check=self._check)
        texts = {parts.tokens.text(one.tokens): one.log_probability for one in reversed(found)}
        return tuple(HeardHypothesis(text, texts[text]) for text in reversed(texts) if text)

    def judge(self, sound: Sound, texts: Sequence[str]) -> list[Judgement]:
        """Says of each text how likely it is for this sound."""
        if not texts:
            return []
        parts = self._loaded()
        return judged(parts.decoder, sound.memory, [parts.tokens.numbers(text) for text in texts])

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
        weights = Weights(self._folder / DECODER)
        decoder = Decoder(weights)  # The larger one first: the other one fits into what it leaves.
        encoder = Encoder(Weights(self._folder / ENCODER), weights, threads=self._threads)
        return _Parts(encoder, decoder, Tokens(self._folder / TOKENS))

    def _check(self) -> None:
        if self._interrupted.is_set():
            raise TranscriptionError("Transcribing was stopped.")
