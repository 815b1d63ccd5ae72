"""A recogniser whose work is done in a process of its own."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from app.voice.models import SpeechModels
from app.voice.recogniser_process import RecogniserProcess, RecogniserProcessEndedError

if TYPE_CHECKING:
    from app.voice.types import Recording, Transcript

_log = logging.getLogger("greenroom")


class RemoteRecogniser:
    """Owns a process; `close` ends it. Calls are made one at a time, all but `interrupt`."""

    def __init__(self, models: SpeechModels, process: RecogniserProcess | None = None) -> None:
        """Starts nothing yet.

        Args:
            models: Which models hear.
            process: One that may have been started before.
        """
        self._models = models
        self._process = process or RecogniserProcess()

    @property
    def has_second(self) -> bool:
        """Whether `reconsider` asks anybody."""
        return self._models.second is not None

    def load(self) -> None:
        """Loads the model (with the process some 1.2 s for tiny.en) if it isn't there yet.

        Raises:
            TranscriptionError: The files are damaged or don't fit this machine.
        """
        self._call("load")

    def rehearse(self) -> None:
        """Does once what makes the first recording wait, so that it doesn't.

        Raises:
            TranscriptionError: The model can't be loaded or failed.
        """
        self._call("rehearse")

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        """See `Transcriber.transcribe`."""
        return cast("Transcript", self._call("transcribe", recording, bias))

    def reconsider(self, recording: Recording, first: Transcript) -> Transcript:
        """See `TwoRecognisers.reconsider`."""
        return cast("Transcript", self._call("reconsider", recording, first))

    def interrupt(self) -> None:
        """Makes a call in progress in another thread raise `TranscriptionError` soon."""
        self._process.interrupt()

    def close(self) -> None:
        """Ends the process. A later call starts it again."""
        self._process.close()

    def _call(self, method: str, *arguments: object) -> object:
        """Where the process crashes, the same is done once more by a new one, without the GPU: drivers crash most."""
        try:
            return self._process.call(method, self._models, *arguments)
        except RecogniserProcessEndedError as error:
            _log.warning("%s", error)
            self._models = replace(self._models, try_gpu=False)
        return self._process.call(method, self._models, *arguments)
