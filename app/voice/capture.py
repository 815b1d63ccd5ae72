"""Everything between a device (or a sound file) and the recogniser: resampling, pre-roll, release tail."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np
from numpy.typing import NDArray

from app.voice.endpointing import loudest_level
from app.voice.resample import MonoResampler
from app.voice.types import SAMPLE_RATE_HZ, Recording, Samples

PRE_ROLL_S = 0.3
"""People begin to speak while the key goes down: this much from before it is kept."""

RELEASE_TAIL_S = 0.2
"""People let the key go on the last syllable: this much after it is kept."""

LONGEST_S = 600.0
"""A recording ends by itself here, so that a stuck key doesn't fill the memory."""


class Capture:
    """Collects one recording after another from a stream of blocks.

    `feed` is called by one thread; the others may be called by any.
    """

    def __init__(
        self,
        sample_rate_hz: int,
        *,
        pre_roll_s: float = PRE_ROLL_S,
        release_tail_s: float = RELEASE_TAIL_S,
        longest_s: float = LONGEST_S,
    ) -> None:
        self._resampler = MonoResampler(sample_rate_hz)
        self._pre_roll_samples = round(pre_roll_s * SAMPLE_RATE_HZ)
        self._tail_samples = round(release_tail_s * SAMPLE_RATE_HZ)
        self._longest_samples = round(longest_s * SAMPLE_RATE_HZ)
        self._before: deque[Samples] = deque()
        self._before_samples = 0
        self._parts: list[Samples] = []
        self._length = 0
        self._end: int | None = None
        self._recording = False
        self._level = 0.0
        self._lock = threading.Lock()

    @property
    def is_recording(self) -> bool:
        """Between `start` and the moment when the release tail is full, or `cut`."""
        with self._lock:
            return self._recording and not self._complete()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is being recorded and no recording waits to be taken."""
        with self._lock:
            return not self._recording

    @property
    def level(self) -> float:
        """RMS between 0 and 1 of the latest block."""
        return self._level

    def start(self, *, pre_roll: bool = True) -> None:
        """Begins a recording, or goes on with the one whose release tail is still running.

        Args:
            pre_roll: Keep what came just before. Not wanted where the program itself was speaking.
        """
        with self._lock:
            if self._recording:
                self._end = None
                return
            self._recording = True
            self._end = None
            self._parts = list(self._before) if pre_roll else []
            self._length = sum(len(part) for part in self._parts)

    def stop(self, *, late_s: float = 0.0) -> None:
        """The key is up: what comes within the release tail is still kept.

        Args:
            late_s: How much sound from before this moment is still to be fed.
        """
        with self._lock:
            if self._recording and self._end is None:
                late = self._resampler.held_back_samples + round(late_s * SAMPLE_RATE_HZ)
                self._end = self._length + late + self._tail_samples

    def cut(self) -> None:
        """The stream has ended: so has the recording, with what there is. Nothing may be fed afterwards."""
        with self._lock:
            self._add(self._resampler.finish())
            self._end = self._length

    def discard(self) -> None:
        """Forgets the recording."""
        with self._lock:
            self._forget()

    def feed(self, block: NDArray[np.float32]) -> None:
        """Takes the next block of the stream, shape (frames, channels), at the stream's own rate."""
        samples = self._resampler.feed(block)
        self._level = loudest_level(samples)
        with self._lock:
            if self._recording:
                self._add(samples)
            self._remember(samples)

    def so_far(self) -> Recording:
        """A copy of what has been recorded up to now."""
        with self._lock:
            return Recording(self._joined())

    def take(self) -> Recording | None:
        """Returns the recording if it is complete, and forgets it; otherwise None."""
        with self._lock:
            if not (self._recording and self._complete()):
                return None
            recording = Recording(self._joined()[: self._end])
            self._forget()
            return recording

    def _add(self, samples: Samples) -> None:
        self._parts.append(samples)
        self._length += len(samples)
        if self._length >= self._longest_samples:
            self._end = min(self._end or self._longest_samples, self._longest_samples)

    def _remember(self, samples: Samples) -> None:
        self._before.append(samples)
        self._before_samples += len(samples)
        while self._before and self._before_samples - len(self._before[0]) >= self._pre_roll_samples:
            self._before_samples -= len(self._before.popleft())

    def _complete(self) -> bool:
        return self._end is not None and self._length >= self._end

    def _joined(self) -> Samples:
        return np.concatenate(self._parts) if self._parts else np.zeros(0, dtype=np.float32)

    def _forget(self) -> None:
        self._recording = False
        self._end = None
        self._parts = []
        self._length = 0
