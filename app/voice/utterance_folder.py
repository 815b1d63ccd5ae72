"""A folder of utterances: for each a sound file and a text file of the same name; the oldest go when it is full."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile

from app.voice.audio_file import load
from app.voice.types import Recording

LIMIT_BYTES = 200_000_000
"""Some thousand commands."""

_OURS = re.compile(r"\d{8}-\d{6}-\d{6}-[0-9a-f]{12}\.(json|flac)")
"""A person may name any folder: nothing else in it is ever touched."""


class UtteranceFolder:
    """Writes and reads it. One thread at a time writes."""

    def __init__(self, folder: Path, *, limit_bytes: int = LIMIT_BYTES) -> None:
        """Creates nothing yet.

        Args:
            folder: Made when something is first written, for its owner alone.
            limit_bytes: What all files together may take.
        """
        self.folder = folder
        self._limit_bytes = limit_bytes

    def write(self, name: str, record: str, recording: Recording | None) -> None:
        """Keeps one utterance, and removes the oldest while there is too much.

        Args:
            name: Date, time and an identity, as `20260503-091500-123456-0f1e2d3c4b5a`: names sort by age.
            record: JSON.
            recording: The sound; None for what was typed.

        Raises:
            OSError: The folder can't be written to.
        """
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if recording is not None:
            # 24 bits: with 16, what is heard again may differ in a close case.
            samples = np.clip(recording.samples, -1.0, 1.0)
            self._put(
                f"{name}.flac",
                lambda path: soundfile.write(path, samples, recording.sample_rate_hz, format="FLAC", subtype="PCM_24"),
            )
        # Last, so that a record never is without its sound.
        self._put(f"{name}.json", lambda path: path.write_text(record, encoding="utf-8"))
        self._prune()

    def names(self) -> list[str]:
        """The utterances in it, the oldest first."""
        return [path.stem for path in self._files() if path.suffix == ".json"]

    def record(self, name: str) -> str:
        """The JSON of an utterance.

        Raises:
            OSError: It can't be read.
        """
        return (self.folder / f"{name}.json").read_text(encoding="utf-8")

    def recording(self, name: str) -> Recording | None:
        """The sound of an utterance; None where it was typed.

        Raises:
            AudioFileError: It is damaged.
        """
        path = self.folder / f"{name}.flac"
        return load(path) if path.is_file() else None

    def _put(self, name: str, write: Callable[[Path], object]) -> None:
        handle, temporary = tempfile.mkstemp(dir=self.folder, prefix=".")  # Readable by the owner only.
        os.close(handle)
        path = Path(temporary)
        try:
            write(path)
            path.replace(self.folder / name)
        finally:
            path.unlink(missing_ok=True)

    def _prune(self) -> None:
        files = self._files()
        total = sum(path.stat().st_size for path in files)
        for path in files:
            if total <= self._limit_bytes:
                return
            total -= path.stat().st_size
            path.unlink()

    def _files(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        # Of one utterance the record comes before the sound, in reverse order of writing: so it goes first, too.
        return sorted(
            (path for path in self.folder.iterdir() if _OURS.fullmatch(path.name)),
            key=lambda path: (path.stem, path.suffix == ".flac"),
        )
