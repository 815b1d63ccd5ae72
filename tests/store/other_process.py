"""Runs a piece of Python in a process of its own, in step with the test: by lines, never by waiting."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import app

PREAMBLE = """
import sys
from app.store.database import Database
from app.store.drafts import Drafts
from app.store.errors import StoreError
from app.store.journal import SqlJournal
from app.store.store import Store

def say(*words):
    print(*words, flush=True)

def wait():
    sys.stdin.readline()

database = Database.open(sys.argv[1]).database
say("open")
"""


class OtherProcess:
    """`code` finds `database`, `say(words)` and `wait()`; a context manager that leaves no process behind."""

    def __init__(self, url: str, code: str) -> None:
        environment = {**os.environ, "PYTHONPATH": str(Path(app.__file__).parents[1])}
        self._process = subprocess.Popen(
            [sys.executable, "-c", PREAMBLE + code, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )

    def __enter__(self) -> OtherProcess:
        assert self.heard() == "open"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def heard(self) -> str:
        """The next line it says; waits for it."""
        assert self._process.stdout is not None
        return self._process.stdout.readline().rstrip("\n")

    def go_on(self) -> None:
        """Ends its `wait()`."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def kill(self) -> None:
        """Kills it with the signal that nothing can catch, and waits until it is gone."""
        self._process.kill()
        self._process.wait()
