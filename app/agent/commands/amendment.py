"""Words that take the place of the last request: "no, I meant advanced", "I said Bremen", "not Berlin, Bremen"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.agent.commands.grammar import Grammar
from app.agent.commands.sentence import Sentence
from app.agent.messages import Hypothesis, Utterance
from app.agent.values.words import plain


@dataclass(frozen=True, slots=True)
class Amendment:
    """One reading of an amendment.

    Attributes:
        right: What was meant: a value, the name of a field, or a whole command.
        wrong: What was not meant, where that was said.
    """

    right: str
    log_probability: float
    wrong: str = ""


def amendments(utterance: Utterance, grammar: Grammar) -> tuple[Amendment, ...]:
    """The readings of an utterance that are amendments, best first; none where it is something else."""
    words = grammar.data.get("amend")
    if not words:
        return ()
    found = (each for reading in utterance.readings() for each in _read(reading, words))
    return tuple({(each.wrong, each.right): each for each in found}.values())


def _read(reading: Hypothesis, words: dict[str, list[str]]) -> Iterator[Amendment]:
    sentence = Sentence.of(reading.text)
    size = len(sentence)
    openers = _starting(sentence, words["openers"])
    if openers:
        start = max(openers)
        # "I meant": a denial may follow that ("I meant not Berlin, Bremen").
        negated = [start + each for each in _starting(sentence, words["not"], start)]
        yield from _divided(sentence, max(negated), words, reading) if negated else ()
        if start < size:
            yield Amendment(sentence.heard(start, size).strip(" ."), reading.log_probability)
        return
    negated = _starting(sentence, words["not"])
    if negated:
        yield from _divided(sentence, max(negated), words, reading)


def _divided(sentence: Sentence, start: int, words: dict[str, list[str]], reading: Hypothesis) -> Iterator[Amendment]:
    size = len(sentence)
    for at in range(start + 1, size):
        buts = [length for length in _starting(sentence, words["but"], at) if at + length < size]
        following = at + max(buts, default=0)
        if buts or sentence.words[at - 1].pause:
            right = sentence.heard(following, size).strip(" .")
            yield Amendment(right, reading.log_probability, sentence.heard(start, at).strip(" .,"))


def _starting(sentence: Sentence, phrases: Iterable[str], start: int = 0) -> list[int]:
    """The lengths, in words, of the phrases that stand at that place."""
    split = [tuple(plain(phrase).split()) for phrase in phrases]
    return [len(words) for words in split if sentence.plains[start : start + len(words)] == words]
