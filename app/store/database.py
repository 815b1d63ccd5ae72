"""Opens the database: finds it, checks it, migrates it, and gives out transactions."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL
from sqlalchemy.orm import Session

from app.store import migrations, sqlite_file
from app.store.errors import StoreError
from app.store.failures import READ_ONLY, in_words
from app.store.location import database_url, parse_url

BUSY_TIMEOUT_MS = 2_000
"""How long a call waits for another program's transaction; those last milliseconds."""

_BEGIN_OPTION = "greenroom_begin"


@dataclass(frozen=True, slots=True)
class Opened:
    """An open database. `notice` is a sentence for the person about something that happened, or empty."""

    database: Database
    notice: str = ""


class Database:
    """A connection pool with the schema in place. Safe to use from several threads; close it at the end."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        # A transaction that will write takes SQLite's write lock at once: one that began by reading would fail,
        # without waiting, if another program wrote in between.
        self._writing = engine.execution_options(**{_BEGIN_OPTION: "BEGIN IMMEDIATE"})

    @classmethod
    def open(cls, url: URL | str | None = None) -> Opened:
        """Opens the database at `url`, or where `database_url()` says, and brings its schema up to date.

        A damaged SQLite file is set aside under a new name, and a new database is begun.

        Raises:
            NewerDatabaseError: A newer version of Greenroom wrote it; it is left as it is.
            StoreError: It can't be opened: read-only, locked, full disk, unreachable, not ours.
        """
        address = database_url() if url is None else parse_url(url) if isinstance(url, str) else url
        notice = ""
        if address.get_backend_name() == "sqlite":
            notice = _prepare_file(Path(str(address.database)))
        database = cls(_engine(address))
        try:
            database._migrate()
        except BaseException:
            database.close()
            raise
        return Opened(database, notice)

    @property
    def kind(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._engine.dialect.name

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """One transaction that only reads.

        Raises:
            StoreError: The database failed.
        """
        with in_words(), Session(self._engine) as session, session.begin():
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """One transaction that writes: committed at the end, rolled back on any error.

        Raises:
            StoreError: The database failed; nothing was written.
        """
        with in_words(), Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    @contextmanager
    def reading_rows(self) -> Iterator[Connection]:
        """As `reading`, for statements alone.

        Raises:
            StoreError: The database failed.
        """
        with in_words(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def writing_rows(self) -> Iterator[Connection]:
        """As `writing`, for statements alone: without what a session knows of objects it takes a third of the time.

        Raises:
            StoreError: The database failed; nothing was written.
        """
        with in_words(), self._writing.begin() as connection:
            yield connection

    def close(self) -> None:
        """Closes all connections."""
        self._engine.dispose()

    def _migrate(self) -> None:
        with in_words():
            with self._engine.connect() as connection:
                revision = migrations.current_revision(connection)
            if revision == migrations.HEAD:
                return
            with self._writing.begin() as connection:
                if self.kind == "postgresql":
                    # Two programs starting at once: the second waits here, then finds nothing to do.
                    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('greenroom migrations'))"))
                migrations.upgrade(connection)


def _prepare_file(path: Path) -> str:
    """Makes the folder, checks the file, sets a damaged one aside. Returns the notice."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise StoreError("The folder for the database can't be made. Choose another folder.") from error
    if not os.access(path.parent, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise StoreError(READ_ONLY)
    found = sqlite_file.inspect(path)
    if found.state == "foreign":
        raise StoreError("The database file belongs to another program. Choose another file.")
    if found.state == "ours" and found.revision != migrations.HEAD:
        # Before anything opens the file for writing.
        migrations.check_known(found.revision)
    if found.state != "damaged":
        return ""
    kept = sqlite_file.set_aside(path)
    return f"The database was damaged. It was kept as {kept.name} beside the new one, which is empty."


def _engine(address: URL) -> Engine:
    if address.get_backend_name() == "sqlite":
        engine = create_engine(address)
        event.listen(engine, "connect", _set_up_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        return create_engine(address, pool_pre_ping=True, connect_args={"connect_timeout": 5})
    except ModuleNotFoundError as error:
        raise StoreError("PostgreSQL needs one more package: install greenroom[postgres].") from error


def _set_up_sqlite(connection: Any, _record: Any) -> None:
    # The driver's own transaction handling commits before DDL; with None, BEGIN is ours alone (see _begin_sqlite).
    connection.isolation_level = None
    # With a write-ahead log, NORMAL waits for the disk at a checkpoint, not at each commit. A program that is killed
    # loses nothing: what was committed is with the system. A power cut may take back the last commits, always the
    # latest first, and leaves the file in order; a turn would otherwise wait for the disk eleven times.
    for pragma in (
        f"busy_timeout = {BUSY_TIMEOUT_MS}",
        "foreign_keys = ON",
        "journal_mode = WAL",
        "synchronous = NORMAL",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_BEGIN_OPTION, "BEGIN"))
