"""Readings of an utterance: what each hypothesis comes to on a screen, and which others are as good."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.agent.commands.chain import Chain, Clause
from app.agent.commands.meaning import Meaning
from app.agent.commands.sentence import Sentence
from app.agent.values.numbers import digits
from app.agent.values.words import plain

DECODER_WEIGHT = 0.15
"""How much the recogniser's own opinion counts beside the fit of the words."""

_TIE = 0.03
"""Readings that only sound near are asked about when they are closer than this."""

_CLEAR = -0.5

_MOST_RIVALS = 2


@dataclass(frozen=True, slots=True)
class Bounds:
    """What log-probabilities per token can tell. Those of two recognisers together tell more than those of one.

    Attributes:
        same: Closer than this, they don't tell two values apart.
        names: The same for names and addresses, whose letters can't be guessed from other words; more where speech is
            unclear.
        small_word: As much more for a name with a word in it that has no capital: "lower the Fisher".
        address: The least for an address, each letter of which has to be right.
        name: The least for a name, or one word of free text.
        text: The least for two or three words of free text that are no name in capitals.
        long_text: The least for more words: where they are right, each makes the next one likelier.
    """

    same: float
    names: float
    small_word: float
    address: float
    name: float
    text: float
    long_text: float


_ONE_RECOGNISER = Bounds(same=0.065, names=0.12, small_word=0.1, address=-0.57, name=-1.3, text=-0.75, long_text=-0.75)
"""Of 31 pairs that were as close as `same` on 20 voices, the better one was right 6 times; farther apart, it was right
in 8 of 10. Of 25 spoken addresses above the least one all were right, of 9 below it 2."""

_TWO_RECOGNISERS = Bounds(same=0.045, names=0.07, small_word=0.15, address=-0.4, name=-1.3, text=-0.8, long_text=-0.4)
"""On 206 clips of 12 voices; docs/voice.md has the figures. Of 100 free texts on 22 voices, from which they
were chosen, the 9 below `name`, `text` and `long_text` were wrong, and 3 of the 91 others were misheard."""

_LONG_TEXT = 4
"""Words from which on a free text is a long one here."""


def bounds_for(recognisers: int) -> Bounds:
    """The bounds for log-probabilities that are the mean of so many recognisers'."""
    return _ONE_RECOGNISER if recognisers == 1 else _TWO_RECOGNISERS


@dataclass(frozen=True, slots=True)
class Start:
    """A hypothesis, and the first word of it that no earlier turn has answered.

    Attributes:
        bounds: What its log-probability can tell.
        index: Its place among the hypotheses.
    """

    sentence: Sentence
    word: int
    log_probability: float
    bounds: Bounds
    index: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A hypothesis understood.

    Attributes:
        start: The hypothesis that was taken.
        chain: Its clauses, each readable on this screen.
        unread: The first word of what must wait for another screen, or the number of words.
        quality: How well the worst clause fits, between 0 and 1.
        exact: Whether the words themselves fit, not only their sound.
        rivals: Other chains that are as good; the person has to say which is meant.
    """

    start: Start
    chain: Chain
    unread: int
    quality: float
    exact: bool
    rivals: tuple[Chain, ...] = ()

    @property
    def mark(self) -> float:
        """What readings of different hypotheses are compared by."""
        return self.quality + DECODER_WEIGHT * math.exp(self.start.log_probability)

    @property
    def complete(self) -> bool:
        """Whether nothing has to wait for another screen."""
        return self.unread == len(self.start.sentence)

    def following(self) -> tuple[int, ...]:
        """For each clause the word at which the next one begins, or what is unread."""
        return (*(clause.start for clause in self.chain[1:]), self.unread)

    @property
    def problem(self) -> Meaning | None:
        """The first clause whose value its target refuses."""
        return next((clause.meaning for clause in self.chain if clause.meaning.problem), None)


def with_own_rivals(reading: Reading) -> Reading:
    """Adds what the same words mean as well: two buttons of one name, two fields that take the value."""
    if len(reading.chain) != 1:
        return reading
    clause = reading.chain[0]
    others = (replace(clause, meanings=(meaning,)) for meaning in clause.meanings[1:])
    return replace(reading, rivals=_distinct(clause, others))


def with_near_rivals(best: Reading, readings: Iterable[Reading]) -> Reading:
    """Adds the commands that other hypotheses are as near to."""
    if len(best.chain) != 1:
        return best
    close = [one for one in readings if len(one.chain) == 1 and best.mark - one.mark < _TIE]
    others = [replace(one.chain[0], meanings=(meaning,)) for one in close for meaning in one.chain[0].meanings]
    return replace(best, rivals=_distinct(best.chain[0], others))


def is_as_likely(one: Start, best: Reading) -> bool:
    """Whether the recogniser's log-probabilities leave open that a hypothesis is righter than the best reading."""
    known, bounds = best.start.log_probability, best.start.bounds
    closeness = bounds.same
    if any(clause.meaning.hard_to_hear for clause in best.chain):
        closeness = bounds.names + max(_CLEAR - known, 0.0) / 2
        if any(_has_small_word(clause.meaning) for clause in best.chain):
            closeness += bounds.small_word
    return known - one.log_probability < closeness


