"""Commands that sound like what was heard: the closed commands of this screen, and beginnings of open ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from app.agent.commands.expand import SLOT, Parts
from app.agent.commands.interpret import Interpreter
from app.agent.commands.meaning import Meaning, best_of_each
from app.agent.commands.sentence import Sentence
from app.agent.commands.templates import Match, Pattern, ScreenTemplates
from app.agent.commands.vocabulary import Name
from app.agent.values.sound import sound_of

CLOSED_THRESHOLD = 0.66
OPEN_THRESHOLD = 0.78
"""How near the words round a free value must be; higher, since a free value takes any words."""

_LONG_LIST = 200
_OPEN = ("value",)


@dataclass(frozen=True, slots=True)
class Said:
    """One way to say one command.

    Attributes:
        before, after: Normal form of the words before and after the open value; a closed command has only `before`.
        match: What a clause with these words would match, without the span of the value.
        open: Whether a value belongs between them.
    """

    before: str
    after: str
    match: Match
    open: bool


class _Table:
    """Phrases with their sounds, compared with many others at once."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self.phrases = list(phrases)
        self._tight = [phrase.replace(" ", "") for phrase in self.phrases]
        self._sounds = [sound_of(phrase) for phrase in self.phrases]

    def nearness(self, heard: Sequence[str]) -> NDArray[np.float32]:
        """Similarities, shape (heard, phrases): as `app.agent.values.sound.nearness`."""
        alike = Levenshtein.normalized_similarity
        letters = np.maximum(
            cdist(heard, self.phrases, scorer=alike),
            cdist([phrase.replace(" ", "") for phrase in heard], self._tight, scorer=alike),
        )
        sounds = cdist([sound_of(phrase) for phrase in heard], self._sounds, scorer=alike)
        return np.asarray((letters + sounds) / 2, dtype=np.float32)


class NearCommands:
    """All that could have been meant on one screen, for comparison by sound."""

    def __init__(self, templates: ScreenTemplates, interpreter: Interpreter, patterns: Iterable[Pattern]) -> None:
        self._interpreter = interpreter
        said = list(_all_said(templates, patterns))
        self._closed = [one for one in said if not one.open]
        self._open = [one for one in said if one.open]
        self._closed_table = _Table([one.before for one in self._closed])
        befores = sorted({one.before for one in self._open})
        afters = sorted({one.after for one in self._open if one.after})
        self._befores, self._afters = _Table(befores), _Table(afters)
        self._before_index = {phrase: at for at, phrase in enumerate(befores)}
        self._after_index = {phrase: at for at, phrase in enumerate(afters)}

    def read(self, sentence: Sentence, start: int, stop: int) -> list[Meaning]:
        """Meanings near to the words from `start` up to `stop`, best first, with nearness as their quality."""
        return best_of_each([*self._near_closed(sentence, start, stop), *self._near_open(sentence, start, stop)])

    def nearest(self, phrase: str, count: int) -> list[str]:
        """The closed commands nearest to a phrase, each another call, however far they are."""
        found: dict[object, str] = {}
        for at in self._ranked(phrase, limit=60, threshold=0.0):
            for meaning in self._interpreter.meanings(self._closed[at].match, _no_words):
                found.setdefault(meaning.key, self._closed[at].before)
            if len(found) >= count:
                break
        return list(found.values())[:count]

    def _ranked(self, phrase: str, limit: int, threshold: float) -> list[int]:
        if not self._closed:
            return []
        scores = self._closed_table.nearness([phrase])[0]
        best = np.argsort(-scores, kind="stable")[:limit]
        return [int(at) for at in best if scores[at] >= threshold]

    def _near_closed(self, sentence: Sentence, start: int, stop: int) -> Iterator[Meaning]:
        if not self._closed:
            return
        scores = self._closed_table.nearness([sentence.phrase(start, stop)])[0]
        for at in np.argsort(-scores, kind="stable")[:12]:
            score = float(scores[at])
            if score < CLOSED_THRESHOLD:
                return
            for meaning in self._interpreter.meanings(self._closed[int(at)].match, _no_words):
                yield replace(meaning, quality=score * meaning.quality)

    def _near_open(self, sentence: Sentence, start: int, stop: int) -> Iterator[Meaning]:
        length = stop - start
        if length < 2 or not self._open:
            return
        heads = [sentence.phrase(start, start + size) for size in range(1, min(length, 9))]
        before = self._befores.nearness(heads)
        tails = [sentence.phrase(stop - size, stop) for size in range(1, min(length, 7))]
        after = self._afters.nearness(tails) if self._afters.phrases else None
        for said in self._open:
            column = before[:, self._before_index[said.before]]
            weight = len(said.before)
            tail_size, score = 0, 0.0
            size = int(np.argmax(column)) + 1
            score = float(column[size - 1])
            if said.after and after is not None:
                behind = after[:, self._after_index[said.after]]
                tail_size = int(np.argmax(behind)) + 1
                score = (score * weight + float(behind[tail_size - 1]) * len(said.after)) / (weight + len(said.after))
            if score < OPEN_THRESHOLD or size + tail_size >= length:
                continue
            span = {"value": (size, length - tail_size)}
            match = replace(said.match, spans=span)
            for meaning in self._interpreter.meanings(
                match, lambda first, end: sentence.heard(start + first, start + end)
            ):
                if not meaning.problem:
                    yield replace(meaning, quality=score * meaning.quality)


def _no_words(_first: int, _end: int) -> str:
    return ""


def _all_said(templates: ScreenTemplates, patterns: Iterable[Pattern]) -> Iterator[Said]:
    slots = templates.names.slots
    for pattern in patterns:
        if pattern.intent.endswith("_rest") or SLOT + "number" in pattern.parts:
            continue
        names = [part[1:] for part in pattern.parts if part.startswith(SLOT)]
        closed = [name for name in names if name not in _OPEN]
        lists = [slots.get(name, ()) for name in closed]
        if sum(len(found) for found in lists) > _LONG_LIST * max(len(lists), 1):
            lists = [found[:_LONG_LIST] for found in lists]
        for combination in product(*lists):
            yield _said(pattern, dict(zip(closed, combination, strict=True)))


def _said(pattern: Pattern, names: Mapping[str, Name]) -> Said:
    parts: list[str] = []
    sides: list[Parts] = []
    for part in pattern.parts:
        if part == SLOT + "value":
            sides.append(tuple(parts))
            parts = []
        else:
            parts.append(names[part[1:]].words if part.startswith(SLOT) else part.casefold())
    sides.append(tuple(parts))
    fixed: Mapping[str, Any] = pattern.fixed
    match = Match(pattern.intent, pattern.metadata, fixed, names)
    after = " ".join(sides[1]) if len(sides) > 1 else ""
    return Said(" ".join(sides[0]), after, match, len(sides) > 1)
