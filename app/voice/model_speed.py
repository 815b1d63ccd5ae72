"""How quick a speech model is on this machine: measured once, and kept beside the models."""

from __future__ import annotations

import os
import platform
import statistics
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from app.voice.download import Cancellation
from app.voice.errors import TranscriptionError
from app.voice.models import SpeechModels
from app.voice.remote_recogniser import RemoteRecogniser
from app.voice.types import Recording

_FILE = "speeds.json"
_RUNS = 3


@dataclass(frozen=True, slots=True)
class Speed:
    """The time from the end of a spoken command to its words.

    Attributes:
        seconds: Median of three runs, the model being loaded.
        sample_s: Length of the command.
    """

    seconds: float
    sample_s: float

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s for {self.sample_s:.1f} s of speech"


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True)

    seconds: float
    sample_s: float
    model_bytes: int
    machine: str


class _Entries(BaseModel):
    speeds: dict[str, _Entry] = {}


class SpeedBook:
    """The speeds measured on this machine; those from another one, or of other files, don't count."""

    def __init__(self, folder: Path) -> None:
        """Keeps them in `folder`. May be used from several threads."""
        self._file = folder / _FILE
        self._lock = threading.Lock()

    def kept(self, name: str, model: Path) -> Speed | None:
        """The speed of a model, if it has been measured."""
        entry = self._read().speeds.get(name)
        if entry is None or (entry.model_bytes, entry.machine) != (_model_bytes(model), _machine()):
            return None
        return Speed(entry.seconds, entry.sample_s)

    def measure(self, name: str, model: Path, sample: Recording, cancellation: Cancellation | None = None) -> Speed:
        """Loads the model, recognises the sample, and keeps how long that took. Takes some seconds.

        Args:
            name, model: Which, and its folder.
            sample: A spoken command.
            cancellation: Ends it from another thread, after the run that is under way.

        Raises:
            TranscriptionError: The model can't be loaded, or fails; or it was cancelled.
        """
        transcriber = RemoteRecogniser(SpeechModels(model))
        taken_s: list[float] = []
        try:
            transcriber.rehearse()
            while len(taken_s) < _RUNS:
                if cancellation is not None and cancellation.is_wanted:
                    raise TranscriptionError("Measuring was stopped.")
                taken_s.append(transcriber.transcribe(sample).transcribe_ms / 1000)
        finally:
            transcriber.close()
        speed = Speed(round(statistics.median(taken_s), 3), round(sample.duration_s, 2))
        self._keep(name, _Entry(**_fields(speed), model_bytes=_model_bytes(model), machine=_machine()))
        return speed

    def forget(self, name: str) -> None:
        """Drops what is known of a model that is removed."""
        self._keep(name, None)

    def _keep(self, name: str, entry: _Entry | None) -> None:
        with self._lock:
            speeds = {key: kept for key, kept in self._read().speeds.items() if key != name}
            if entry is not None:
                speeds[name] = entry
            try:
                self._file.parent.mkdir(parents=True, exist_ok=True)
                _replace(self._file, _Entries(speeds=speeds).model_dump_json(indent=1))
            except OSError:
                return  # It will be measured again.

    def _read(self) -> _Entries:
        try:
            return _Entries.model_validate_json(self._file.read_bytes())
        except (OSError, ValidationError):  # None yet, or damaged: then they are measured again.
            return _Entries()


def _fields(speed: Speed) -> dict[str, float]:
    return {"seconds": speed.seconds, "sample_s": speed.sample_s}


def _model_bytes(model: Path) -> int:
    return (model / "model.bin").stat().st_size


def _machine() -> str:
    return f"{platform.node()} {platform.machine()} {os.cpu_count()}"


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(name).replace(path)
