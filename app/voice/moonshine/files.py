"""Finds the files of the Moonshine model: the person's model folder, then the bundled package."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from app.voice.models import models_folder

NAME = "moonshine-base"
"""The sub-folder of the person's model folder where it is looked for."""

ENCODER, DECODER, TOKENS = "encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin"

_PACKAGE = "moonshine_cpp"
"""Moonshine AI's own package. Only its files are used: it is never imported, and its native code is not loaded."""


def find_moonshine(*, folder: Path | None = None) -> Path | None:
    """The folder of a whole Moonshine base model for English, or None where there is none on this machine.

    Args:
        folder: Where the person's models are; by default `models_folder()`.
    """
    own = (models_folder() if folder is None else folder) / NAME
    spec = importlib.util.find_spec(_PACKAGE)
    bundled = [Path(spec.origin).parent / "models" / "base-en"] if spec is not None and spec.origin else []
    return next((place for place in (own, *bundled) if _is_whole(place)), None)


def _is_whole(place: Path) -> bool:
    return all((place / file).is_file() for file in (ENCODER, DECODER, TOKENS))
