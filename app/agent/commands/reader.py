"""Reads an utterance on one screen: of all hypotheses and near-sounding commands, the one that can be executed wins."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from app.agent.commands.chain import Chain, Divider, quality_of
from app.agent.commands.clauses import ClauseReader, Division, divisions
from app.agent.commands.grammar import Grammar
from app.agent.commands.interpret import Interpreter
from app.agent.commands.meaning import Meaning
from app.agent.commands.near import NearCommands, SaidTable
from app.agent.commands.progress import Answered, rest_after, words_of_call
from app.agent.commands.sentence import Sentence
from app.agent.commands.templates import ScreenTemplates
from app.agent.json_types import Json
from app.agent.messages import Hypothesis
from app.agent.snapshot import Snapshot
from app.agent.values.sound import sound_of

DECODER_WEIGHT = 0.15
"""How much the recogniser's own opinion counts beside the fit of the words (measured, see docs of the voice path)."""

SURE = 0.9
"""An exact reading at least this good is taken before anything that only sounds near."""

TIE = 0.03
"""Two near readings closer than this are asked about."""

_SWALLOWED = 0.85
_PERHAPS_SWALLOWED = 0.97

_LEADING = ("navigate", "click", "open_item")
"""Tools that may bring up the targets of the clauses after them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A sentence understood.

    Attributes:
        sentence: The hypothesis that was taken.
        chain: Its clauses, each readable on this screen.
        unread: The first word of what must wait for another screen, or the number of words.
        quality: How well the worst clause fits, between 0 and 1.
        exact: Whether the words themselves fit, not only their sound.
        log_probability: The recogniser's, for this hypothesis.
        rivals: Other meanings that are as good, where there is one clause only.
    """

    sentence: Sentence
    chain: Chain
    unread: int
    quality: float
    exact: bool
    log_probability: float = 0.0
    rivals: tuple[Meaning, ...] = ()

    @property
    def mark(self) -> float:
        """What readings of different hypotheses are compared by."""
        return self.quality + DECODER_WEIGHT * math.exp(self.log_probability)

    @property
    def problem(self) -> Meaning | None:
        """The first clause whose value its target refuses."""
        return next((clause.meaning for clause in self.chain if clause.meaning.problem), None)


@dataclass(frozen=True, slots=True)
class Start:
    """A hypothesis, and the first word of it that no earlier turn has answered."""

    sentence: Sentence
    word: int
    log_probability: float


