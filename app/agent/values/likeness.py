"""Finds words in a text that are, or sound like, given ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.agent.values.sound import nearness
from app.agent.values.words import plain

NEAR = 0.75
"""How near a run of words must sound to those that are looked for."""

_WORD = re.compile(r"[^\W_]+(?:['’.@][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Likeness:
    """A run of words in a text, and how near it is (1 where it is the same)."""

    start: int
    end: int
    fit: float


def last_like(text: str, wanted: str, least: float = NEAR) -> Likeness | None:
    """The last run of words that is `wanted`, or else the one that sounds most like it, if one is near enough."""
    words = list(_WORD.finditer(text))
    form, size = plain(wanted), len(_WORD.findall(wanted))
    best: Likeness | None = None
    for length in {size, max(size - 1, 1), size + 1}:
        for at in range(len(words) - length + 1):
            start, end = words[at].start(), words[at + length - 1].end()
            fit = nearness(plain(text[start:end]), form)
            if fit >= least and (best is None or (fit, start) > (best.fit, best.start)):
                best = Likeness(start, end, fit)
    return best
