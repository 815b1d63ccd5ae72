"""Judges what the decoder gives: repeats, repetition inside one reading, and readings not to be trusted."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable

from rapidfuzz.fuzz import ratio

from app.voice.types import HeardHypothesis

LOW_LOG_PROBABILITY = -1.0
"""Mean per token; below it Whisper's own implementation calls a reading failed."""

LOW_LOG_PROBABILITY_OF_FEW_WORDS = -2.0
"""The same for up to three words: their few tokens have little context, and are unlikely even when right."""

_FEW_WORDS = 3
_ALIKE_PERCENT = 60

HIGH_COMPRESSION = 2.4
"""Length / zlib length of the text; repeated lines compress better than language does. Also Whisper's own bound."""

_WORDS_AT_LEAST, _WORDS_PER_SECOND = 4, 7
"""Fast speech has about 5 words a second."""

_WORD = re.compile(r"[\w']+")
_LONG_REPEAT = 4


def plain(text: str) -> str:
    """The words in lower case, without punctuation: two readings with equal words are one reading."""
    return " ".join(_WORD.findall(text.lower()))


def repeats_itself(text: str) -> bool:
    """Whether the text is one piece said again ("Open settings. Open settings."), the last time perhaps cut short.

    A half said again with up to a quarter of its words heard differently counts too ("... and save ... and saved").
    """
    words = plain(text).split()
    size = len(words)
    for period in range(1, size):
        again = size - period
        if (again >= period or again >= _LONG_REPEAT) and words[period:] == words[:again]:
            return True
    half = size // 2
    if size % 2 or not half:
        return False
    different = sum(first != second for first, second in zip(words[:half], words[half:], strict=True))
    return different <= half / 4


def can_be_said(text: str, duration_s: float) -> bool:
    """Whether anybody speaks so fast: a decoder in a loop writes fifty words for a second of sound."""
    return len(plain(text).split()) <= _WORDS_AT_LEAST + _WORDS_PER_SECOND * duration_s


def compression_ratio(text: str) -> float:
    """Bytes of the text divided by bytes of it compressed."""
    data = text.encode()
    return len(data) / len(zlib.compress(data)) if data else 0.0


def distinct(readings: Iterable[HeardHypothesis]) -> tuple[HeardHypothesis, ...]:
    """Drops empty readings and those whose words were there before; the order stays."""
    seen: dict[str, HeardHypothesis] = {}
    for reading in readings:
        words = plain(reading.text)
        if words:
            seen.setdefault(words, reading)
    return tuple(seen.values())


def without_repetition(readings: Iterable[HeardHypothesis]) -> tuple[HeardHypothesis, ...]:
    """Drops readings that repeat themselves.

    With a shortened context the decoder may say a sentence again, and then the sentence said once is among the other
    readings. Where somebody really said "next, next, next", every reading repeats itself and nothing is left: ask a
    decoder with the full context then.
    """
    return tuple(reading for reading in readings if not repeats_itself(reading.text))


def sounds_like_any(reading: HeardHypothesis, others: Iterable[HeardHypothesis]) -> bool:
    """Whether most of its letters are those of another reading, in order; spaces don't count ("on line", "online")."""
    letters = plain(reading.text).replace(" ", "")
    return any(ratio(letters, plain(other.text).replace(" ", "")) >= _ALIKE_PERCENT for other in others)


def is_trustworthy(readings: tuple[HeardHypothesis, ...]) -> bool:
    """Whether the best reading is there, likely, and no loop."""
    if not readings:
        return False
    best = readings[0]
    few = len(plain(best.text).split()) <= _FEW_WORDS
    lowest = LOW_LOG_PROBABILITY_OF_FEW_WORDS if few else LOW_LOG_PROBABILITY
    return best.log_probability >= lowest and compression_ratio(best.text) <= HIGH_COMPRESSION
