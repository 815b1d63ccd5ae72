"""Where the database is: the environment first, then the setting, then a file in the person's data folder."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_data_path
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from app.store.errors import StoreError

FILE_NAME = "greenroom.db"


def data_folder() -> Path:
    """The folder for the person's data: `GREENROOM_DATA_DIR`, or the system's place for it. Not created here."""
    chosen = os.environ.get("GREENROOM_DATA_DIR", "")
    return Path(chosen).expanduser() if chosen else user_data_path("greenroom", appauthor=False)


def database_url(setting: str = "") -> URL:
    """Finds the database: `GREENROOM_DATABASE_URL`, else `setting`, else the SQLite file in `data_folder()`.

    Raises:
        StoreError: The address can't be read, or names a kind of database that is not supported.
    """
    text = os.environ.get("GREENROOM_DATABASE_URL", "").strip() or setting.strip()
    if not text:
        return URL.create("sqlite", database=str(data_folder() / FILE_NAME))
    return parse_url(text)


def parse_url(text: str) -> URL:
    """Reads an address such as `sqlite:///file.db` or `postgresql://user@host/name`.

    Raises:
        StoreError: It can't be read, or names a kind of database that is not supported.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        # The address may hold a password, so neither it nor the parser's message is shown.
        raise StoreError(
            "The address of the database can't be read. It starts with sqlite:/// or postgresql://."
        ) from (error)
    backend = url.get_backend_name()
    if backend == "sqlite":
        if not url.database or url.database == ":memory:":
            raise StoreError("The address of the database names no file.")
        return url.set(drivername="sqlite")
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    raise StoreError("The address of the database names a kind that Greenroom can't use. Use SQLite or PostgreSQL.")
