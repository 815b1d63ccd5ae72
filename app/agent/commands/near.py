"""Commands that sound like what was heard: the closed commands of this screen, and beginnings of open ones."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from app.agent.commands.expand import SLOT
from app.agent.commands.interpret import Interpreter
from app.agent.commands.meaning import Meaning, best_of_each
from app.agent.commands.sentence import Sentence
from app.agent.commands.templates import NUMBER, Match, Pattern, ScreenTemplates
from app.agent.commands.vocabulary import Name
from app.agent.values.sound import nearness, sound_of

CLOSED_THRESHOLD = 0.71
"""How near a whole command must be. Talk that is no command stays below (tests/agent/commands_en.yaml)."""

ONE_WORD_THRESHOLD = 0.86
"""How near a command of one word must be: many words sound a little like it."""

JOINED_THRESHOLD = 0.68
"""How near a command must be that follows another one and a joiner: there, something of the kind is expected."""

HEARD_AS_THRESHOLD = 0.9
"""How near the words must be to those that recognisers are known to write for a command."""

NAME_THRESHOLD = 0.58
VERB_THRESHOLD = 0.5
SHORT_VERB_THRESHOLD = 0.45
"""How near each name in a command, and each run of its other words, must be to some of the words heard."""

CARRIER_THRESHOLD = 0.73
"""How near the words round a value must be where the value itself fits its field."""

OPEN_THRESHOLD = 0.78
"""How near they must be where the value is free text, which takes any words."""

VALUE = "value"
RECORD = "record"
"""The slots of an open value, and of what a record may be called."""

_WEAKEST = 0.4
_LONGEST_HEAD = 8
_LONGEST_TAIL = 6
_MUCH_LONGER = 1.4
_FREE = 0.97
_TRIED = 16
_FAR = 0.3
_TELLING = 4
_LONG_LIST = 200
_FEW_RECORDS = 6


@dataclass(slots=True)
class Said:
    """One way to say one command.

    Attributes:
        before, after: Normal form of the words before and after the open value; a closed command has only `before`.
        names, others: The names in it, and the runs of words between them that say something: each of them must be
            near by itself.
        match: What a clause with these words would match, without the span of the value.
        open: Whether a value belongs between them.
    """

    before: str
    after: str
    names: tuple[str, ...]
    others: tuple[str, ...]
    match: Match
    open: bool

    def fit(self, heard: Sequence[str]) -> float:
        """How near the part is that is least near to any run of the words heard; 0 where one is too far."""
        names = min((_best_window(name, heard) for name in self.names), default=1.0)
        if names < NAME_THRESHOLD:
            return 0.0
        if names == 1.0 and self.open and not self.after:
            # "Check the status to": the field is named, and its value will be looked at.
            return 1.0
        others = {other: _best_window(other, heard) for other in self.others}
        # A word as short as "on" is near or not: half its letters say little.
        telling = [score for other, score in others.items() if len(other) >= _TELLING]
        if min(others.values(), default=1.0) < SHORT_VERB_THRESHOLD or min(telling, default=1.0) < VERB_THRESHOLD:
            return 0.0
        return min([names, *telling])

    def verb_fits(self, heard: Sequence[str]) -> bool:
        """Whether the words other than names are near to some of the words heard."""
        return all(_best_window(other, heard) >= SHORT_VERB_THRESHOLD for other in self.others)


def _best_window(part: str, heard: Sequence[str]) -> float:
    size = part.count(" ") + 1
    return max(
        nearness(" ".join(heard[at : at + length]), part)
        for length in range(max(1, size - 1), size + 3)
        for at in range(max(1, len(heard) - length + 1))
    )


class _Table:
    """Phrases with their sounds, compared with many others at once."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self.phrases = list(phrases)
        self._tight = [phrase.replace(" ", "") for phrase in self.phrases]
        self._sounds = [sound_of(phrase) for phrase in self.phrases]
        self.lengths = np.array([len(phrase) for phrase in self.phrases], dtype=np.float32)

    def nearness(self, heard: Sequence[str]) -> NDArray[np.float32]:
        """Similarities, shape (heard, phrases): as `app.agent.values.sound.nearness`."""
        alike = Levenshtein.normalized_similarity
        letters = np.maximum(
            cdist(heard, self.phrases, scorer=alike, score_cutoff=_FAR),
            cdist([phrase.replace(" ", "") for phrase in heard], self._tight, scorer=alike, score_cutoff=_FAR),
        )
        sounds = cdist([sound_of(phrase) for phrase in heard], self._sounds, scorer=alike, score_cutoff=_FAR)
        return np.asarray((letters + sounds) / 2, dtype=np.float32)


class SaidTable:
    """All that could be said on one screen, with its sounds. Costly to make: made once for the names on a screen."""

    def __init__(self, templates: ScreenTemplates, light_words: Collection[str]) -> None:
        said = list(_all_said(templates, frozenset(light_words)))
        self.closed = list({(one.before, one.match.intent): one for one in said if not one.open}.values())
        self.open = [one for one in said if one.open]
        self.phrases = _Table([one.before for one in self.closed])
        self.longest = max((len(one.before) for one in self.closed), default=0)
        befores = sorted({one.before for one in self.open})
        afters = sorted({one.after for one in self.open})
        self.befores, self.afters = _Table(befores), _Table(afters)
        at_before = {phrase: at for at, phrase in enumerate(befores)}
        at_after = {phrase: at for at, phrase in enumerate(afters)}
        self.before_of = np.array([at_before[one.before] for one in self.open], dtype=np.intp)
        self.after_of = np.array([at_after[one.after] for one in self.open], dtype=np.intp)


