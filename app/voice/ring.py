"""The ring buffer between the audio callback, which may do nothing but copy, and the thread that reads it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class RingBuffer:
    """One writer, one reader, no lock: each side moves only its own counter of frames, which never wraps.

    A reader that is too late loses the oldest frames, never the newest; `lost_frames` counts them.
    """

    def __init__(self, frames: int, channels: int) -> None:
        self._data = np.zeros((frames, channels), dtype=np.float32)
        self._written = 0
        self._read = 0
        self.lost_frames = 0

    @property
    def written_frames(self) -> int:
        """Frames ever written."""
        return self._written

    @property
    def unread_frames(self) -> int:
        """Frames that wait to be read; those that were lost do not."""
        return min(self._written - self._read, len(self._data))

    def write(self, block: NDArray[np.float32]) -> None:
        """Copies a block of shape (frames, channels); of a block longer than the ring only its end is kept."""
        size = len(self._data)
        kept = block[-size:]
        at = (self._written + len(block) - len(kept)) % size
        first = min(len(kept), size - at)
        self._data[at : at + first] = kept[:first]
        self._data[: len(kept) - first] = kept[first:]
        self._written += len(block)

    def read(self) -> NDArray[np.float32]:
        """Returns a copy of what was written since the last call, shape (frames, channels)."""
        size = len(self._data)
        end = self._written
        start = max(self._read, end - size)
        self.lost_frames += start - self._read
        self._read = end
        at, until = start % size, start % size + end - start
        if until <= size:
            return self._data[at:until].copy()
        return np.concatenate((self._data[at:], self._data[: until - size]))
