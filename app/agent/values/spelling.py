"""Spelling aloud: "spell j a n e", "juliett alfa november echo", "capital j"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from app.agent.values.sound import nearness
from app.agent.values.words import plain, section

_PIECE = re.compile(r"[^\W_]+")
_LONGEST_NAME = 2
_LONGEST_OPENER = 2
_LONG_NAME = 4
_NEAR = 0.6
_FEWEST = 2
"""One letter is rather a word: "spell victory"."""


def spelled(text: str, language: str) -> str | None:
    """What is spelled after the word "spell", or None where that isn't said, or anything but letters follows.

    Letters are small unless "capital" was said: recognisers write all letters that they hear as capitals.
    """
    pieces = _PIECE.findall(text)
    for size in range(_LONGEST_OPENER, 0, -1):
        if plain(" ".join(pieces[:size])) in _words(language)["spell"]:
            return _letters(pieces[size:], language)
    return None


def _letters(pieces: list[str], language: str) -> str | None:
    written = ""
    at, capital, times = 0, False, 1
    while at < len(pieces):
        found, at = _next(pieces, at, language)
        if found is None:
            return None
        if found == _CAPITAL:
            capital = True
        elif found == _DOUBLE:
            times = 2
        else:
            written += (found[:1].upper() + found[1:] if capital else found) * times
            capital, times = False, 1
    return written if len(written) >= _FEWEST else None


_CAPITAL, _DOUBLE = "capital", "double"


def _next(pieces: list[str], at: int, language: str) -> tuple[str | None, int]:
    """The letter, mark or modifier at a place, and the place after it."""
    names = _names(language)
    for size in range(_LONGEST_NAME, 0, -1):
        said = plain(" ".join(pieces[at : at + size]))
        if len(pieces) - at >= size and said in names:
            return names[said], at + size
    piece = pieces[at]
    if len(piece) >= _LONG_NAME and (near := _nearest(plain(piece), names)):
        return near, at + 1
    # "JANE": letters that the recogniser ran together.
    run_together = len(piece) == 1 or piece.isdigit() or piece.isupper()
    return (piece.lower() if run_together else None), at + 1


def _nearest(said: str, names: Mapping[str, str]) -> str | None:
    """The letter whose name sounds like this: recognisers know few words such as "juliett"."""
    long = [name for name in names if len(name) >= _LONG_NAME]
    best = max(long, key=lambda name: nearness(said, name), default="")
    return names[best] if best and nearness(said, best) >= _NEAR else None


@cache
def _names(language: str) -> Mapping[str, str]:
    words = _words(language)
    names = {plain(name): letter for letter, said in words["letters"].items() for name in said}
    names |= {plain(name): _CAPITAL for name in words["capital"]}
    return names | {plain(name): _DOUBLE for name in words["double"]}


def _words(language: str) -> Mapping[str, Any]:
    return section(language, "spelling")
