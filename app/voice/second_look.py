"""Hears a command a second time where the first readings of it can't be carried out on this screen.

What the decoder writes depends on where a sound falls between its frames, and on the words before it. So the second
time the sound is shifted, and the likely words are told. Only what was misheard has to wait for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from app.voice.around import AroundRecogniser
from app.voice.hypotheses import distinct
from app.voice.types import COMMAND_UP_TO_S, SAMPLE_RATE_HZ, Recording, Transcript
from app.voice.worker import Recogniser

_SHIFT_S = 0.25


class Expectation(Protocol):
    """Knows what can be done on the screen."""

    def look(self) -> tuple[str, ...]:
        """Looks at the screen as it is now, and returns sentences that are likely; called on the GUI thread."""

    def understands(self, transcript: Transcript) -> bool:
        """Whether something can be done with it there; called in the transcription thread. True where nobody asks."""

    def is_clear(self, transcript: Transcript) -> bool:
        """Whether what is to be done with it is beyond doubt; called there too. True where nobody asks."""


class SecondLook(AroundRecogniser[Recogniser]):
    """A recogniser around another one."""

    def __init__(self, recogniser: Recogniser, understands: Callable[[Transcript], bool]) -> None:
        super().__init__(recogniser)
        self._understands = understands

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        """Recognises once, or with `bias` a second time if need be.

        The readings of both times are given if something can be done with them, and those of the first time otherwise:
        talk is not to be bent towards commands.
        """
        first = self._recogniser.transcribe(recording)
        if not bias or first.heard != "speech" or recording.duration_s > COMMAND_UP_TO_S or self._understands(first):
            return first
        second = self._recogniser.transcribe(_shifted(recording), bias=bias)
        took_ms = first.transcribe_ms + second.transcribe_ms
        both = _both(first, second)
        return replace(both if self._understands(both) else first, transcribe_ms=took_ms)


def _shifted(recording: Recording) -> Recording:
    before = np.zeros(round(_SHIFT_S * SAMPLE_RATE_HZ), dtype=np.float32)
    return Recording(np.concatenate((before, recording.samples)), recording.sample_rate_hz)


def _both(first: Transcript, second: Transcript) -> Transcript:
    readings = (*first.hypotheses, *second.hypotheses)
    likeliest_first = distinct(sorted(readings, key=lambda reading: -reading.log_probability))
    return replace(first, text=likeliest_first[0].text, hypotheses=likeliest_first)
