"""Turns what database drivers raise into sentences."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.store.errors import StoreError

READ_ONLY = "The database can't be changed: its file or folder is read-only."

_SQLITE_SENTENCES = {
    "SQLITE_BUSY": "Another program is using the database. Try again in a moment.",
    "SQLITE_LOCKED": "Another program is using the database. Try again in a moment.",
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_PERM": "The database can't be opened: access to its file is not allowed.",
    "SQLITE_AUTH": "The database can't be opened: access to its file is not allowed.",
    "SQLITE_CANTOPEN": "The database can't be opened: its file or folder is missing or not accessible.",
    "SQLITE_FULL": "The disk is full. Nothing was saved: free some space and try again.",
    "SQLITE_IOERR": "The disk reported an error. Nothing was saved.",
    "SQLITE_CORRUPT": "The database is damaged. Restart Greenroom: it sets the damaged file aside and says where.",
    "SQLITE_NOTADB": "The database is damaged. Restart Greenroom: it sets the damaged file aside and says where.",
    "SQLITE_TOOBIG": "The text is too long for the database. Nothing was saved.",
}


def sqlite_sentence(error: sqlite3.Error) -> str:
    """The sentence for an error of SQLite; extended codes (`SQLITE_IOERR_WRITE`) read as their family."""
    name = str(getattr(error, "sqlite_errorname", ""))
    family = "_".join(name.split("_")[:2])
    return _SQLITE_SENTENCES.get(family, "The database could not do that. Nothing was saved.")


def sentence(error: SQLAlchemyError) -> str:
    """The sentence for any error of the database layer. Holds no address, path or value."""
    if isinstance(error, PoolTimeoutError):
        return "The database does not answer. Try again in a moment."
    if isinstance(error, IntegrityError):
        return "Something else still refers to this, or it refers to something that is gone. Nothing was saved."
    if isinstance(error, DBAPIError):
        if isinstance(error.orig, sqlite3.Error):
            return sqlite_sentence(error.orig)
        if error.connection_invalidated or isinstance(error, OperationalError):
            return "The database server can't be reached. Check the network and the address in Settings."
    return "The database could not do that. Nothing was saved."


@contextmanager
def in_words() -> Iterator[None]:
    """Raises `StoreError` with a sentence in place of any error of the database layer inside."""
    try:
        yield
    except SQLAlchemyError as error:
        raise StoreError(sentence(error)) from error
