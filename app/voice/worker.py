"""Runs the recogniser in one thread: warm-up, partial and final transcripts, sound files; in order."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from app.voice.cue import without_cue
from app.voice.endpointing import only_silence_after
from app.voice.errors import VoiceError
from app.voice.file_microphone import record_file
from app.voice.types import Recording, Transcript

_JOIN_S = 30.0
"""Longer than the recogniser takes for a recording of ordinary length."""


class Recogniser(Protocol):
    """What the worker needs of `Transcriber`."""

    def load(self) -> None:
        """Gets what it needs."""

    def rehearse(self) -> None:
        """Does once what makes the first recording wait, so that it doesn't."""

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        """Recognises a recording."""

    def interrupt(self) -> None:
        """Makes a `transcribe` in progress in another thread raise `TranscriptionError` soon."""

    def close(self) -> None:
        """Frees what it holds."""


class WorkerListener(Protocol):
    """What the worker tells; called in the worker's thread. `token` is that of the request."""

    def recogniser_ready(self) -> None:
        """The model is loaded."""

    def recogniser_failed(self, message: str) -> None:
        """The model can't be loaded."""

    def partial_transcribed(self, token: int, transcript: Transcript) -> None:
        """What has been heard up to now."""

    def transcribed(self, token: int, transcript: Transcript) -> None:
        """The final transcript."""

    def transcription_failed(self, token: int, message: str) -> None:
        """There will be no transcript for this request."""


@dataclass(frozen=True, slots=True)
class _Partial:
    token: int
    samples: int
    transcript: Transcript


class TranscriptionWorker:
    """Owns one thread and the recogniser. All methods return at once, except `close`, which joins the thread."""

    def __init__(
        self,
        listener: WorkerListener,
        make_recogniser: Callable[[], Recogniser],
        *,
        is_clear: Callable[[Transcript], bool] | None = None,
    ) -> None:
        """Starts the thread; loads nothing yet.

        Args:
            listener: Told the outcomes.
            make_recogniser: Finds the model; called in the thread at first need and again after it failed.
            is_clear: Whether a partial transcript needs no second hearing; called in the thread.
        """
        self._listener = listener
        self._make_recogniser = make_recogniser
        self._is_clear = is_clear
        self._recogniser: Recogniser | None = None
        self._partial: _Partial | None = None
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._oldest_wanted = 0
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="greenroom-transcription", daemon=True)
        self._thread.start()

    def warm_up(self) -> None:
        """Loads the model, so that the first utterance doesn't wait for it."""
        self._jobs.put(self._warm_up)

    def use_recogniser(self, make_recogniser: Callable[[], Recogniser]) -> None:
        """Takes another model or language for the requests from now on, and loads it."""
        self._jobs.put(lambda: self._replace(make_recogniser))
        self.warm_up()

    def transcribe_partial(self, token: int, recording: Recording, *, has_cue: bool = False) -> None:
        """Recognises what has been said so far. Nothing is told if it fails: the final request will say so."""
        self._jobs.put(lambda: self._transcribe_partial(token, _spoken(recording, has_cue)))

    def transcribe(self, token: int, recording: Recording, bias: tuple[str, ...], *, has_cue: bool = False) -> None:
        """Recognises a whole recording; a partial transcript is used again if only silence followed it.

        Args:
            token: Comes back with the transcript.
            recording: What the microphone recorded.
            bias: Words that are likely here.
            has_cue: The program's own cue may be in it.
        """
        self._jobs.put(lambda: self._attempt(token, lambda: self._final(token, _spoken(recording, has_cue), bias)))

    def transcribe_file(self, token: int, path: Path, bias: tuple[str, ...]) -> None:
        """Recognises a sound file, through the path that the microphone takes."""
        self._jobs.put(lambda: self._attempt(token, lambda: self._transcribe(record_file(path), bias)))

    def cancel(self, oldest_wanted: int) -> None:
        """Drops requests whose token is smaller, and ends the one in progress soon."""
        self._oldest_wanted = oldest_wanted
        self._interrupt()

    def close(self) -> None:
        """Ends the job in progress and the thread; jobs still waiting are dropped, and nothing more is told."""
        self._closing.set()
        self._interrupt()
        self._jobs.put(None)
        self._thread.join(_JOIN_S)

    def _run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if not self._closing.is_set():
                job()
        self._drop_recogniser()

    def _replace(self, make_recogniser: Callable[[], Recogniser]) -> None:
        self._drop_recogniser()
        self._partial = None
        self._make_recogniser = make_recogniser

    def _drop_recogniser(self) -> None:
        recogniser, self._recogniser = self._recogniser, None
        if recogniser is not None:
            recogniser.close()

    def _warm_up(self) -> None:
        try:
            self._ready().load()
        except VoiceError as error:
            self._drop_recogniser()
            self._listener.recogniser_failed(str(error))
        else:
            self._listener.recogniser_ready()
            self._jobs.put(self._rehearse)

    def _rehearse(self) -> None:
        # What fails now fails again with the first recording, and is told then.
        with contextlib.suppress(VoiceError):
            self._ready().rehearse()

    def _transcribe_partial(self, token: int, recording: Recording) -> None:
        if not self._is_wanted(token):
            return
        try:
            transcript = self._transcribe(recording, ())
        except VoiceError:
            return
        self._partial = _Partial(token, len(recording.samples), transcript)
        if self._is_wanted(token):
            self._listener.partial_transcribed(token, transcript)

    def _final(self, token: int, recording: Recording, bias: tuple[str, ...]) -> Transcript:
        partial, self._partial = self._partial, None
        if partial is not None and partial.token == token and self._is_final(partial, recording):
            return partial.transcript
        return self._transcribe(recording, bias)

    def _is_final(self, partial: _Partial, recording: Recording) -> bool:
        if not only_silence_after(recording.samples, partial.samples):
            return False
        return self._is_clear is None or self._is_clear(partial.transcript)

    def _interrupt(self) -> None:
        recogniser = self._recogniser
        if recogniser is not None:
            recogniser.interrupt()

    def _is_wanted(self, token: int) -> bool:
        return token >= self._oldest_wanted and not self._closing.is_set()

    def _attempt(self, token: int, produce: Callable[[], Transcript]) -> None:
        if not self._is_wanted(token):
            return
        try:
            transcript = produce()
        except VoiceError as error:
            message = str(error)
        except Exception as error:  # noqa: BLE001 - a fault in here must not leave the status on "Transcribing"
            message = f"Transcribing failed ({type(error).__name__}: {error}). Say it again."
        else:
            if self._is_wanted(token):
                self._listener.transcribed(token, transcript)
            return
        if self._is_wanted(token):
            self._listener.transcription_failed(token, message)

    def _transcribe(self, recording: Recording, bias: tuple[str, ...]) -> Transcript:
        return self._ready().transcribe(recording, bias=bias)

    def _ready(self) -> Recogniser:
        if self._recogniser is None:
            self._recogniser = self._make_recogniser()
        return self._recogniser


def _spoken(recording: Recording, has_cue: bool) -> Recording:
    return without_cue(recording) if has_cue else recording
