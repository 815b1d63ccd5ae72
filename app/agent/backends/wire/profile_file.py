"""What was learned, about a server for example, in a file: the next start need not learn it again."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any, TypeAlias

from app.agent.json_types import JsonObject

_log = logging.getLogger(__name__)

_VERSION = 1

_State: TypeAlias = tuple[int, int, int] | None
"""What tells one file from the next in its place: inode, time of change in ns, size; None where there is none."""


class FileProfiles:
    """Keeps profiles in one JSON file, which is written anew as a whole and put in place at once.

    A file that can't be read or is from another version counts as empty: what it held is learned again. What another
    program writes into it, or that it has removed it, counts at once.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._profiles: dict[str, Any] | None = None
        self._seen: _State = None

    def load(self, key: str) -> JsonObject | None:
        """What was saved under `key`, or None."""
        profile = self._all().get(key)
        return profile if isinstance(profile, dict) else None

    def save(self, key: str, profile: JsonObject) -> None:
        """Keeps `profile` under `key`. Where the file can't be written, it is kept as long as the program runs."""
        self._write({**self._all(), key: dict(profile)})

    def remove(self, key: str) -> None:
        """Forgets what was saved under `key`."""
        self._write({saved: profile for saved, profile in self._all().items() if saved != key})

    def saved_under(self) -> tuple[str, ...]:
        """What something is saved under, oldest first."""
        return tuple(self._all())

    def _write(self, profiles: dict[str, Any]) -> None:
        self._profiles = profiles
        written = self._path.with_name(self._path.name + ".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps({"version": _VERSION, "profiles": profiles}), "utf-8")
            os.replace(written, self._path)
            self._seen = self._state()
        except OSError as error:
            _log.warning("what was learned could not be saved: %s", error.strerror)

    def _all(self) -> dict[str, Any]:
        state = self._state()
        if self._profiles is None or state != self._seen:
            self._profiles, self._seen = self._read(), state
        return self._profiles

    def _state(self) -> _State:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def _read(self) -> dict[str, Any]:
        try:
            stored = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        profiles = stored.get("profiles") if isinstance(stored, dict) and stored.get("version") == _VERSION else None
        return profiles if isinstance(profiles, dict) else {}
