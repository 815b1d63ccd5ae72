"""Divides a sentence into clauses so that all of them can be carried out: dynamic programming over the divisions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.agent.commands.clauses import Division
from app.agent.commands.meaning import Meaning

Read = Callable[[int, int, str], Sequence[Meaning]]
"""Reads the words from one index up to another, after a clause of that intent: meanings, best first."""

_TIE = 0.02
_MORE_CLAUSES = 0.02
_UNSURE_JOINER = 0.1
_NO_JOINER = 0.2


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause that is understood.

    Attributes:
        start, stop: Its words.
        meanings: What it means, best first; several where they are equally good.
        mark: What it adds to the mark of its chain.
    """

    start: int
    stop: int
    meanings: tuple[Meaning, ...]
    mark: float

    @property
    def meaning(self) -> Meaning:
        """The best meaning."""
        return self.meanings[0]


Chain = tuple[Clause, ...]


def quality_of(chain: Chain) -> float:
    """How well a chain fits: the worst of its clauses."""
    return min((clause.meaning.quality for clause in chain), default=0.0)


def without_repeats(chain: Chain) -> Chain:
    """A chain that a decoder repeated, taken once: the same calls again with no joining word before them."""
    for size in range(1, len(chain) // 2 + 1):
        keys = [clause.meaning.key for clause in chain]
        again = len(chain) % size == 0 and all(key == keys[at % size] for at, key in enumerate(keys))
        if again and all(chain[at - 1].stop == chain[at].start for at in range(size, len(chain), size)):
            return chain[:size]
    return chain


class Divider:
    """Finds the best chain of clauses from a word to the end of a sentence."""

    def __init__(self, length: int, divisions: Sequence[Division], read: Read, perhaps_content: frozenset[str]) -> None:
        self._length = length
        self._divisions = divisions
        self._read = read
        self._perhaps_content = perhaps_content
        self._best: dict[tuple[int, int, str, bool, bool], Chain | None] = {}

    def chain(self, start: int = 0, stop: int | None = None) -> Chain | None:
        """The best chain for the words from `start` up to `stop` (the end), or None where some can't be read."""
        return self._solve(start, self._length if stop is None else stop, "", False, False)

    def _solve(self, start: int, end: int, after: str, after_text: bool, plain_and: bool) -> Chain | None:
        key = (start, end, after, after_text, plain_and)
        if key not in self._best:
            self._best[key] = None
            self._best[key] = self._search(start, end, after, after_text, plain_and)
        return self._best[key]

    def _search(self, start: int, end: int, after: str, after_text: bool, plain_and: bool) -> Chain | None:
        best: Chain | None = None
        stops = [d for d in self._divisions if start < d.stop and d.start < end]
        for division in [*stops, None]:
            stop = division.stop if division else end
            meanings = self._read(start, stop, after)
            if after_text and plain_and:
                meanings = [meaning for meaning in meanings if not self._is_content(meaning)]
            if not meanings:
                continue
            first = meanings[0]
            alike = tuple(meaning for meaning in meanings if meaning.quality >= first.quality - _TIE)
            penalty = _penalty(division)
            clause = Clause(start, stop, alike, first.quality * (stop - start) + _MORE_CLAUSES - penalty)
            rest: Chain | None = ()
            if division:
                intent = first.intent.removesuffix("_rest")
                rest = self._solve(division.start, end, intent, first.open_text, division.plain_and)
            if rest is not None and (best is None or _mark((clause, *rest)) > _mark(best)):
                best = (clause, *rest)
        return best

    def _is_content(self, meaning: Meaning) -> bool:
        """Whether words after "and" in free text are rather text than a command."""
        if meaning.bare and meaning.tool == "navigate":
            return True
        first = (meaning.label or meaning.tool).casefold().split()[:1]
        named_only = meaning.bare or not meaning.handle
        return named_only and bool(first) and first[0] in self._perhaps_content


def _penalty(division: Division | None) -> float:
    if division is None or division.sure:
        return 0.0
    return _UNSURE_JOINER if division.start > division.stop else _NO_JOINER


def _mark(chain: Chain) -> float:
    # Per word, so that joiners taken into a text are no gain over joiners that divide.
    words = sum(clause.stop - clause.start for clause in chain)
    return sum(clause.mark for clause in chain) / max(words, 1)
