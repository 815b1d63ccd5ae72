"""A sentence as words that can be compared, each tied to its place in the text as it was heard."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from app.agent.values.sound import nearness
from app.agent.values.words import plain

_REPEATED = 0.8
_PIECE = re.compile(r"[^\s\-–—‐_/]+")
_QUOTED = re.compile(r'["“„«][^"“”„«»]*["”“»]')


@dataclass(frozen=True, slots=True)
class Word:
    """One word.

    Attributes:
        plain: Its normal form.
        start, end: Its place in the text, punctuation round it included in `end` only where it belongs to the word.
        pause: A comma, semicolon or full stop follows.
        quoted: It stands within quotation marks.
    """

    plain: str
    start: int
    end: int
    pause: bool
    quoted: bool


@dataclass(frozen=True, eq=False)
class Sentence:
    """What was said, word by word. Slices are by word: `phrase(2, 4)` is words 2 and 3.

    Sentences are compared by identity: they are the keys of what has been read of them. `repeated` tells that the
    recogniser had written it several times.
    """

    text: str
    words: tuple[Word, ...]
    repeated: bool = False

    @classmethod
    def of(cls, text: str, *, spoken: bool = False) -> Sentence:
        """Splits a text; a spoken sentence that the recogniser repeated to the end is taken once."""
        quotes = [match.span() for match in _QUOTED.finditer(text)]
        words = []
        for match in _PIECE.finditer(text):
            form = plain(match[0])
            if not form:
                continue
            tail = match[0].rstrip(",;.:!?…")
            quoted = any(start < match.start() < end for start, end in quotes)
            words.append(
                Word(form, match.start(), match.start() + len(tail), match.end() > match.start() + len(tail), quoted)
            )
        once = _without_repeats(tuple(words), text) if spoken else tuple(words)
        if len(once) == len(words):
            return cls(text, once)
        return cls(text[: words[len(once)].start], once, repeated=True)

    @cached_property
    def plains(self) -> tuple[str, ...]:
        """The normal forms of all words."""
        return tuple(word.plain for word in self.words)

    def phrase(self, start: int, end: int) -> str:
        """Normal form of the words from `start` up to `end`."""
        return " ".join(self.plains[start:end])

    def heard(self, start: int, end: int) -> str:
        """Those words as they were heard, with capitals and the punctuation between and after them."""
        if start >= min(end, len(self.words)):
            return ""
        stop = self.words[end].start if end < len(self.words) else len(self.text)
        piece = self.text[self.words[start].start : stop].strip()
        if end < len(self.words) or any(mark in piece[len(piece) - 1 :] for mark in ",;"):
            piece = piece.rstrip(" ,;")
        opening = self.text[self.words[start].start - 1 : self.words[start].start]
        return opening + piece if opening and opening in '"“„«' else piece

    def __len__(self) -> int:
        return len(self.words)


def _without_repeats(words: tuple[Word, ...], text: str) -> tuple[Word, ...]:
    # "Open settings. Open settings." is what a decoder makes of the silence after the speech, at times with a word
    # heard differently. A person who means it twice says "and" or makes a comma's pause.
    for size in range(1, len(words) // 2 + 1):
        first = [word.plain for word in words[:size]]
        ends_there = text[words[size - 1].end : words[size].start].strip()[:1] in tuple(".!?…")
        again = [[word.plain for word in words[at : at + size]] for at in range(size, len(words), size)]
        exact = all(chunk == first[: len(chunk)] for chunk in again)
        if exact and (ends_there or (size > 1 and len(words) >= 3 * size)):
            return words[:size]
        near = all(nearness(" ".join(chunk), " ".join(first[: len(chunk)])) >= _REPEATED for chunk in again)
        if size > 1 and near and ends_there and len(again[-1]) == size:
            return words[:size]
    return words
