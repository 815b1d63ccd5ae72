"""`greenroom models`: lists the speech models, gets and removes them. Needs no Qt."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from app.agent.json_types import Json
from app.resources import resources_dir
from app.settings import SettingsFile
from app.voice.download import Progress
from app.voice.errors import ModelMissingError, VoiceError
from app.voice.file_microphone import record_file
from app.voice.model_manager import ModelInfo, ModelManager
from app.voice.types import Recording

_DONE, _WRONG_USAGE, _FAILED, _INTERRUPTED = 0, 2, 4, 130
_SAMPLE = "accept-and-save-joe.flac"
_STEPS = 20
"""Where the progress goes into a file, it is told this often."""

_PLACES: Mapping[str, str] = {"own": "in the models folder", "bundled": "came with a package"}


def model_manager() -> ModelManager:
    """The models of this machine; a recording of the program's own serves to measure them."""
    return ModelManager(_sample)


def list_models(*, as_json: bool) -> int:
    """Prints all models; those that are here and were not measured yet are measured first."""
    manager, in_use = model_manager(), _in_use()
    infos = [_measured(manager, info) for info in manager.models(in_use)]
    if as_json:
        print(json.dumps([_as_json(info) for info in infos], ensure_ascii=False))
        return _DONE
    rows: list[tuple[str, ...]] = [("", "name", "size", "languages", "speed on this machine", "where")]
    rows += [_row(info) for info in infos]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    print("* is the one in use: Settings, page Voice.")
    return _DONE


def get_model(name: str) -> int:
    """Downloads a model; returns the exit status."""
    manager = model_manager()
    try:
        if any(info.name == name and info.path is not None for info in manager.models()):
            print(f"{name} is here already.")
            return _DONE
        teller = _ProgressLine()
        path = manager.get(name, teller.tell)
        teller.end()
        print(f"{name} is in {path}. Choose it in Settings, page Voice.")
        print(f"Speed on this machine: {manager.speed(name)}.")
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on where it was.", file=sys.stderr)
        return _INTERRUPTED
    except VoiceError as error:
        return _failed(error)
    return _DONE


def remove_model(name: str) -> int:
    """Removes a model from the models folder; returns the exit status."""
    try:
        freed = model_manager().remove(name, _in_use())
    except VoiceError as error:
        return _failed(error)
    print(f"{name} was removed. {_size(freed)} are free again.")
    return _DONE


class _ProgressLine:
    """Tells a download's progress on standard error: in one line of a terminal, or in a few lines of a file."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._step = -1

    def tell(self, progress: Progress) -> None:
        step = int(progress.share * _STEPS)
        text = f"{progress.share:4.0%}  {_size(progress.received_bytes)} of {_size(progress.total_bytes)}"
        if self._terminal:
            print(f"\r{text}", end="", file=sys.stderr, flush=True)
        elif step != self._step:
            print(text, file=sys.stderr, flush=True)
        self._step = step

    def end(self) -> None:
        if self._terminal:
            print(file=sys.stderr)


def _failed(error: VoiceError) -> int:
    print(str(error), file=sys.stderr)
    return _WRONG_USAGE if isinstance(error, ModelMissingError) else _FAILED


def _measured(manager: ModelManager, info: ModelInfo) -> ModelInfo:
    if info.path is None or info.speed is not None:
        return info
    print(f"Measuring {info.name} on this machine, once …", file=sys.stderr, flush=True)
    try:
        return replace(info, speed=manager.speed(info.name))
    except VoiceError as error:
        print(f"{info.name}: {error}", file=sys.stderr)
        return info


def _row(info: ModelInfo) -> tuple[str, ...]:
    where = _PLACES.get(info.place, f"not here: greenroom models get {info.name}")
    if info.partial_bytes:
        where += f" ({_size(info.partial_bytes)} have come)"
    speed = str(info.speed) if info.speed else ""
    return ("*" if info.in_use else "", info.name, _size(info.size_bytes), info.languages, speed, where)


def _as_json(info: ModelInfo) -> dict[str, Json]:
    return {
        "name": info.name,
        "languages": info.languages,
        "size_bytes": info.size_bytes,
        "place": info.place,
        "path": str(info.path) if info.path else None,
        "in_use": info.in_use,
        "speed_s": info.speed.seconds if info.speed else None,
        "partial_bytes": info.partial_bytes,
    }


def _size(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:,.0f} MB"


def _in_use() -> str:
    return SettingsFile().load().settings.voice.model


def _sample() -> Recording:
    path: Path = resources_dir() / "tour" / _SAMPLE
    return record_file(path)
