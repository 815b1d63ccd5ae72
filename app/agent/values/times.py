"""Times of day as they are spoken: "half past nine", "quarter to ten", "nine thirty p.m."."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import time
from typing import Any

from app.agent.values.numbers import digits
from app.agent.values.words import any_of, drop, value_words

_CLOCK = re.compile(r"(\d{1,2})(?:[:. h]+(\d{1,2}))?")


def spoken_time(text: str, language: str) -> time | None:
    """The time of day that the text says, or None.

    Languages differ: "half past nine" is "halb zehn" (`half_before`) and "las nueve y media" (`hour_first`).
    """
    words: Mapping[str, Any] = value_words(language)["times"]
    said = text.strip().strip(",!?").rstrip(".").casefold().replace("-", " ")
    if said in words["noon"]:
        return time(12)
    if said in words["midnight"]:
        return time(0)
    after_noon = _found(said, words["pm"])
    before_noon = _found(said, words["am"])
    said = drop(said, [*words["pm"], *words["am"], *words["oclock"], *words["at"]])
    moment = _around_the_hour(said, words, language) or _clock(digits(said, language))
    if moment is None:
        return None
    hour = moment.hour
    if after_noon and hour < 12:
        hour += 12
    if before_noon and hour == 12:
        hour = 0
    return moment.replace(hour=hour)


def _found(text: str, phrases: list[str]) -> bool:
    return bool(any_of(phrases).search(text))


def _around_the_hour(said: str, words: Mapping[str, Any], language: str) -> time | None:
    first, _, rest = said.partition(" ")
    rest = digits(rest, language)
    if words.get("half_before") and first in words["half"] and rest.isdigit() and 0 < int(rest) < 24:
        return time(int(rest) - 1, 30)
    for kind in ("past", "to"):
        parts = any_of(words[kind]).split(said)
        if len(parts) != 2:
            continue
        minutes, hour = (part.strip() for part in (reversed(parts) if words.get("hour_first") else parts))
        count = 30 if minutes in words["half"] else 15 if minutes in words["quarter"] else None
        minutes, hour = digits(minutes, language), digits(hour, language)
        if count is None:
            count = int(minutes) if minutes.isdigit() else None
        if count is None or not hour.isdigit() or not 0 < count < 60 or int(hour) > 23:
            return None
        if kind == "past":
            return time(int(hour), count)
        return time((int(hour) - 1) % 24, 60 - count)
    return None


def _clock(said: str) -> time | None:
    match = _CLOCK.fullmatch(said.strip())
    if match is None:
        return None
    hour, minute = int(match[1]), int(match[2] or 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None
