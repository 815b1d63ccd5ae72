"""Spelling aloud: "spell j a n e", "juliett alfa november echo", "capital j"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from app.agent.values.sound import nearness
from app.agent.values.words import plain, section

_PIECE = re.compile(r"[^\W_]+")
_LONGEST_OPENER = 2
_LONGEST_NAME = 3
_LONG_NAME = 4
"""Letters; only names this long are known by their sound: short ones sound like too much."""

_NEAR = 0.58
_FEWEST = 2
"""One letter is rather a word: "spell victory"."""

_RUN_ON = 3
"""Letters after the word: fewer are its ending, as in "spells" and "spelled"."""

_MOST_PIECES = 60

_CAPITAL, _DOUBLE = "capital", "double"


def spelled(text: str, language: str) -> str | None:
    """What is spelled after the word "spell", or None where that isn't said, or anything but letters follows.

    Letters are small unless "capital" was said: recognisers write all letters that they hear as capitals.
    """
    pieces = _apart(_PIECE.findall(text), language)
    for size in range(_LONGEST_OPENER, 0, -1):
        if plain(" ".join(pieces[:size])) in _words(language)["spell"]:
            written = _written(_symbols(tuple(pieces[size : size + _MOST_PIECES]), language) or ())
            return written if len(written) >= _FEWEST else None
    return None


def _apart(pieces: list[str], language: str) -> list[str]:
    """The pieces, with a first one like "Spellcap" in two: recognisers run "spell capital" together."""
    first = pieces[0].casefold() if pieces else ""
    for opener in _words(language)["spell"]:
        if " " not in opener and first.startswith(opener) and len(first) >= len(opener) + _RUN_ON:
            return [opener, first.removeprefix(opener), *pieces[1:]]
    return pieces


@lru_cache(maxsize=256)
def _symbols(pieces: tuple[str, ...], language: str) -> tuple[str, ...] | None:
    """The letters, marks and modifiers in the pieces, those that fit best, or None where some are none of these."""
    best: list[tuple[float, tuple[str, ...]] | None] = [(0.0, ())] + [None] * len(pieces)
    for at in range(len(pieces)):
        reached = best[at]
        if reached is None:
            continue
        for symbol, size, fit in _next(pieces[at : at + _LONGEST_NAME], language):
            known, mark = best[at + size], reached[0] + fit * size
            if known is None or mark > known[0]:
                best[at + size] = (mark, (*reached[1], symbol))
    last = best[-1]
    return last[1] if last is not None else None


def _next(pieces: Sequence[str], language: str) -> Iterator[tuple[str, int, float]]:
    """What the next pieces may stand for, how many of them, and how well that fits."""
    names = _names(language)
    first = pieces[0]
    # "JANE": letters that the recogniser ran together.
    if len(first) == 1 or first.isdigit() or (first.isupper() and first.isalpha()):
        yield first.lower(), 1, 0.9
    for size in range(1, len(pieces) + 1):
        said = plain(" ".join(pieces[:size]))
        if said in names:
            yield names[said], size, 1.0
        elif len(said) >= _LONG_NAME:
            # Recognisers know few words such as "juliett".
            fit, name = max((nearness(said, name), name) for name in names if len(name) >= _LONG_NAME)
            if fit >= _NEAR:
                yield names[name], size, fit


def _written(symbols: Sequence[str]) -> str:
    text = ""
    capital, times = False, 1
    for symbol in symbols:
        if symbol == _CAPITAL:
            capital = True
        elif symbol == _DOUBLE:
            times = 2
        else:
            text += (symbol.upper() if capital and len(symbol) == 1 else symbol) * times
            capital, times = False, 1
    return text


@cache
def _names(language: str) -> Mapping[str, str]:
    words = _words(language)
    names = {plain(name): letter for letter, said in words["letters"].items() for name in said}
    names |= {plain(name): _CAPITAL for name in words["capital"]}
    return names | {plain(name): _DOUBLE for name in words["double"]}


def _words(language: str) -> Mapping[str, Any]:
    return section(language, "spelling")
