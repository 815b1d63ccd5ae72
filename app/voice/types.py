"""The values of the voice path: what was recorded, what was heard. Immutable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Samples: TypeAlias = NDArray[np.float32]
"""Mono samples between -1 and 1, shape (n,)."""

SAMPLE_RATE_HZ = 16_000
"""What the recogniser takes; everything before it is resampled to this."""

COMMAND_UP_TO_S = 8.0
"""Longer recordings are dictation; commands are shorter, but for a few chains."""

Heard: TypeAlias = Literal["speech", "no_speech", "silent", "muted"]
"""`muted`: only zeros. `silent`: too quiet to be speech. `no_speech`: sound, but nobody speaks."""


@dataclass(frozen=True, slots=True)
class Recording:
    """One press of the key, or one sound file: mono, 16 kHz."""

    samples: Samples
    sample_rate_hz: int = SAMPLE_RATE_HZ

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return len(self.samples) / self.sample_rate_hz


NOTHING_RECORDED = Recording(np.zeros(0, dtype=np.float32))
"""0 s of sound."""


@dataclass(frozen=True, slots=True)
class HeardHypothesis:
    """One reading: text with the model's capitals and punctuation, and the mean log-probability per token."""

    text: str
    log_probability: float


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was heard.

    Attributes:
        text: The best hypothesis, or an empty string where nobody spoke.
        hypotheses: All of them, best first, without repeats.
        language: ISO 639-1.
        heard: Whether there was speech, and if not, what there was.
        duration_s: Length of the recording.
        transcribe_ms: Time it took.
        recognisers: How many recognisers were asked: the log-probabilities are the mean of theirs.
    """

    text: str
    hypotheses: tuple[HeardHypothesis, ...]
    language: str
    heard: Heard
    duration_s: float
    transcribe_ms: float
    recognisers: int = 1
