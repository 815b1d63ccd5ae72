"""Two recognisers of different kinds, which make different mistakes.

What either of them heard is judged by both: the mean of their log-probabilities is what counts.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Protocol

from app.voice.errors import TranscriptionError
from app.voice.mixtures import mixtures
from app.voice.moonshine.model import Moonshine, Sound
from app.voice.types import HeardHypothesis, Recording, Transcript
from app.voice.worker import Recogniser

_log = logging.getLogger(__name__)

_MIXED, _MOST_MIXTURES = 2, 8
"""So many readings of either are mixed, and so many mixtures of them are judged."""

_MOST_READINGS = 8
"""Each of those that are given takes the commands some milliseconds, a long chain some fifty."""

_FAR_BEHIND, _MOST_ASKED = 0.5, 8
"""Log-probability per token behind the likeliest from which on a text is given up, and how many are kept."""


class JudgingRecogniser(Recogniser, Protocol):
    """A recogniser that can say how likely any text is, too."""

    def log_probabilities(self, recording: Recording, language: str, texts: Sequence[str]) -> list[float]:
        """The mean natural-log probability per token of each text."""


class TwoRecognisers:
    """A recogniser around two. Without the second one, should its files be damaged, it is the first one alone."""

    def __init__(self, first: JudgingRecogniser, second: Moonshine | None) -> None:
        """Loads nothing yet.

        Args:
            first: Hears everything.
            second: Hears what `reconsider` is given, if there is one.
        """
        self._first = first
        self._second = second
        self._loading: threading.Thread | None = None

    def load(self) -> None:
        """Loads the first one."""
        self._first.load()

    def rehearse(self) -> None:
        """Rehearses the first one, and begins to load the second one in a thread of its own: few commands need it."""
        self._first.rehearse()
        if self._loading is None:
            self._loading = threading.Thread(target=self._whole_second, name="greenroom-second-recogniser", daemon=True)
            self._loading.start()

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        """What the first one hears."""
        return self._first.transcribe(recording, bias=bias)

    def reconsider(self, recording: Recording, first: Transcript) -> Transcript:
        """What both hear and how likely they find it, where the first one heard `first`.

        Raises:
            TranscriptionError: A model failed, or `interrupt` was called.
        """
        second = self._whole_second()
        if second is None:
            return first
        started = time.perf_counter()
        judged = self._judged(second, recording, first)
        took_ms = first.transcribe_ms + (time.perf_counter() - started) * 1000
        return replace(first, text=judged[0].text, hypotheses=judged, transcribe_ms=took_ms, recognisers=2)

    def interrupt(self) -> None:
        """Ends what is in progress in another thread soon."""
        self._first.interrupt()
        if self._second is not None:
            self._second.interrupt()

    def close(self) -> None:
        """Frees both models."""
        if self._loading is not None:
            self._loading.join()
            self._loading = None
        self._first.close()
        if self._second is not None:
            self._second.close()

    def _whole_second(self) -> Moonshine | None:
        """The second one, loaded; damaged files are read once, not with each recording."""
        second = self._second
        if second is not None:
            try:
                second.load()
            except TranscriptionError as error:
                _log.warning("%s", error)
                self._second = second = None
        return second

    def _judged(self, second: Moonshine, recording: Recording, first: Transcript) -> tuple[HeardHypothesis, ...]:
        """What either recogniser heard, and mixtures of it, likeliest first."""
        sound = second.listen(recording.samples)
        by_first = {each.text: each.log_probability for each in first.hypotheses}
        # One step tells whether it would have written the same; to write takes a step for each token.
        bare = first.text.rstrip(".")
        judgements = dict(zip((*by_first, bare), second.judge(sound, (*by_first, bare)), strict=True))
        by_second = {text: judgements[text].log_probability for text in by_first}
        if not (judgements[first.text].is_own or judgements[bare].is_own):
            self._add_other_readings(second, recording, first, sound, by_first, by_second)
        judged = [HeardHypothesis(text, (by_first[text] + by_second[text]) / 2) for text in by_first]
        return tuple(sorted(judged, key=lambda each: -each.log_probability)[:_MOST_READINGS])

    def _add_other_readings(
        self,
        second: Moonshine,
        recording: Recording,
        first: Transcript,
        sound: Sound,
        by_first: dict[str, float],
        by_second: dict[str, float],
    ) -> None:
        """Adds what the second one reads, and mixtures, to what either thinks of each text."""
        seconds = second.readings(sound)
        known = {each.text: each.log_probability for each in seconds}
        mixed = _mixed(first.hypotheses, seconds)
        known |= {text: each.log_probability for text, each in zip(mixed, second.judge(sound, mixed), strict=True)}
        # To ask the first one takes some 30 ms a text: it is asked for those alone that the second one believes in.
        likely = sorted((text for text in known if text not in by_first), key=lambda text: -known[text])
        asked = [text for text in likely if known[text] > known[likely[0]] - _FAR_BEHIND][:_MOST_ASKED]
        by_first |= dict(zip(asked, self._first.log_probabilities(recording, first.language, asked), strict=True))
        by_second |= {text: known[text] for text in asked}


def _mixed(ours: Sequence[HeardHypothesis], theirs: Sequence[HeardHypothesis]) -> list[str]:
    """Mixtures of the likeliest readings of either."""
    known = {each.text for each in (*ours, *theirs)}
    pairs = product(ours[:_MIXED], theirs[:_MIXED])
    mixed = dict.fromkeys(text for one, other in pairs for text in mixtures(one.text, other.text))
    return [text for text in mixed if text not in known][:_MOST_MIXTURES]