class NearCommands:
    """Finds the commands of a screen that sound like words of a sentence."""

    def __init__(self, table: SaidTable, interpreter: Interpreter, *, spoken: bool) -> None:
        self._table = table
        self._spoken = spoken
        self._interpreter = interpreter
        self._known_heads: dict[tuple[Sentence, int], NDArray[np.float32]] = {}
        self._known_tails: dict[tuple[Sentence, int], NDArray[np.float32]] = {}

    def read(self, sentence: Sentence, start: int, stop: int, *, joined: bool = False) -> list[Meaning]:
        """Meanings near to the words from `start` up to `stop`, best first, with nearness as their quality.

        Arguments:
            joined: They follow another command and a joiner.
        """
        closed = self._near_closed(sentence, start, stop, joined)
        return best_of_each([*closed, *self._near_open(sentence, start, stop)])

    def nearest(self, phrase: str, count: int) -> list[str]:
        """The closed commands nearest to a phrase, each another call, however far they are."""
        found: dict[object, str] = {}
        for _, said in self._ranked(phrase, limit=60):
            if said.match.metadata.get("heard_as"):
                continue
            for meaning in self._interpreter.meanings(said.match, _no_words):
                found.setdefault(meaning.key, said.before)
            if len(found) >= count:
                break
        return list(found.values())[:count]

    def _ranked(self, phrase: str, limit: int) -> list[tuple[float, Said]]:
        if not phrase or len(phrase) > self._table.longest * _MUCH_LONGER:
            return []
        scores = self._table.phrases.nearness([phrase])[0]
        limit = min(limit, len(scores))
        best = np.argpartition(-scores, limit - 1)[:limit]
        ranked = sorted(((float(scores[at]), int(at)) for at in best), key=lambda one: (-one[0], one[1]))
        return [(score, self._table.closed[at]) for score, at in ranked]

    def _near_closed(self, sentence: Sentence, start: int, stop: int, joined: bool) -> Iterator[Meaning]:
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
            if score >= threshold:
                for meaning in self._interpreter.meanings(said.match, _no_words):
                    yield replace(meaning, quality=score * meaning.quality)

    def _near_open(self, sentence: Sentence, start: int, stop: int) -> Iterator[Meaning]:
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
            score = _combined(score, said.fit([*sentence.plains[start:first], *sentence.plains[end:stop]]))
            if score >= CARRIER_THRESHOLD:
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
        match = replace(said.match, spans={"value": (0, end - first)})
        value = sentence.heard(first, end)
        score, weight = carrier
        for meaning in self._interpreter.meanings(match, lambda _first, _end: value, lenient=True):
            if meaning.problem:
                continue
            if not meaning.open_text:
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


def _all_said(templates: ScreenTemplates, light_words: frozenset[str]) -> Iterator[Said]:
    slots = templates.names.slots
    for pattern in (pattern for source in templates.sets for pattern in source.patterns):
        if pattern.metadata.get("exact") or pattern.intent.endswith("_rest") or SLOT + NUMBER in pattern.parts:
            continue
        shape = _Shape(pattern, light_words)
        lists = [slots.get(slot, ())[: _FEW_RECORDS if slot == RECORD else _LONG_LIST] for slot in shape.slots]
        for names in product(*lists):
            yield shape.said(names)


class _Shape:
    """What is the same in all sentences of one pattern."""

    def __init__(self, pattern: Pattern, light_words: frozenset[str]) -> None:
        self._pattern = pattern
        self.slots = [part[1:] for part in pattern.parts if part.startswith(SLOT) and part[1:] != VALUE]
        self._open = SLOT + VALUE in pattern.parts
        at = pattern.parts.index(SLOT + VALUE) if self._open else len(pattern.parts)
        self._before = self._format(pattern.parts[:at])
        self._after = self._format(pattern.parts[at + 1 :])
        runs: list[list[str]] = [[]]
        for part in pattern.parts:
            if part.startswith(SLOT):
                runs.append([])
            elif part.casefold() not in light_words:
                runs[-1].append(part.casefold())
        self._others = tuple(" ".join(run) for run in runs if run)

    def said(self, names: tuple[Name, ...]) -> Said:
        """The sentence with these names in its slots."""
        by_slot = dict(zip(self.slots, names, strict=True))
        words = {slot: name.words for slot, name in by_slot.items()}
        match = Match(self._pattern.intent, self._pattern.metadata, self._pattern.fixed, by_slot)
        own = tuple(text for slot, text in words.items() if slot != RECORD)
        return Said(self._before.format_map(words), self._after.format_map(words), own, self._others, match, self._open)

    def _format(self, parts: tuple[str, ...]) -> str:
        return " ".join(part + "}" if part.startswith(SLOT) else part.casefold() for part in parts)
