"""The look of the window, read from the settings file without pydantic, whose import takes a tenth of a second."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, get_args

from app.settings.choices import PUSH_TO_TALK_KEY, Scheme, TextSize
from app.settings.location import settings_path

_Choice = TypeVar("_Choice")


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What the window shows of the settings before the rest of the program is there."""

    scheme: Scheme = "system"
    text_size: TextSize = "normal"
    push_to_talk_key: str = PUSH_TO_TALK_KEY


def first_look(path: Path | None = None) -> FirstLook:
    """Reads it; what is missing or does not fit is at its default. Says nothing about it: `SettingsFile` will."""
    default = FirstLook()
    try:
        raw = json.loads((path or settings_path()).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return default
    look, key = _section(raw, "appearance"), _section(raw, "voice").get("push_to_talk_key")
    schemes: tuple[Scheme, ...] = get_args(Scheme)
    sizes: tuple[TextSize, ...] = get_args(TextSize)
    return FirstLook(
        _one_of(schemes, look.get("scheme"), default.scheme),
        _one_of(sizes, look.get("text_size"), default.text_size),
        key if isinstance(key, str) and key else default.push_to_talk_key,
    )


def _section(raw: object, name: str) -> dict[str, object]:
    section = raw.get(name) if isinstance(raw, dict) else None
    return section if isinstance(section, dict) else {}


def _one_of(choices: tuple[_Choice, ...], found: object, default: _Choice) -> _Choice:
    return next((choice for choice in choices if choice == found), default)
