"""Reads sound files of any usual kind, rate, width and number of channels."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import soundfile
from numpy.typing import NDArray

from app.voice.errors import AudioFileError
from app.voice.resample import MonoResampler
from app.voice.types import Recording

_BLOCK_S = 5.0
"""Files are read in pieces, so that ten minutes of 48 kHz stereo never lie in memory at full size."""


def load(path: Path | str) -> Recording:
    """Reads a sound file (WAV, FLAC, OGG, MP3 and what else libsndfile knows) as mono, 16 kHz.

    A file that is sound but 0 s long gives an empty `Recording`.

    Raises:
        AudioFileError: Missing, unreadable, empty, or not sound.
    """
    with open_sound(path) as sound:
        resampler = MonoResampler(sound.samplerate)
        parts = [resampler.feed(block) for block in sound_blocks(sound, _BLOCK_S)]
        parts.append(resampler.finish())
    return Recording(np.concatenate(parts))


def open_sound(path: Path | str) -> soundfile.SoundFile:
    """Opens a sound file for reading; the caller closes it.

    Raises:
        AudioFileError: Missing, unreadable, empty, or not sound.
    """
    path = Path(path)
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise AudioFileError(f"{path.name} is a folder. Give a sound file.")
        if size == 0:
            raise AudioFileError(f"{path.name} is empty (0 bytes). Record it again.")
        with path.open("rb"):
            return soundfile.SoundFile(path)
    except FileNotFoundError:
        raise AudioFileError(f"There is no file {path}. Check the name and the folder.") from None
    except OSError as error:
        raise AudioFileError(f"{path.name} can't be read: {error.strerror or error}.") from error
    except soundfile.LibsndfileError as error:
        raise AudioFileError(
            f"{path.name} is not a sound file that can be read here. Use WAV, FLAC, OGG or MP3."
        ) from error


def sound_blocks(sound: soundfile.SoundFile, block_s: float) -> Iterator[NDArray[np.float32]]:
    """Yields the rest of an open file in blocks of shape (frames, channels).

    Raises:
        AudioFileError: The file is damaged further on.
    """
    frames = max(1, round(block_s * sound.samplerate))
    try:
        while len(block := sound.read(frames, dtype="float32", always_2d=True)):
            yield block
    except soundfile.LibsndfileError as error:
        raise AudioFileError(f"{Path(sound.name).name} is damaged and can't be read to its end.") from error