class ScreenReader:
    """Understands sentences on one screen."""

    def __init__(
        self,
        snapshot: Snapshot,
        grammar: Grammar,
        templates: ScreenTemplates,
        table: Callable[[], SaidTable],
        *,
        today: date | None = None,
        spoken: bool = False,
    ) -> None:
        self._snapshot = snapshot
        self._grammar = grammar
        self._templates = templates
        self._interpreter = Interpreter(
            snapshot, templates.names, grammar.words, grammar.language, today, spoken=spoken
        )
        self._clauses = ClauseReader(grammar, templates, self._interpreter)
        self._table = table
        self._content = frozenset(grammar.words["perhaps_content"])
        self._buttons = [name.words for name in templates.names.slots["button"] if name.quality == 1.0]
        self._fields = frozenset(name.words for name in templates.names.slots["field"])

    @cached_property
    def near(self) -> NearCommands:
        """Finds near-sounding commands."""
        return NearCommands(self._table(), self._interpreter)

    def sentence(self, text: str) -> Sentence:
        """The sentence without sounds of hesitation."""
        sentence = Sentence.of(text)
        kept = tuple(w for w in sentence.words if w.quoted or w.plain not in self._grammar.fillers)
        return replace(sentence, words=kept)

    def starts(self, hypotheses: Iterable[Hypothesis]) -> list[Start]:
        """The hypotheses as sentences, best first, those with the same words once."""
        found: dict[tuple[str, ...], Start] = {}
        for hypothesis in sorted(hypotheses, key=lambda one: -one.log_probability):
            sentence = self.sentence(hypothesis.text)
            found.setdefault(sentence.plains, Start(sentence, 0, hypothesis.log_probability))
        return [start for words, start in found.items() if words]

    def rests(self, starts: Sequence[Start], answered: Sequence[Answered]) -> list[Start]:
        """The same hypotheses from the word on that no answered call explains, best explained first."""
        rests = []
        for start in starts:
            places = divisions(start.sentence, self._grammar, near=True)

            def readings(first: int, stop: int, sentence: Sentence = start.sentence) -> set[str]:
                meanings = self._clauses.read(sentence, first, stop)
                return {words_of_call(m.tool, json.dumps(self.arguments_of(m))) for m in meanings}

            word, fit = rest_after(start.sentence, places, answered, readings)
            rests.append((fit, replace(start, word=word)))
        rests.sort(key=lambda rest: -rest[0])
        return [start for fit, start in rests if fit >= rests[0][0] - 0.1]

    def arguments_of(self, meaning: Meaning) -> dict[str, Json]:
        """The arguments of a meaning's call: with the target only where the tool's parameters ask for one."""
        tool = self._snapshot.tool(meaning.tool)
        properties = tool.parameters.get("properties") if tool else None
        needs = isinstance(properties, Mapping) and "target" in properties
        return ({"target": meaning.handle} if needs and meaning.handle else {}) | dict(meaning.arguments)

    def read(self, starts: Sequence[Start]) -> Reading | None:
        """The reading that can be executed here, or None where nothing is understood.

        A reading with a `problem` is given only where no hypothesis has one without.
        """
        exact = [reading for start in starts if (reading := self._exact(start))]
        good = [reading for reading in exact if not reading.problem]
        if good and (sure := [reading for reading in good if reading.quality >= SURE]):
            return max(sure, key=lambda reading: (reading.unread == len(reading.sentence), reading.mark))
        near = self._near(starts)
        found = [*good, *([near] if near else [])]
        if found:
            return max(found, key=lambda reading: reading.mark)
        return exact[0] if exact else None

    def _exact(self, start: Start) -> Reading | None:
        places = divisions(start.sentence, self._grammar)

        def read(first: int, stop: int, after: str) -> list[Meaning]:
            return [
                self._doubted(start.sentence, stop, m) for m in self._clauses.read(start.sentence, first, stop, after)
            ]

        return self._divided(start, places, Divider(len(start.sentence), places, read, self._content), exact=True)

    def _near(self, starts: Sequence[Start]) -> Reading | None:
        found = [reading for start in starts if (reading := self._near_one(start)) and not reading.problem]
        if not found:
            return None
        best = max(found, key=lambda reading: reading.mark)
        rivals = [
            meaning
            for reading in found
            if len(reading.chain) == len(best.chain) == 1 and best.mark - reading.mark < TIE
            for meaning in reading.chain[0].meanings
        ]
        return replace(best, rivals=_rivals(best.chain[0].meaning, rivals))

    def _near_one(self, start: Start) -> Reading | None:
        sentence = start.sentence
        places = [*divisions(sentence, self._grammar, near=True), *self._before_labels(sentence)]
        memory: dict[tuple[int, int], list[Meaning]] = {}

        def read(first: int, stop: int, after: str) -> list[Meaning]:
            meanings = [self._doubted(sentence, stop, m) for m in self._clauses.read(sentence, first, stop, after)]
            if meanings and not meanings[0].problem and meanings[0].quality >= SURE:
                return meanings
            if (first, stop) not in memory:
                bare = self._clauses.bare(sentence, first, stop)
                spans = {(first, stop), bare} if bare[0] < bare[1] else {(first, stop)}
                memory[first, stop] = [m for span in spans for m in self.near.read(sentence, *span)]
            return sorted([*(m for m in meanings if not m.problem), *memory[first, stop]], key=lambda m: -m.quality)

        return self._divided(start, places, Divider(len(sentence), places, read, self._content), exact=False)

    def _divided(self, start: Start, places: Sequence[Division], divider: Divider, *, exact: bool) -> Reading | None:
        sentence = start.sentence
        whole = divider.chain(start.word)
        leading = None
        for place in sorted(places, key=lambda place: -place.stop):
            if place.stop <= start.word or not self._looks_like_command(sentence, place.start):
                continue
            chain = divider.chain(start.word, place.stop)
            if chain and chain[-1].meaning.tool in _LEADING and not chain[-1].meaning.problem:
                leading = (chain, place.start)
                break
        if whole and not (leading and whole[-1].meaning.open_text and len(leading[0]) >= len(whole)):
            return self._reading(start, whole, len(sentence), exact)
        return self._reading(start, *leading, exact) if leading else None

    def _reading(self, start: Start, chain: Chain, unread: int, exact: bool) -> Reading:
        rivals = _rivals(chain[0].meaning, chain[0].meanings) if len(chain) == 1 else ()
        return Reading(start.sentence, chain, unread, quality_of(chain), exact, start.log_probability, rivals)

    def _looks_like_command(self, sentence: Sentence, start: int) -> bool:
        first, stop = self._clauses.bare(sentence, start, len(sentence))
        said = sentence.phrase(first, stop) + " "
        return any(said.startswith(verb + " ") for verb in self._verbs) and stop > first + 1

    @cached_property
    def _verbs(self) -> frozenset[str]:
        return frozenset(verb for source in self._templates.sets for verb in source.verbs(self._grammar.words["verbs"]))

    def _doubted(self, sentence: Sentence, stop: int, meaning: Meaning) -> Meaning:
        """Less sure of a free text that has probably swallowed a clause: "the job title to ...", "then safe"."""
        if not meaning.open_text or meaning.problem:
            return meaning
        start = stop - len(str(dict(meaning.arguments).get("value", "")).split())
        if any(start < place.start < stop for place in self._before_labels(sentence)):
            return replace(meaning, quality=meaning.quality * _SWALLOWED)
        for place in divisions(sentence, self._grammar):
            if (
                start < place.stop
                and place.start < stop
                and self._sounds_like_button(sentence.phrase(place.start, stop))
            ):
                doubt = _PERHAPS_SWALLOWED if place.plain_and else _SWALLOWED
                return replace(meaning, quality=meaning.quality * doubt)
        return meaning

    def _sounds_like_button(self, phrase: str) -> bool:
        sound = sound_of(phrase)
        return any(phrase != words and sound == sound_of(words) for words in self._buttons)

    def _before_labels(self, sentence: Sentence) -> list[Division]:
        """Divisions where "the job title to" begins, whatever stands before it."""
        return [
            Division(at, at, sure=False)
            for at in range(1, len(sentence) - 2)
            if self._field_follows(sentence, at + 1 if sentence.plains[at] in self._grammar.words["articles"] else at)
        ]

    def _field_follows(self, sentence: Sentence, at: int) -> bool:
        ends = range(at + 1, min(at + 6, len(sentence) - 1))
        return any(
            sentence.plains[end] in self._grammar.words["to"] and sentence.phrase(at, end) in self._fields
            for end in ends
        )


def _rivals(best: Meaning, others: Iterable[Meaning]) -> tuple[Meaning, ...]:
    """Those that do something else; another value for the same field is no rival."""
    rivals: dict[tuple[str, str, str], Meaning] = {}
    for meaning in others:
        same_field = meaning.intent == best.intent and meaning.handle == best.handle and best.handle
        if meaning.key != best.key and not same_field:
            rivals.setdefault(meaning.key, meaning)
    return tuple(rivals.values())
