"""Signs that a free text has swallowed a clause that was misheard."""

from __future__ import annotations

from dataclasses import replace

from app.agent.commands.clauses import Division, divisions
from app.agent.commands.grammar import Grammar
from app.agent.commands.meaning import Meaning
from app.agent.commands.sentence import Sentence
from app.agent.commands.vocabulary import Vocabulary
from app.agent.values.sound import nearness, sound_of

_SWALLOWED = 0.85
_PERHAPS_SWALLOWED = 0.97
_LONGEST_LABEL = 6

_PERHAPS_A_BUTTON = 0.5
"""How near to a button the words after "then" are when they are asked about: "then say" is, "then leap" isn't."""

_LONGEST_TAIL = 3


class Doubts:
    """Lowers the quality of free texts that hold what sounds like another command of this screen.

    Arguments:
        spoken: The sentences were heard: a text that ends in "then" and almost a button is refused.
    """

    def __init__(self, grammar: Grammar, names: Vocabulary, *, spoken: bool = False) -> None:
        self._grammar = grammar
        self._spoken = spoken
        self._buttons = [name.words for name in names.slots["button"] if name.quality == 1.0]
        self._fields = frozenset(name.words for name in names.slots["field"])
        self._labels: dict[Sentence, list[Division]] = {}

    def about(self, sentence: Sentence, stop: int, meaning: Meaning) -> Meaning:
        """The meaning of a clause that ends before word `stop`, less sure where its text holds too much."""
        if not meaning.open_text or meaning.problem:
            return meaning
        start = stop - len(str(dict(meaning.arguments).get("value", "")).split())
        if any(start < place.start < stop for place in self.before_labels(sentence)):
            return replace(meaning, quality=meaning.quality * _SWALLOWED)
        for place in divisions(sentence, self._grammar):
            inside = start < place.stop and place.start < stop
            if inside and self._sounds_like_button(sentence.phrase(place.start, stop)):
                doubt = _PERHAPS_SWALLOWED if place.plain_and else _SWALLOWED
                return replace(meaning, quality=meaning.quality * doubt)
            if inside and self._spoken and self._is_nearly_button(sentence, place, stop):
                return replace(meaning, problem=f"I did not understand “{sentence.heard(place.start, stop)}”.")
        return meaning

    def before_labels(self, sentence: Sentence) -> list[Division]:
        """Divisions where "the job title to" begins, whatever stands before it."""
        if sentence not in self._labels:
            articles = self._grammar.words["articles"]
            self._labels[sentence] = [
                Division(at, at, sure=False)
                for at in range(1, len(sentence) - 2)
                if self._field_follows(sentence, at + 1 if sentence.plains[at] in articles else at)
            ]
        return self._labels[sentence]

    def _field_follows(self, sentence: Sentence, at: int) -> bool:
        to = self._grammar.words["to"]
        ends = range(at + 1, min(at + _LONGEST_LABEL, len(sentence) - 1))
        return any(sentence.plains[end] in to and sentence.phrase(at, end) in self._fields for end in ends)

    def _is_nearly_button(self, sentence: Sentence, place: Division, stop: int) -> bool:
        """Whether "then" was said, and after it something short that may have been a button."""
        said = place.start > place.stop and not place.plain_and and stop - place.start <= _LONGEST_TAIL
        tail = sentence.phrase(place.start, stop) if said else ""
        return said and any(nearness(tail, words) >= _PERHAPS_A_BUTTON for words in self._buttons)

    def _sounds_like_button(self, phrase: str) -> bool:
        sound = sound_of(phrase)
        return any(phrase != words and sound == sound_of(words) for words in self._buttons)
