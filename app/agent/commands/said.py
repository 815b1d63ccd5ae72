"""All that could be said on one screen, each way to say it with its sounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from app.agent.commands.expand import SLOT
from app.agent.commands.templates import NUMBER, Match, Pattern, ScreenTemplates
from app.agent.commands.vocabulary import Name
from app.agent.values.sound import nearness, sound_of

NAME_THRESHOLD = 0.58
VERB_THRESHOLD = 0.5
SHORT_VERB_THRESHOLD = 0.45
"""How near each name in a command, and each run of its other words, must be to some of the words heard."""

VALUE = "value"
RECORD = "record"
"""The slots of an open value, and of what a record may be called."""

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


class PhraseTable:
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
        self.phrases = PhraseTable([one.before for one in self.closed])
        self.longest = max((len(one.before) for one in self.closed), default=0)
        befores = sorted({one.before for one in self.open})
        afters = sorted({one.after for one in self.open})
        self.befores, self.afters = PhraseTable(befores), PhraseTable(afters)
        at_before = {phrase: at for at, phrase in enumerate(befores)}
        at_after = {phrase: at for at, phrase in enumerate(afters)}
        self.before_of = np.array([at_before[one.before] for one in self.open], dtype=np.intp)
        self.after_of = np.array([at_after[one.after] for one in self.open], dtype=np.intp)


def _all_said(templates: ScreenTemplates, light_words: frozenset[str]) -> Iterator[Said]:
    slots = templates.names.slots
    for pattern in (pattern for source in templates.sets for pattern in source.patterns):
        if pattern.intent.endswith("_rest") or SLOT + NUMBER in pattern.parts:
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
