"""Any rate and number of channels to what the recogniser takes: mono, 16 kHz, float32 between -1 and 1."""

from __future__ import annotations

import numpy as np
import soxr
from numpy.typing import NDArray

from app.voice.types import SAMPLE_RATE_HZ, Samples


class MonoResampler:
    """Turns blocks of shape (frames, channels) at `sample_rate_hz` into mono samples at 16 kHz, piece by piece.

    Feeding a sound in blocks of any size gives the same samples as feeding it whole.
    """

    def __init__(self, sample_rate_hz: int) -> None:
        self._stream = (
            None
            if sample_rate_hz == SAMPLE_RATE_HZ
            else soxr.ResampleStream(sample_rate_hz, SAMPLE_RATE_HZ, num_channels=1, dtype="float32", quality="HQ")
        )

    @property
    def held_back_samples(self) -> int:
        """Samples at 16 kHz that were fed and have not come out yet."""
        return 0 if self._stream is None else round(self._stream.delay())

    def feed(self, block: NDArray[np.float32]) -> Samples:
        """Returns the samples that are ready after this block; some are held back until more comes or `finish`."""
        mono = _mono(block)
        return mono if self._stream is None else self._stream.resample_chunk(mono)

    def finish(self) -> Samples:
        """Returns what was held back. Nothing may be fed afterwards."""
        nothing = np.zeros(0, dtype=np.float32)
        return nothing if self._stream is None else self._stream.resample_chunk(nothing, last=True)


def _mono(block: NDArray[np.float32]) -> Samples:
    mono = block if block.ndim == 1 else block.mean(axis=1, dtype=np.float32)
    # Files with float samples can hold anything; one NaN would silence the whole recording in the features.
    return np.clip(np.nan_to_num(mono, nan=0.0, posinf=1.0, neginf=-1.0), -1.0, 1.0).astype(np.float32, copy=False)
