"""How near two phrases are to the ear: edit distance of their letters and of their Double Metaphone codes."""

from __future__ import annotations

from functools import lru_cache

from doublemetaphone import doublemetaphone
from rapidfuzz.distance import Levenshtein


@lru_cache(maxsize=20_000)
def sound_of_word(word: str) -> str:
    """The primary Double Metaphone code; digits stand for themselves."""
    # "th" has a code of its own, which recognisers and many speakers don't keep apart from "t".
    return word if word.isdigit() else str(doublemetaphone(word)[0]).replace("0", "T")


def sound_of(phrase: str) -> str:
    """The codes of all words, run together: a recogniser splits and joins words as it likes."""
    return "".join(sound_of_word(word) for word in phrase.split())


def nearness(heard: str, wanted: str) -> float:
    """Similarity of two normalised phrases between 0 and 1: the mean over letters and sounds."""
    if heard == wanted:
        return 1.0
    letters = max(
        Levenshtein.normalized_similarity(heard, wanted),
        Levenshtein.normalized_similarity(heard.replace(" ", ""), wanted.replace(" ", "")),
    )
    return (letters + Levenshtein.normalized_similarity(sound_of(heard), sound_of(wanted))) / 2