def _has_small_word(meaning: Meaning) -> bool:
    words = str(dict(meaning.arguments).get("value", "")).split()
    return meaning.hard_to_hear == "name" and any(word[0].islower() for word in words)


def with_value_rivals(best: Reading, readings: Iterable[Reading], language: str) -> Reading:
    """Adds the readings that differ only in what was heard for a value, where the recogniser can't tell either.

    Of those that differ only in writing numbers in letters or digits, the one in letters is taken for a text.
    """
    found = {_values(best.chain, language): best}
    for reading in sorted(readings, key=lambda one: -one.start.log_probability):
        if is_as_likely(reading.start, best) and _shape(reading.chain) == _shape(best.chain):
            values = _values(reading.chain, language)
            if values not in found or _digits(reading.chain) < _digits(found[values].chain):
                found[values] = reading
    first, *others = found.values()
    rounder = [chain] if (chain := _rounder(first.chain)) and not others else []
    rivals = (*(other.chain for other in others), *rounder)[:_MOST_RIVALS]
    return replace(first, rivals=rivals) if rivals else first


def without_unclear_values(reading: Reading) -> Reading:
    """Refuses addresses and free texts that were heard too unclearly to be right in each letter or word."""
    likely, bounds = reading.start.log_probability, reading.start.bounds
    return replace(reading, chain=tuple(_without_unclear(clause, likely, bounds) for clause in reading.chain))


def _without_unclear(clause: Clause, likely: float, bounds: Bounds) -> Clause:
    meaning = clause.meaning
    value = str(dict(meaning.arguments).get("value", ""))
    if meaning.problem or not value or likely >= _least_likely(meaning, value, bounds):
        return clause
    problem = f"I heard “{value}”, but not clearly. Say it again, or spell it."
    return replace(clause, meanings=(replace(meaning, problem=problem),))


def _least_likely(meaning: Meaning, value: str, bounds: Bounds) -> float:
    if meaning.hard_to_hear == "address":
        return bounds.address
    if not meaning.open_text:
        return -math.inf
    words = value.split()
    if len(words) >= _LONG_TEXT:
        return bounds.long_text
    # A name in capitals, or one word, is what it is even where the command round it is unclear.
    return bounds.text if len(words) > 1 and any(word[0].islower() for word in words) else bounds.name


def _rounder(chain: Chain) -> Chain:
    """The same clauses with the rounder numbers that they may have been."""
    if not any(clause.meaning.rounder for clause in chain):
        return ()
    return tuple(
        replace(clause, meanings=(replace(clause.meaning, arguments=(("value", clause.meaning.rounder),)),))
        if clause.meaning.rounder
        else clause
        for clause in chain
    )


def _distinct(best: Clause, others: Iterable[Clause]) -> tuple[Chain, ...]:
    """Those that do something else; another value for the same field is no rival here."""
    rivals: dict[tuple[str, str, str], Chain] = {}
    for other in others:
        first, second = best.meaning, other.meaning
        same_field = first.intent == second.intent and first.handle == second.handle and first.handle
        if first.key != second.key and not same_field:
            rivals.setdefault(second.key, (other,))
    return tuple(rivals.values())


def _shape(chain: Chain) -> tuple[tuple[str, str], ...]:
    return tuple((clause.meaning.tool, clause.meaning.handle) for clause in chain)


def _values(chain: Chain, language: str) -> tuple[str, ...]:
    """The values as they sound alike to a reader: "Northwind" and "north wind", "10 steps" and "ten steps" are one."""
    return tuple(
        digits(plain(str(clause.meaning.arguments)), language).replace(" ", "") if not clause.meaning.long_text else ""
        for clause in chain
    )


def _digits(chain: Chain) -> int:
    """How many digits there are in texts."""
    texts = (str(clause.meaning.arguments) for clause in chain if clause.meaning.open_text)
    return sum(letter.isdigit() for text in texts for letter in text)
