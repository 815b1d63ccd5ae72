"""Asks a second recogniser, of another kind, where the first one's readings leave something open.

Commands of this screen that are heard clearly need none of it; names, addresses and other words of the person's own do,
and so does what was not understood.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from app.voice.around import AroundRecogniser
from app.voice.types import COMMAND_UP_TO_S, Recording, Transcript
from app.voice.worker import Recogniser

_LANGUAGE = "en"
"""The only one that Moonshine's base model knows."""


class ReconsideringRecogniser(Recogniser, Protocol):
    """A recogniser that can ask another one, too."""

    def reconsider(self, recording: Recording, first: Transcript) -> Transcript:
        """What both hear, where the first one heard `first`."""


class SecondOpinion(AroundRecogniser[ReconsideringRecogniser]):
    """A recogniser around one that can reconsider: decides when it does."""

    def __init__(self, recogniser: ReconsideringRecogniser, is_clear: Callable[[Transcript], bool]) -> None:
        """Loads nothing yet.

        Args:
            recogniser: Hears everything.
            is_clear: Whether a transcript leaves nothing open; called in the thread of `transcribe`.
        """
        super().__init__(recogniser)
        self._is_clear = is_clear

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        """Recognises once, or with both recognisers where a command is expected (`bias`) and is not clear."""
        first = self._recogniser.transcribe(recording)
        if not bias or not _is_short_english(first) or self._is_clear(first):
            return first
        return self._recogniser.reconsider(recording, first)


def _is_short_english(transcript: Transcript) -> bool:
    return (
        transcript.heard == "speech" and transcript.language == _LANGUAGE and transcript.duration_s <= COMMAND_UP_TO_S
    )
