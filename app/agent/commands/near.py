"""Commands that sound like what was heard: the closed commands of this screen, and beginnings of open ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.agent.commands.ear import Ear
from app.agent.commands.interpret import Interpreter
from app.agent.commands.meaning import Meaning, best_of_each
from app.agent.commands.said import VALUE, Said, SaidTable
from app.agent.commands.sentence import Sentence
from app.agent.values.choices import NEAR

CLOSED_THRESHOLD = 0.71
"""How near a whole command must be. Of 308 recordings of talk chosen to resemble commands 13 get past it, of 541
telephone prompts 2; at 0.76 half as many do, and 14 more of 580 spoken commands are lost."""

ONE_WORD_THRESHOLD = 0.86
"""How near a command of one word must be: many words sound a little like it."""

JOINED_THRESHOLD = 0.68
"""How near a command must be that follows another one and a joiner: there, something of the kind is expected."""

HEARD_AS_THRESHOLD = 0.9
"""How near the words must be to those that recognisers are known to write for a command."""

CARRIER_THRESHOLD = 0.73
"""How near the words round a value must be where the value itself fits its field."""

OPEN_THRESHOLD = 0.78
"""How near they must be where the value is free text, which takes any words."""

_WEAKEST = 0.4
_LONGEST_HEAD = 8
_LONGEST_TAIL = 6
_MUCH_LONGER = 1.4
_FREE = 0.97
_TRIED = 16


class NearCommands:
    """Finds the commands of a screen that sound like words of a sentence."""

    def __init__(self, table: SaidTable, interpreter: Interpreter, *, joiners: Collection[str], spoken: bool) -> None:
        """Makes nothing yet.

        Arguments:
            joiners: Words between commands: none is before a value, nor its first word.
        """
        self._joiners = joiners
        self._table = table
        self._spoken = spoken
        self._interpreter = interpreter
        self._known_heads: dict[tuple[Sentence, int], NDArray[np.float32]] = {}
        self._known_tails: dict[tuple[Sentence, int], NDArray[np.float32]] = {}

    def read(
        self, sentence: Sentence, start: int, stop: int, *, ear: Ear | None = None, joined: bool = False
    ) -> list[Meaning]:
        """Meanings near to the words from `start` up to `stop`, best first, with nearness as their quality.

        Arguments:
            ear: Judges whether the words can have been those of a command, where the language's sounds are known.
            joined: They follow another command and a joiner.
        """
        closed = self._near_closed(sentence, start, stop, ear, joined)
        return best_of_each([*closed, *self._near_open(sentence, start, stop, ear)])

    def _ranked(self, phrase: str, limit: int) -> list[tuple[float, Said]]:
        if not phrase or len(phrase) > self._table.longest * _MUCH_LONGER:
            return []
        scores = self._table.phrases.nearness([phrase])[0]
        limit = min(limit, len(scores))
        best = np.argpartition(-scores, limit - 1)[:limit]
        ranked = sorted(((float(scores[at]), int(at)) for at in best), key=lambda one: (-one[0], one[1]))
        return [(score, self._table.closed[at]) for score, at in ranked]

    def _near_closed(
        self, sentence: Sentence, start: int, stop: int, ear: Ear | None, joined: bool
    ) -> Iterator[Meaning]:
        phrase = sentence.phrase(start, stop)
        for score, said in self._ranked(phrase, limit=12):
            one_word = " " not in said.before or " " not in phrase
            threshold = JOINED_THRESHOLD if joined else ONE_WORD_THRESHOLD if one_word else CLOSED_THRESHOLD
            if score < threshold:
                continue
            heard_as = said.match.metadata.get("heard_as")
            if heard_as and (score < HEARD_AS_THRESHOLD or not self._spoken):
                continue
            score = _combined(score, 1.0 if heard_as else said.fit(sentence.plains[start:stop]))
            if score < threshold:
                continue
            if heard_as or not ear or ear.believes(said, sentence.plains[start:stop], whole=not joined):
                for meaning in self._interpreter.meanings(said.match, _no_words):
                    yield replace(meaning, quality=score * meaning.quality)

    def _near_open(self, sentence: Sentence, start: int, stop: int, ear: Ear | None) -> Iterator[Meaning]:
        length = stop - start
        if length < 2 or not self._table.open:
            return
        before = self._heads(sentence, start)[: min(length - 1, _LONGEST_HEAD)]
        after = self._tails(sentence, stop)[: min(length - 1, _LONGEST_TAIL) + 1]
        before_size, after_size = (
            before.argmax(axis=0)[self._table.before_of] + 1,
            after.argmax(axis=0)[self._table.after_of],
        )
        weight, behind = (
            self._table.befores.lengths[self._table.before_of],
            self._table.afters.lengths[self._table.after_of],
        )
        scores = before.max(axis=0)[self._table.before_of] * weight + after.max(axis=0)[self._table.after_of] * behind
        scores = np.where(before_size + after_size < length, scores / (weight + behind), 0.0)
        likely = np.flatnonzero(scores >= CARRIER_THRESHOLD)
        for at in likely[np.argsort(-scores[likely], kind="stable")][:_TRIED]:
            score = float(scores[at])
            first, end = start + int(before_size[at]), stop - int(after_size[at])
            said = self._table.open[int(at)]
            if any(word in self._joiners for word in sentence.plains[start : first + 1]):
                continue
            carrier_words = [*sentence.plains[start:first], *sentence.plains[end:stop]]
            score = _combined(score, said.fit(carrier_words))
            if score >= CARRIER_THRESHOLD and (not ear or ear.believes(said, carrier_words)):
                carrier = score, int(weight[at] + behind[at])
                yield from self._with_value(said, carrier, sentence, start, first, end)

    def _heads(self, sentence: Sentence, start: int) -> NDArray[np.float32]:
        """Nearness of the first 1, 2, ... words from `start` to all beginnings of open commands."""
        key = (sentence, start)
        if key not in self._known_heads:
            ends = range(start + 1, min(start + _LONGEST_HEAD, len(sentence)) + 1)
            self._known_heads[key] = self._table.befores.nearness([sentence.phrase(start, end) for end in ends])
        return self._known_heads[key]

    def _tails(self, sentence: Sentence, stop: int) -> NDArray[np.float32]:
        """Nearness of the last 0, 1, 2, ... words before `stop` to all ends of open commands."""
        key = (sentence, stop)
        if key not in self._known_tails:
            starts = range(stop, max(stop - _LONGEST_TAIL, 0) - 1, -1)
            self._known_tails[key] = self._table.afters.nearness([sentence.phrase(start, stop) for start in starts])
        return self._known_tails[key]

    def _with_value(
        self, said: Said, carrier: tuple[float, int], sentence: Sentence, start: int, first: int, end: int
    ) -> Iterator[Meaning]:
        # "The company has ..." is near to "the company is": a statement counts only with its own verb.
        states = said.match.metadata.get("statement") and said.before.split()[-1] != sentence.plains[first - 1]
        match = replace(said.match, spans={VALUE: (0, end - first)})
        value = sentence.heard(first, end)
        score, weight = carrier
        for meaning in self._interpreter.meanings(match, lambda _first, _end: value, lenient=True):
            if meaning.problem:
                continue
            if not meaning.open_text:
                if states and meaning.quality < NEAR:
                    continue
                size = len(value)
                yield replace(meaning, quality=(score * weight + meaning.quality * size) / (weight + size))
            elif score >= OPEN_THRESHOLD and not states and said.verb_fits(sentence.plains[start:first]):
                yield replace(meaning, quality=score * meaning.quality * _FREE)


def _combined(whole: float, weakest: float) -> float:
    if not weakest:
        return 0.0
    return min(whole, whole * (1 - _WEAKEST) + weakest * _WEAKEST)


def _no_words(_first: int, _end: int) -> str:
    return ""
