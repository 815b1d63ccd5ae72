"""Mixes two readings of one sentence: each may be right where the other is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import product

from app.voice.hypotheses import plain

_MOST_DIFFERENCES = 3
"""Readings that differ in more places are different sentences."""


def mixtures(one: str, other: str) -> list[str]:
    """The sentences that take some of the places where two readings differ from the one, and some from the other.

    >>> mixtures("set the city to at me and the job title to baker", "set the city to Acme and the junk title to baker")
    ['set the city to at me and the junk title to baker', 'set the city to Acme and the job title to baker']
    """
    ours, theirs = one.split(), other.split()
    blocks = SequenceMatcher(None, _plain(ours), _plain(theirs), autojunk=False).get_opcodes()
    different = [place for place, block in enumerate(blocks) if block[0] != "equal"]
    if not 1 < len(different) <= _MOST_DIFFERENCES:
        return []
    mixed = []
    for choice in product((False, True), repeat=len(different)):
        if all(choice) or not any(choice):
            continue  # that is one of the two
        from_other = {place for place, taken in zip(different, choice, strict=True) if taken}
        words = [
            word
            for place, (_, begin, end, their_begin, their_end) in enumerate(blocks)
            for word in (theirs[their_begin:their_end] if place in from_other else ours[begin:end])
        ]
        mixed.append(" ".join(words))
    return mixed


def _plain(words: Sequence[str]) -> list[str]:
    return [plain(word) for word in words]
