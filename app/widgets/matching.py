"""Finds the item a person means by its name, or by enough of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rapidfuzz import fuzz, process

from app.agent.errors import ToolError

_NOISE = re.compile(r"[^\w]+")

CLOSE_ENOUGH = 85
"""Similarity (0 to 100) from which a name that was misheard by a sound or two is taken as the one meant."""

CLEAR_MARGIN = 5
"""How much closer the best must be than the second."""


def find_item(wanted: str, names: Sequence[str]) -> int:
    """The position of the item meant.

    The whole name wins, then the same words whatever capitals and punctuation, then a part of only one name, then a
    name that is nearly the same.

    Raises:
        ToolError: None fits, or several do; the message names the nearest.
    """
    plain = _plain(wanted)
    if not plain:
        raise ToolError("Say the name of the item to open.")
    folded = [_plain(name) for name in names]
    for hits in (
        [index for index, name in enumerate(names) if name == wanted],
        [index for index, name in enumerate(folded) if name == plain],
        [index for index, name in enumerate(folded) if f" {plain} " in f" {name} "],
    ):
        if len(hits) == 1:
            return hits[0]
        if hits:
            raise ToolError(f"Several items are called that: {_listed([names[index] for index in hits])}.")
    close = process.extract(plain, folded, scorer=fuzz.ratio, limit=3)
    if close and close[0][1] >= CLOSE_ENOUGH and (len(close) < 2 or close[0][1] - close[1][1] >= CLEAR_MARGIN):
        return int(close[0][2])
    if not names:
        raise ToolError("The list is empty.")
    raise ToolError(f"There is no “{wanted}” here. Nearest: {_listed([names[index] for _, _, index in close])}.")


def _plain(text: str) -> str:
    return _NOISE.sub(" ", text.casefold()).strip()


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(f"“{name}”" for name in names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown
