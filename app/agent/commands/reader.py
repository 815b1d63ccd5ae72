"""Reads an utterance on one screen: of all hypotheses and near-sounding commands, the one that can be executed wins."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property, partial
from itertools import pairwise
from typing import TypeAlias

from app.agent.commands.chain import Chain, Divider, quality_of, without_repeats
from app.agent.commands.clauses import ClauseReader, Division, divisions
from app.agent.commands.doubts import Doubts
from app.agent.commands.ear import UNSURE, Ear
from app.agent.commands.grammar import Grammar
from app.agent.commands.interpret import Interpreter
from app.agent.commands.meaning import Meaning
from app.agent.commands.near import NearCommands
from app.agent.commands.progress import Answered, place_in, rest_after, words_of_call
from app.agent.commands.reading import (
    Bounds,
    Reading,
    Start,
    is_as_likely,
    with_near_rivals,
    with_own_rivals,
    with_value_rivals,
    without_unclear_values,
)
from app.agent.commands.said import SaidTable
from app.agent.commands.sentence import Sentence
from app.agent.commands.templates import ScreenTemplates
from app.agent.json_types import Json
from app.agent.messages import Hypothesis
from app.agent.snapshot import Snapshot
from app.agent.values import phones
from app.agent.values.words import plain

SURE = 0.9
"""An exact reading at least this good is taken before anything that only sounds near."""

_LOOPING = 0.3
"""How much less likely a hypothesis is that repeats itself: a decoder in a loop is very sure of each word."""

_NO_CAPITAL = 0.08
"""How much less likely a name without a capital is than its log-probability says: "acne" beside "Acme"."""

_NO_AT, _NO_VOWEL = 0.2, 0.2
"""The same for an address whose "at" had to be found inside a word, and for one that nobody could say: "jn"."""

_ReadClause: TypeAlias = Callable[[Sentence, int, int, str], list[Meaning]]

_AT_WAS_SAID = 0.96
"""The quality of an address read as it was heard; one with an "at" found inside a word has less, even on average."""

_VOWEL = re.compile("[aeiouy0-9]")

_LEADING = ("navigate", "click", "open_item")
"""Tools that may bring up the targets of the clauses after them."""


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
        self._interpreter = Interpreter(snapshot, templates.names, grammar, today, spoken=spoken)
        self._clauses = ClauseReader(grammar, templates, self._interpreter)
        self._table = table
        self._heard_nearly: dict[tuple[Sentence, int, int, bool], list[Meaning]] = {}
        self._content = frozenset(grammar.words["perhaps_content"])
        self._doubts = Doubts(grammar, templates.names, spoken=spoken)
        self._spoken = spoken

    @cached_property
    def near(self) -> NearCommands:
        """Finds near-sounding commands."""
        return NearCommands(
            self._table(),
            self._interpreter,
            joiners=self._grammar.words["plain_joiners"],
            spoken=self._spoken,
        )

    def sentence(self, text: str) -> Sentence:
        """The sentence without sounds of hesitation."""
        sentence = Sentence.of(text, spoken=self._spoken)
        kept = tuple(w for w in sentence.words if w.quoted or w.plain not in self._grammar.fillers)
        return replace(sentence, words=kept)

    def starts(self, hypotheses: Iterable[Hypothesis], bounds: Bounds) -> list[Start]:
        """The hypotheses as sentences, likeliest first, those with the same words once."""
        found: dict[tuple[str, ...], Start] = {}
        for hypothesis in self._with_variants(hypotheses):
            sentence = self.sentence(hypothesis.text)
            loops = self._spoken and (sentence.repeated or _has_loop(sentence.plains))
            likely = hypothesis.log_probability - (_LOOPING if loops else 0.0)
            known = found.get(sentence.plains)
            if known is None or known.log_probability < likely:
                found[sentence.plains] = Start(sentence, 0, likely, bounds)
        ranked = sorted((start for words, start in found.items() if words), key=lambda one: -one.log_probability)
        return [replace(start, index=index) for index, start in enumerate(ranked)]

    def _with_variants(self, hypotheses: Iterable[Hypothesis]) -> Iterator[Hypothesis]:
        """Adds to spoken hypotheses what their beginnings are known to be written for."""
        misheard: Mapping[str, str] = self._grammar.words.get("misheard", {})
        for hypothesis in hypotheses:
            yield hypothesis
            said = plain(hypothesis.text)
            for written, meant in misheard.items() if self._spoken else ():
                if said.startswith(f"{written} "):
                    yield replace(hypothesis, text=meant + said.removeprefix(written))
            if self._spoken and (joined := self._joined(hypothesis.text)):
                yield replace(hypothesis, text=joined)

    def _joined(self, text: str) -> str:
        """The text with words of this screen that were written as two: "key note"; empty where there are none."""
        words = Sentence.of(text).words
        pairs = [pair for pair in pairwise(words) if pair[0].plain + pair[1].plain in self._single_words]
        for first, second in reversed(pairs):
            text = text[: first.end] + text[second.start :]
        return text if pairs else ""

    @cached_property
    def _single_words(self) -> frozenset[str]:
        """Names on this screen that are one word."""
        slots = self._templates.names.slots
        names = (name.words for slot in ("choice", "field", "button", "switch", "page") for name in slots[slot])
        return frozenset(words for words in names if " " not in words)

    def rests(self, starts: Sequence[Start], answered: Sequence[Answered]) -> list[Start]:
        """The hypotheses from the word on that no answered call explains, best explained first."""
        place = place_in(answered[-1].call_id, [start.sentence.text for start in starts])
        if place:
            hypothesis, word = place
            return [replace(starts[hypothesis], word=word)]
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
        reading = self._best(starts)
        return without_unclear_values(reading) if reading and self._spoken and not reading.rivals else reading

    def _best(self, starts: Sequence[Start]) -> Reading | None:
        starts = self._credible(starts)
        exact = [self._plausibly(reading) for start in starts if (reading := self._exact(start))]
        good = [reading for reading in exact if not reading.problem]
        if sure := [reading for reading in good if reading.quality >= SURE]:
            best = max(sure, key=lambda reading: (reading.complete, reading.mark))
            return (
                best
                if best.rivals or not self._spoken
                else with_value_rivals(best, [*sure, *self._unsure(best, starts)], self._grammar.language)
            )
        if exact and not good and not self._spoken:
            # Typed words are what was meant: a value that is refused there is no other command.
            return exact[0]
        near = self._near(starts)
        found = [*good, *([near] if near else [])]
        if found:
            return max(found, key=lambda reading: reading.mark)
        return exact[0] if exact else None

    def _unsure(self, best: Reading, starts: Sequence[Start]) -> Iterable[Reading]:
        """What the other hypotheses come to that the recogniser thinks as likely, their clauses divided by sound."""
        for start in starts:
            if start.sentence is not best.start.sentence and is_as_likely(start, best):
                reading = self._near_one(start, self._ear(starts))
                if reading and not reading.problem:
                    yield self._plausibly(reading)

    def unread_words(self, start: Start) -> str:
        """The words at the end that can't be read here, where those before them can; all words otherwise."""
        sentence = start.sentence
        places = divisions(sentence, self._grammar)
        divider = self._divider(sentence, places, self._read_exactly)
        for place in sorted(places, key=lambda place: -place.stop):
            chain = divider.chain(start.word, place.stop) if place.stop > start.word else None
            if chain and not any(clause.meaning.problem for clause in chain):
                return sentence.heard(place.start, len(sentence))
        return sentence.heard(start.word, len(sentence))

    def missing(self, words: str) -> str:
        """What the screen has not that these words are about, as a sentence; empty where it is something else."""
        sentence = self.sentence(words)
        first, stop = self._clauses.bare(sentence, 0, len(sentence))
        matches = self._templates.matches(sentence.phrase(first, stop))
        searched = any(match.intent == "search" for match in matches) and not self._interpreter.can_search
        return "There is no search box on this page." if searched else ""

    def _exact(self, start: Start) -> Reading | None:
        places = divisions(start.sentence, self._grammar)
        return self._divided(start, places, self._read_exactly, exact=True)

    def _near(self, starts: Sequence[Start]) -> Reading | None:
        ear = self._ear(starts)
        found = [reading for start in starts if (reading := self._near_one(start, ear)) and not reading.problem]
        return with_near_rivals(max(found, key=lambda reading: reading.mark), found) if found else None

    def _ear(self, starts: Sequence[Start]) -> Ear | None:
        if self._grammar.language != phones.LANGUAGE:
            return None
        if any(start.word for start in starts):
            # What follows a command that has been carried out is rather a command than talk.
            return Ear(UNSURE)
        return Ear(max((start.log_probability for start in starts), default=0.0) if self._spoken else 0.0)

    def _credible(self, starts: Sequence[Start]) -> Sequence[Start]:
        """The hypotheses without those that the recogniser itself believes far less and that sound otherwise."""
        ear = self._ear(starts)
        if not ear or len(starts) < 2 or any(start.word for start in starts):
            return starts
        best = max(starts, key=lambda start: start.log_probability)
        likeliest = best.sentence.phrase(best.word, len(best.sentence))
        return [
            start
            for start in starts
            if ear.hears(start.sentence.phrase(start.word, len(start.sentence)), start.log_probability, likeliest)
        ]

    def _near_one(self, start: Start, ear: Ear | None) -> Reading | None:
        sentence = start.sentence
        places = [*divisions(sentence, self._grammar, near=True), *self._doubts.before_labels(sentence)]
        return self._divided(start, places, partial(self._read_nearly, ear), exact=False)

    def _read_exactly(self, sentence: Sentence, first: int, stop: int, after: str) -> list[Meaning]:
        meanings = self._clauses.read(sentence, first, stop, after)
        return [self._doubts.about(sentence, stop, meaning) for meaning in meanings]

    def _read_nearly(self, ear: Ear | None, sentence: Sentence, first: int, stop: int, after: str) -> list[Meaning]:
        meanings = [meaning for meaning in self._read_exactly(sentence, first, stop, after) if not meaning.problem]
        if meanings and meanings[0].quality >= SURE:
            return meanings
        meanings += self._clauses.read_leniently(sentence, first, stop, after) if self._spoken else []
        key = (sentence, first, stop, bool(after))
        if key not in self._heard_nearly:
            bare, end = self._clauses.bare(sentence, first, stop)
            spans = [*((begin, stop) for begin in range(first, bare)), (bare, end)] if bare < end else [(first, stop)]
            self._heard_nearly[key] = [
                self._doubts.about(sentence, stop, meaning)
                for span in spans
                for meaning in self.near.read(sentence, *span, ear=ear, joined=bool(after))
            ]
        return sorted([*meanings, *self._heard_nearly[key]], key=lambda meaning: -meaning.quality)

    def _divider(self, sentence: Sentence, places: Sequence[Division], read: _ReadClause) -> Divider:
        return Divider(len(sentence), places, partial(read, sentence), self._content)

    def _divided(self, start: Start, places: Sequence[Division], read: _ReadClause, *, exact: bool) -> Reading | None:
        sentence = start.sentence
        divider = self._divider(sentence, places, read)
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
            once = without_repeats(whole) if self._spoken else whole
            here, unread = self._until_elsewhere(once, len(sentence))
            return with_own_rivals(Reading(start, here, unread, quality_of(here), exact))
        if leading is None:
            return None
        chain, unread = leading
        return with_own_rivals(Reading(start, chain, unread, quality_of(chain), exact))

    def _until_elsewhere(self, chain: Chain, stop: int) -> tuple[Chain, int]:
        """The clauses up to one that opens another page, where "it" is another record, and the first word after."""
        shown = self._snapshot.screen.get("page")
        for at, clause in enumerate(chain[:-1]):
            if clause.meaning.tool == "navigate" and dict(clause.meaning.arguments).get("page") != shown:
                return chain[: at + 1], chain[at + 1].start
        return chain, stop

    def _plausibly(self, reading: Reading) -> Reading:
        """Takes for less likely what a recogniser wrote as a name without a capital, or as an unlikely address."""
        if not self._spoken:
            return reading
        less = max((_less_likely(clause.meaning) for clause in reading.chain), default=0.0)
        return replace(reading, start=replace(reading.start, log_probability=reading.start.log_probability - less))

    def _looks_like_command(self, sentence: Sentence, start: int) -> bool:
        first, stop = self._clauses.bare(sentence, start, len(sentence))
        said = sentence.phrase(first, stop) + " "
        return any(said.startswith(verb + " ") for verb in self._verbs) and stop > first + 1

    @cached_property
    def _verbs(self) -> frozenset[str]:
        return frozenset(verb for source in self._templates.sets for verb in source.verbs(self._grammar.words["verbs"]))


def _less_likely(meaning: Meaning) -> float:
    value = str(dict(meaning.arguments).get("value", ""))
    if meaning.hard_to_hear == "name" and value[:1].islower():
        return _NO_CAPITAL
    person, at, _ = value.partition("@")
    if meaning.hard_to_hear == "address" and at:
        return max(_NO_AT if meaning.quality < _AT_WAS_SAID else 0.0, 0.0 if _VOWEL.search(person) else _NO_VOWEL)
    return 0.0


def _has_loop(words: Sequence[str]) -> bool:
    return any(words[at] == words[at + 1] == words[at + 2] for at in range(len(words) - 2))
