"""The settings file: read with care, written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from app.settings.location import settings_path
from app.settings.model import VERSION, Settings


class SettingsError(Exception):
    """The settings can't be saved. `str()` is one readable sentence."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings as the file has them. `notice` is a sentence for the person about what was wrong, or empty."""

    settings: Settings
    notice: str = ""


class SettingsFile:
    """One settings file.

    Args:
        path: Where it is; by default in `GREENROOM_CONFIG_DIR`, or the system's folder for settings.
    """

    def __init__(self, path: Path | None = None) -> None:
        # A link (as people keep who share their settings between machines) stays one: its target is replaced.
        self.path = (path or settings_path()).resolve()
        self._newer = False

    def load(self) -> Loaded:
        """Reads the file. Without one, or with one that can't be used, there are the defaults.

        A file that is not JSON is set aside under a new name. A value that does not fit is put at its default, the
        others count. A file of a newer version is left alone.
        """
        self._newer = False
        try:
            raw = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return Loaded(Settings())
        except OSError:
            return Loaded(Settings(), "The settings can't be read: access to their file is not allowed.")
        except (ValueError, RecursionError):
            return Loaded(Settings(), self._set_aside())
        if not isinstance(raw, dict):
            return Loaded(Settings(), self._set_aside())
        if isinstance(raw.get("version"), int | float) and raw["version"] > VERSION:
            self._newer = True
            return Loaded(
                Settings(), "The settings were written by a newer version of Greenroom. The defaults are used for now."
            )
        try:
            return _lenient(raw)
        except ValidationError:
            return Loaded(Settings(), self._set_aside())

    def save(self, settings: Settings) -> None:
        """Writes the settings: afterwards the file holds the old ones or the new ones, whatever happens.

        Raises:
            SettingsError: They can't be written, or a newer version wrote what is there.
        """
        if self._newer:
            raise SettingsError("The settings belong to a newer version of Greenroom, so they are not changed.")
        text = json.dumps(settings.model_dump(), indent=2, ensure_ascii=False) + "\n"
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _replace(self.path, text)
        except OSError as error:
            raise SettingsError(
                f"The settings can't be saved: {(error.strerror or 'the disk failed').lower()}."
            ) from error

    def _set_aside(self) -> str:
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
        kept = self.path.with_name(f"{self.path.stem}-damaged-{stamp}{self.path.suffix}")
        try:
            self.path.rename(kept)
        except OSError:
            return "The settings are damaged and can't be read. The defaults are used."
        return f"The settings were damaged. They were kept as {kept.name}, and the defaults are used."


def _lenient(raw: dict[str, Any]) -> Loaded:
    """Validates, and puts at its default each value that does not fit.

    Raises:
        ValidationError: What does not fit is no value that could be left out.
    """
    dropped: dict[str, None] = {}
    while True:
        try:
            settings = Settings.model_validate(raw)
        except ValidationError as error:
            for problem in error.errors(include_url=False, include_context=False, include_input=False):
                place = problem["loc"][:2]
                if not place:
                    raise
                dropped[".".join(map(str, place))] = None
                _drop(raw, place)
            continue
        if not dropped:
            return Loaded(settings)
        return Loaded(settings, f"Some settings could not be used and are at their defaults: {', '.join(dropped)}.")


def _drop(raw: dict[str, Any], place: tuple[int | str, ...]) -> None:
    inner: Any = raw
    for key in place[:-1]:
        inner = inner.get(key, {})
    inner.pop(place[-1], None)


def _replace(path: Path, text: str) -> None:
    # Same folder, so that the rename stays on one disk; mkstemp lets only the owner read it.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        # A lone surrogate (a file or device name may hold one) is written as its JSON escape.
        with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    if os.name == "posix":
        # The rename itself is on the disk only once the folder is.
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
