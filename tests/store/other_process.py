"""Runs a piece of Python in a process of its own, in step with the test: by words, never by waiting."""

from __future__ import annotations

import multiprocessing
import sys
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any

from app.store.database import Database
from app.store.drafts import Drafts
from app.store.errors import StoreError
from app.store.journal import SqlJournal
from app.store.store import Store

# Each process is forked from one that has imported what takes long, a second, and done nothing else.
if sys.platform == "win32":
    _PROCESSES = multiprocessing.get_context("spawn")
else:
    _PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["alembic.command", "psycopg", "app.store.store", "app.store.drafts", "app.store.journal"]
)


def _run(code: str, url: str, test: Connection) -> None:
    """The whole life of the other process."""

    def say(*words: object) -> None:
        test.send(" ".join(map(str, words)))

    known: dict[str, Any] = {
        "Drafts": Drafts,
        "SqlJournal": SqlJournal,
        "Store": Store,
        "StoreError": StoreError,
        "database": Database.open(url).database,
        "say": say,
        "wait": test.recv,
    }
    say("open")
    exec(code, known)


class OtherProcess:
    """`code` finds `database`, `say(words)` and `wait()`; a context manager that leaves no process behind."""

    def __init__(self, url: str, code: str) -> None:
        self._connection, theirs = _PROCESSES.Pipe()
        self._process = _PROCESSES.Process(target=_run, args=(code, url, theirs))
        self._process.start()
        theirs.close()

    def __enter__(self) -> OtherProcess:
        assert self.heard() == "open"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._process.close()
        self._connection.close()

    def heard(self) -> str:
        """What it says next; waits for it.

        Raises:
            EOFError: It has ended.
        """
        said: str = self._connection.recv()
        return said

    def go_on(self) -> None:
        """Ends its `wait()`."""
        self._connection.send(None)

    def kill(self) -> None:
        """Kills it with the signal that nothing can catch, and waits until it is gone."""
        self._process.kill()
        self._process.join()
