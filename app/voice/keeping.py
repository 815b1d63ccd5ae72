"""Remembers the sound behind the latest transcripts, for whoever wants to keep it; a transcript itself has none."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from app.voice.around import AroundRecogniser
from app.voice.types import HeardHypothesis, Recording, Transcript
from app.voice.worker import Recogniser

_REMEMBERED = 4
"""A transcript is asked for right after it was told; meanwhile a few partial ones may have come."""


@dataclass(frozen=True, slots=True)
class HeardRecording:
    """What the recogniser was given for a transcript."""

    recording: Recording
    bias: tuple[str, ...]
    transcript: Transcript


class RecentRecordings:
    """The last few recordings. May be used from any thread.

    Attributes:
        wanted: While this is false, no sound is remembered.
    """

    def __init__(self, *, wanted: bool) -> None:
        self.wanted = wanted
        self._lock = threading.Lock()
        self._heard: deque[HeardRecording] = deque(maxlen=_REMEMBERED)

    def remember(self, heard: HeardRecording) -> None:
        """Takes one more, where they are wanted."""
        with self._lock:
            if self.wanted:
                self._heard.append(heard)
            else:
                self._heard.clear()

    def of(self, readings: Sequence[HeardHypothesis]) -> HeardRecording | None:
        """The latest recording that was heard so, readings and scores, if it is among the last few."""
        with self._lock:
            alike = [heard for heard in self._heard if heard.transcript.hypotheses == tuple(readings)]
        return alike[-1] if alike else None


class KeepingRecogniser(AroundRecogniser[Recogniser]):
    """A recogniser whose recordings are remembered."""

    def __init__(self, recogniser: Recogniser, recordings: RecentRecordings) -> None:
        super().__init__(recogniser)
        self._recordings = recordings

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        """As the recogniser does; remembers the recording."""
        transcript = self._recogniser.transcribe(recording, bias=bias)
        self._recordings.remember(HeardRecording(recording, bias, transcript))
        return transcript
