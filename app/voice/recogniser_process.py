"""Starts the process in which speech is recognised, and talks to it. Imports nothing heavy: it begins early."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from typing import BinaryIO, cast

from app.voice import errors
from app.voice.errors import TranscriptionError
from app.voice.frames import read_frame, write_frame

ARGUMENT = "--recogniser"
"""What this program is started with to be that process."""

INTERRUPT = "interrupt"

_END_S = 5.0


class RecogniserProcessEndedError(TranscriptionError):
    """The process ended in the middle of its work, as by a crash in native code. The next call starts another one."""


class RecogniserProcess:
    """The process and the pipes to it. One call at a time waits; `interrupt` and `close` are for other threads."""

    def __init__(self) -> None:
        """Starts nothing yet."""
        self._process: subprocess.Popen[bytes] | None = None
        self._number = 0
        self._calling = threading.Lock()
        self._changing = threading.RLock()
        """Held while a frame is written, and while the process is started or ended; never while one waits for it."""

    def start(self) -> None:
        """Starts the process, if there is none. Returns at once: it still has to import what it needs."""
        with self._changing:
            if self._process is None:
                self._process = subprocess.Popen(
                    _command(),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=_environment(),
                    creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
                )

    def call(self, method: str, *arguments: object) -> object:
        """Has a method of `RecogniserServer` done and waits for what it returns.

        Raises:
            VoiceError: As the method does; or `close` was called meanwhile.
            RecogniserProcessEndedError: The process ended meanwhile.
        """
        with self._calling:
            try:
                process = self._send(method, arguments)
                number, fine, value = self._answer(process)
                while number != self._number:  # what `tell` asked for
                    number, fine, value = self._answer(process)
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
        """Interrupts what is being done."""
        with self._changing, contextlib.suppress(OSError, ValueError):
            if self._process is not None:
                write_frame(_pipe(self._process.stdin), (0, INTERRUPT, ()))

    def close(self) -> None:
        """Ends the process and waits for its end. A call in progress raises; a later one starts another process."""
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            _end(process)

    def _send(self, method: str, arguments: tuple[object, ...]) -> subprocess.Popen[bytes]:
        with self._changing:
            self.start()
            process = cast("subprocess.Popen[bytes]", self._process)
            self._number += 1
            write_frame(_pipe(process.stdin), (self._number, method, arguments))
            return process

    def _answer(self, process: subprocess.Popen[bytes]) -> tuple[int, bool, object]:
        return cast("tuple[int, bool, object]", read_frame(_pipe(process.stdout)))

    def _ended(self) -> TranscriptionError:
        with self._changing:
            process, self._process = self._process, None
        if process is None:  # `close` ended it.
            return TranscriptionError("Transcribing was stopped.")
        _end(process)
        return RecogniserProcessEndedError(
            f"The speech recogniser stopped unexpectedly (exit status {process.returncode}). "
            "Say it again; if it goes on, choose another model in Settings, page Voice."
        )


def _command() -> list[str]:
    """This program, packaged or not."""
    return [sys.executable, ARGUMENT] if getattr(sys, "frozen", False) else [sys.executable, "-m", "app", ARGUMENT]


def _environment() -> dict[str, str]:
    """One thread for numpy: its idle threads spin for some 30 ms, on the cores that the encoder runs on meanwhile."""
    return {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


def _pipe(pipe: object) -> BinaryIO:
    return cast(BinaryIO, pipe)


def _end(process: subprocess.Popen[bytes]) -> None:
    """It ends by itself when its input does."""
    with contextlib.suppress(OSError):
        _pipe(process.stdin).close()
    try:
        process.wait(_END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _pipe(process.stdout).close()
