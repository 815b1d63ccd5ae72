"""Looks at a SQLite file before it is used, and sets a damaged one aside. Changes nothing in the file itself."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias

from app.store.errors import StoreError
from app.store.failures import sqlite_sentence

State: TypeAlias = Literal["absent", "empty", "ours", "foreign", "damaged"]
_COMPANIONS = ("-wal", "-shm", "-journal")
_DAMAGED_CODES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@dataclass(frozen=True, slots=True)
class FileState:
    """What a file holds. `revision` is the migration it stands at, where it is ours."""

    state: State
    revision: str = ""


def inspect(path: Path) -> FileState:
    """Reads what the file holds, on a connection that can't write.

    Raises:
        StoreError: It can't be read at all (no access, locked).
    """
    if not path.exists():
        return FileState("absent")
    if not path.is_file():
        raise StoreError("The database can't be opened: there is a folder where its file should be.")
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=2.0)) as connection:
            return _read(connection)
    except sqlite3.DatabaseError as error:
        # The low byte is the family of an extended code.
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _DAMAGED_CODES:
            return FileState("damaged")
        raise StoreError(sqlite_sentence(error)) from error


def _read(connection: sqlite3.Connection) -> FileState:
    if connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        return FileState("damaged")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not tables:
        return FileState("empty")
    if "alembic_version" not in tables:
        return FileState("foreign")
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return FileState("ours", row[0] if row else "")


def set_aside(path: Path) -> Path:
    """Renames a damaged file, and what SQLite keeps beside it, to a name that nothing has. Returns the new path.

    Raises:
        StoreError: The folder allows no renaming.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    names = (f"{path.stem}-damaged-{stamp}{suffix}{path.suffix}" for suffix in ("", *(f"-{n}" for n in range(2, 1000))))
    target = next(each for each in (path.with_name(name) for name in names) if not each.exists())
    try:
        path.rename(target)
        for companion in _COMPANIONS:
            beside = path.with_name(path.name + companion)
            if beside.exists():
                beside.rename(target.with_name(target.name + companion))
    except OSError as error:
        raise StoreError("The database is damaged and can't be set aside: its folder is read-only.") from error
    return target
