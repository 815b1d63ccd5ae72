"""Starts the process in which speech is recognised, and talks to it. Imports nothing heavy: it begins early."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from typing import IO, cast

from app.voice import errors
from app.voice.errors import TranscriptionError
from app.voice.frames import read_frame, write_frame

ARGUMENT = "--recogniser"
"""What this program is started with to be that process."""

INTERRUPT = "interrupt"

_END_S = 5.0


class RecogniserProcessEndedError(TranscriptionError):
    """The process ended in the middle of its work, as by a crash in native code. The next call starts another one."""


@dataclass(frozen=True, slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    requests: IO[bytes]
    answers: IO[bytes]
    writing: threading.Lock = field(default_factory=threading.Lock)

    def write(self, frame: tuple[int, str, tuple[object, ...]]) -> None:
        """Raises OSError or ValueError where the process has ended."""
        with self.writing:
            write_frame(self.requests, frame)


class RecogniserProcess:
    """The process and the pipes to it. One call at a time waits; `interrupt` and `close` are for other threads."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._child: _Child | None = None
        self._number = 0
        self._calling = threading.Lock()
        self._changing = threading.Lock()
        """Never held while one waits for the process."""

    def start(self) -> None:
        """Starts the process, if there is none. Returns at once: it still has to import what it needs."""
        with self._changing:
            self._started()

    def call(self, method: str, *arguments: object) -> object:
        """Has a method of `RecogniserServer` done and waits for what it returns.

        Raises:
            VoiceError: As the method does; or `close` was called meanwhile.
            RecogniserProcessEndedError: The process ended meanwhile.
        """
        with self._calling:
            try:
                child = self._send(method, arguments)
                number, fine, value = _answer(child)
                while number != self._number:  # what `tell` asked for
                    number, fine, value = _answer(child)
            except (OSError, EOFError, ValueError) as error:
                raise self._ended() from error
        if fine:
            return value
        kind, message = cast("tuple[str, str]", value)
        raise getattr(errors, kind, TranscriptionError)(message)

    def tell(self, method: str, *arguments: object) -> None:
        """Has a method done some time; what it returns or raises is told to nobody, and neither is that it can't."""
        with contextlib.suppress(OSError, ValueError):
            self._send(method, arguments)

    def interrupt(self) -> None:
        """Interrupts what is being done. Returns at once: where a request is still being sent, it does nothing."""
        with self._changing:
            child = self._child
        if child is None or not child.writing.acquire(blocking=False):
            return
        try:
            with contextlib.suppress(OSError, ValueError):
                write_frame(child.requests, (0, INTERRUPT, ()))
        finally:
            child.writing.release()

    def close(self) -> None:
        """Ends the process and waits for its end. A call in progress raises; a later one starts another process."""
        child = self._taken()
        if child is not None:
            _end(child)

    def _started(self) -> _Child:
        if self._child is None:
            process = subprocess.Popen(
                _command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # A windowed build has no standard error, and the process writes there.
                stderr=None if sys.__stderr__ is not None else subprocess.DEVNULL,
                env=_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            assert process.stdin is not None
            assert process.stdout is not None
            self._child = _Child(process, process.stdin, process.stdout)
        return self._child

    def _send(self, method: str, arguments: tuple[object, ...]) -> _Child:
        with self._changing:
            child = self._started()
            self._number += 1
            number = self._number
        child.write((number, method, arguments))
        return child

    def _taken(self) -> _Child | None:
        with self._changing:
            child, self._child = self._child, None
            return child

    def _ended(self) -> TranscriptionError:
        child = self._taken()
        if child is None:  # `close` ended it.
            return TranscriptionError("Transcribing was stopped.")
        _end(child)
        return RecogniserProcessEndedError(
            f"The speech recogniser stopped unexpectedly (exit status {child.process.returncode}). "
            "Say it again; if it goes on, choose another model in Settings, page Voice."
        )


def _command() -> list[str]:
    """This program, packaged or not."""
    return [sys.executable, ARGUMENT] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app", ARGUMENT]


def _environment() -> dict[str, str]:
    """One thread for numpy: its idle threads spin for some 30 ms, on the cores that the encoder runs on meanwhile."""
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def _answer(child: _Child) -> tuple[int, bool, object]:
    return cast("tuple[int, bool, object]", read_frame(child.answers))


def _end(child: _Child) -> None:
    """It ends by itself when its input does; one that hangs, even in the middle of a request, is killed."""
    if child.writing.acquire(timeout=_END_S):
        with contextlib.suppress(OSError):
            child.requests.close()
    else:
        child.process.kill()
    try:
        child.process.wait(_END_S)
    except subprocess.TimeoutExpired:
        child.process.kill()
        child.process.wait()
    with contextlib.suppress(OSError):
        child.requests.close()
    child.answers.close()
