"""What recognisers around another one have in common."""

from __future__ import annotations

from typing import Generic, TypeVar

from app.voice.worker import Recogniser

RecogniserT = TypeVar("RecogniserT", bound=Recogniser)


class AroundRecogniser(Generic[RecogniserT]):
    """Passes everything on to the recogniser inside; how it transcribes is said by the class that is made of this."""

    def __init__(self, recogniser: RecogniserT) -> None:
        self._recogniser = recogniser

    def load(self) -> None:
        """As the recogniser does."""
        self._recogniser.load()

    def rehearse(self) -> None:
        """As the recogniser does."""
        self._recogniser.rehearse()

    def interrupt(self) -> None:
        """As the recogniser does."""
        self._recogniser.interrupt()

    def close(self) -> None:
        """As the recogniser does."""
        self._recogniser.close()
