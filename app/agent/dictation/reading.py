"""What was said while dictating: text to write, letters, a correction, or the end. Whole utterances only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from app.agent.values.sound import nearness
from app.agent.values.spelling import spelled
from app.agent.values.words import plain, section

DictatedKind: TypeAlias = Literal["write", "spell", "scratch", "correct", "stop"]

_NEAR = 0.8
"""How near a whole utterance must be to "scratch that" or "stop dictation" to be taken for it."""

_LAST_SENTENCE = re.compile(r"(?P<before>.*[.?!,])\s+(?P<last>[^.?!,]+)[.?!]*\s*", re.DOTALL)
_LONGEST_CORRECTION = 12
"""Words; anything longer that begins with "correct" is text."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The words to replace, and the words to put there."""

    wrong: str
    right: str


@dataclass(frozen=True, slots=True)
class Dictated:
    """One utterance of a dictation.

    Attributes:
        text: For `write` and `spell`, and what was said before "stop dictation" at the end of a longer text.
        corrections: For `correct`: the ways to divide it, as "correct to to two" can be divided in several.
    """

    kind: DictatedKind
    text: str = ""
    corrections: tuple[Correction, ...] = ()


def read_dictated(readings: Sequence[str], language: str) -> Dictated:
    """Reads an utterance of a dictation.

    Args:
        readings: What may have been said, best first; at least one. Text is that of the first.
        language: ISO 639-1 code.
    """
    words = section(language, "dictation")
    for kind in ("stop", "scratch"):
        if any(_sounds_like(said, words[kind]) for said in readings):
            return Dictated("stop" if kind == "stop" else "scratch")
    best = readings[0]
    for said in readings:
        corrections = _corrections(said, language)
        if corrections:
            return Dictated("correct", corrections=corrections)
    for said in readings:
        letters = spelled(said, language)
        if letters is not None:
            return Dictated("spell", letters)
    ending = _LAST_SENTENCE.fullmatch(best)
    if ending and plain(ending["last"]) in words["stop"]:
        return Dictated("stop", ending["before"].rstrip(","))
    return Dictated("write", best)


def _sounds_like(said: str, phrases: Sequence[str]) -> bool:
    heard = plain(said)
    # A longer utterance that only holds such words is text.
    return any(heard.count(" ") <= phrase.count(" ") + 1 and nearness(heard, phrase) >= _NEAR for phrase in phrases)


def _corrections(said: str, language: str) -> tuple[Correction, ...]:
    words = section(language, "dictation")
    pieces = said.strip(" .?!").split()
    if not 4 <= len(pieces) <= _LONGEST_CORRECTION or plain(pieces[0]) not in words["correct"]:
        return ()
    joins = [at for at in range(2, len(pieces) - 1) if plain(pieces[at]) in words["correct_to"]]
    return tuple(Correction(_bare(pieces[1:at]), _bare(pieces[at + 1 :])) for at in joins)


def _bare(pieces: Sequence[str]) -> str:
    return " ".join(pieces).strip(' ,;:.?!"“”')
