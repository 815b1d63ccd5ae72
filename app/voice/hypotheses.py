"""Judges what the decoder gives: repeats, repetition inside one reading, and readings not to be trusted."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable

from app.voice.types import HeardHypothesis

LOW_LOG_PROBABILITY = -1.0
"""Mean per token; below it Whisper's own implementation calls a reading failed."""

HIGH_COMPRESSION = 2.4
"""Length / zlib length of the text; repeated lines compress better than language does. Also Whisper's own bound."""

_WORD = re.compile(r"[\w']+")
_MOST_REPEATS = 8


def plain(text: str) -> str:
    """The words in lower case, without punctuation: two readings with equal words are one reading."""
    return " ".join(_WORD.findall(text.lower()))


def repeats_itself(text: str) -> bool:
    """Whether the whole text is one piece said two or more times ("Open settings. Open settings.").

    A half said again with up to a quarter of its words heard differently counts too ("... and save ... and saved").
    """
    words = plain(text).split()
    if any(
        len(words) % times == 0 and words == words[: len(words) // times] * times
        for times in range(2, min(len(words), _MOST_REPEATS) + 1)
    ):
        return True
    half = len(words) // 2
    if len(words) % 2:
        return False
    different = sum(first != second for first, second in zip(words[:half], words[half:], strict=True))
    return different <= half / 4 and half > 0


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


def is_trustworthy(readings: tuple[HeardHypothesis, ...]) -> bool:
    """Whether the best reading is there, likely, and no loop."""
    return (
        bool(readings)
        and readings[0].log_probability >= LOW_LOG_PROBABILITY
        and compression_ratio(readings[0].text) <= HIGH_COMPRESSION
    )
