"""A sound file in the place of a microphone: the same ring buffer and capture, no device."""

from __future__ import annotations

from pathlib import Path

from app.voice.audio_file import open_sound, sound_blocks
from app.voice.capture import Capture
from app.voice.ring import RingBuffer
from app.voice.types import NOTHING_RECORDED, Recording

_BLOCK_S = 0.02
"""What a device delivers at once."""


def record_file(path: Path | str) -> Recording:
    """Plays a sound file into the path of the microphone, as fast as it goes, and returns what it recorded.

    Raises:
        AudioFileError: Missing, unreadable, empty, or not sound.
    """
    with open_sound(path) as sound:
        ring = RingBuffer(sound.samplerate, sound.channels)
        capture = Capture(sound.samplerate)
        capture.start()
        for block in sound_blocks(sound, _BLOCK_S):
            ring.write(block)
            capture.feed(ring.read())
        capture.cut()
        return capture.take() or NOTHING_RECORDED
