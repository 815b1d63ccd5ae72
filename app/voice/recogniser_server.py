"""What the recogniser's process does: hears, one request after the other, until its input ends.

Speech is recognised in a process of its own, so that its imports and its work in Python never hold up the window, and
a crash in native code ends neither the window nor what is open in it.
"""

from __future__ import annotations

import logging
import os
import queue
import signal
import threading
from collections.abc import Sequence
from typing import BinaryIO, cast

from app.voice.errors import TranscriptionError, VoiceError
from app.voice.frames import read_frame, write_frame
from app.voice.models import SpeechModels
from app.voice.moonshine.model import Moonshine
from app.voice.recogniser_process import INTERRUPT
from app.voice.transcriber import Transcriber
from app.voice.two_recognisers import TwoRecognisers
from app.voice.types import Recording, Transcript

_log = logging.getLogger(__name__)


class RecogniserServer:
    """Keeps the recognisers that were asked for last. All methods may be called from outside by their names."""

    def __init__(self) -> None:
        """Loads nothing yet."""
        self._models: SpeechModels | None = None
        self._recognisers: TwoRecognisers | None = None

    def load(self, models: SpeechModels) -> None:
        """See `Transcriber.load`."""
        self._of(models).load()

    def rehearse(self, models: SpeechModels) -> None:
        """See `TwoRecognisers.rehearse`."""
        self._of(models).rehearse()

    def transcribe(self, models: SpeechModels, recording: Recording, bias: Sequence[str]) -> Transcript:
        """See `Transcriber.transcribe`."""
        return self._of(models).transcribe(recording, bias=tuple(bias))

    def reconsider(self, models: SpeechModels, recording: Recording, first: Transcript) -> Transcript:
        """See `TwoRecognisers.reconsider`."""
        return self._of(models).reconsider(recording, first)

    def interrupt(self) -> None:
        """Ends what is in progress soon; called in another thread."""
        recognisers = self._recognisers
        if recognisers is not None:
            recognisers.interrupt()

    def _of(self, models: SpeechModels) -> TwoRecognisers:
        if self._recognisers is None or models != self._models:
            if self._recognisers is not None:
                self._recognisers.close()
            first = Transcriber(models.first, languages=models.languages, try_gpu=models.try_gpu)
            self._recognisers = TwoRecognisers(first, Moonshine(models.second) if models.second else None)
            self._models = models
        return self._recognisers


def serve(requests: BinaryIO, answers: BinaryIO) -> None:
    """Does what is asked for. Ends the process when `requests` ends: whoever asked has gone, or wants it."""
    server = RecogniserServer()
    waiting: queue.SimpleQueue[tuple[int, str, tuple[object, ...]]] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                number, method, arguments = cast("tuple[int, str, tuple[object, ...]]", read_frame(requests))
                if method == INTERRUPT:
                    server.interrupt()
                else:
                    waiting.put((number, method, arguments))
        finally:
            os._exit(0)  # At once: there is nothing to keep, and native code would not let itself be interrupted.

    threading.Thread(target=read, name="greenroom-requests", daemon=True).start()
    while True:
        number, method, arguments = waiting.get()
        write_frame(answers, (number, *_done(server, method, arguments)))


def main() -> None:
    """Serves on standard input and output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches all processes of a terminal; this one is told.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # What a library prints must not come between the answers.
    requests = os.fdopen(os.dup(0), "rb")
    threading.Thread(target=_import_ahead, name="greenroom-imports", daemon=True).start()
    serve(requests, answers)


def _import_ahead() -> None:
    import faster_whisper  # noqa: F401 - the first request will need it, and comes later


def _done(server: RecogniserServer, method: str, arguments: tuple[object, ...]) -> tuple[bool, object]:
    try:
        return True, getattr(server, method)(*arguments)
    except VoiceError as error:
        return False, (type(error).__name__, str(error))
    except Exception as error:  # noqa: BLE001 - a fault in here is told where it was asked for, like any other
        _log.error("%s failed", method, exc_info=error)
        sentence = f"Transcribing failed ({type(error).__name__}: {error}). Say it again."
        return False, (TranscriptionError.__name__, sentence)
