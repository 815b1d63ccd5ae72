"""Reads one clause of a sentence exactly, and finds where a sentence may be divided into clauses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.agent.commands.grammar import Grammar
from app.agent.commands.interpret import Interpreter
from app.agent.commands.meaning import Meaning, best_of_each
from app.agent.commands.sentence import Sentence
from app.agent.commands.templates import Match, ScreenTemplates

_CREATE = "create"
_AFTER = {"set_rest": "set", "clear_rest": "clear", "relate_rest": "relate", "named_rest": _CREATE}
"""Shortened clauses and what they may follow: "set the level to advanced and the format to talk"."""


@dataclass(frozen=True, slots=True)
class Division:
    """A place where one clause may end (before word `stop`) and the next begin (at word `start`).

    Attributes:
        plain_and: Only a bare "and" stands there: what follows may still be part of a title.
        sure: The words there are joiners, not just something that sounds like one.
    """

    stop: int
    start: int
    plain_and: bool = False
    sure: bool = True


def divisions(sentence: Sentence, grammar: Grammar, *, near: bool = False) -> list[Division]:
    """The places where a sentence may be divided, in order; with `near` at words that sound like joiners, too."""
    found: dict[tuple[int, int], Division] = {}
    plains = sentence.plains
    kinds = [(grammar.joiners, True), (grammar.near_joiners if near else (), False)]
    for at in range(1, len(sentence)):
        if _names_what_is_new(sentence, at, grammar) or _tells_more(sentence, at, grammar):
            found[at, at] = Division(at, at)
        if sentence.words[at - 1].pause and not sentence.words[at - 1].quoted:
            found[at, at] = Division(at, at)
        for joiners, sure in kinds:
            for words in joiners:
                end = at + len(words)
                if plains[at:end] == words and end < len(sentence) and not sentence.words[at].quoted:
                    paused = sentence.words[at - 1].pause
                    bare = words[0] in grammar.words["plain_joiners"] and len(words) == 1 and not paused
                    found.setdefault((at, end), Division(at, end, bare, sure))
    return list(found.values())


def _names_what_is_new(sentence: Sentence, at: int, grammar: Grammar) -> bool:
    """Whether the name of a new record may begin there: "new speaker | Rosa Delgado", "... | called Rosa Delgado"."""
    plains = sentence.plains
    if any(plains[at : at + len(words)] == words for words in grammar.naming_joiners):
        return True
    # Without a capital it is rather another word: "new talk show".
    capital = sentence.text[sentence.words[at].start].isupper()
    return capital and any(plains[max(at - 1 - len(words), 0) : at - 1] == words for words in grammar.creating)


def _tells_more(sentence: Sentence, at: int, grammar: Grammar) -> bool:
    """Whether more about the same person may begin there: "works at Siemens | as an architect"."""
    plains = sentence.plains
    rests = [(label, words) for label, words in grammar.relation_rests if plains[at : at + len(words)] == words]
    if not rests:
        return False
    label, words = rests[0]
    following = at + len(words)
    # A company has a capital; "works as an engineer for years" tells none.
    named = label not in grammar.words["proper_names"] or _is_capital(sentence, following)
    before = f" {sentence.phrase(0, at)} "
    return (
        following < len(plains)
        and named
        and any(f" {said} " in before for other, said in grammar.relations if other != label)
    )


def _is_capital(sentence: Sentence, at: int) -> bool:
    return at < len(sentence) and sentence.text[sentence.words[at].start].isupper()


class ClauseReader:
    """Reads clauses of sentences on one screen; remembers what it has read."""

    def __init__(self, grammar: Grammar, templates: ScreenTemplates, interpreter: Interpreter) -> None:
        self._grammar = grammar
        self._templates = templates
        self._interpreter = interpreter
        self._read: dict[tuple[Sentence, int, int], list[Meaning]] = {}

    def read(self, sentence: Sentence, start: int, stop: int, after: str = "") -> list[Meaning]:
        """What the words from `start` up to `stop` mean, best first; nothing where they are no command here.

        Arguments:
            after: The intent of the clause before, which a shortened clause may go on with.
        """
        start, stop = self.bare(sentence, start, stop)
        meanings = self._allowed(sentence, start, stop, after)
        if not meanings and (early := self._cut(sentence, start, stop, self._grammar.late_closers)) < stop:
            meanings = self._allowed(sentence, start, early, after)
        return meanings

    def read_leniently(self, sentence: Sentence, start: int, stop: int, after: str) -> list[Meaning]:
        """As `read`, for clauses whose words fit but whose value only sounds a little like what its target takes."""
        start, stop = self.bare(sentence, start, stop)
        if start >= stop or sentence.plains[start] not in self._templates.first_words:
            return []
        meanings = self._meanings(sentence, start, stop, lenient=True)
        return best_of_each(
            replace(meaning, quality=(1 + meaning.quality) / 2)
            for meaning in meanings
            if _AFTER.get(meaning.intent, after) == after and not meaning.problem and not meaning.open_text
        )

    def bare(self, sentence: Sentence, start: int, stop: int) -> tuple[int, int]:
        """The clause without polite words at its ends."""
        plains = sentence.plains
        while found := next((w for w in self._grammar.openers if plains[start : min(start + len(w), stop)] == w), ()):
            start += len(found)
        return start, self._cut(sentence, start, stop, self._grammar.closers)

    def _cut(self, sentence: Sentence, start: int, stop: int, endings: Iterable[tuple[str, ...]]) -> int:
        plains = sentence.plains
        found = True
        while found:
            found = False
            for words in endings:
                if stop - len(words) > start and plains[stop - len(words) : stop] == words:
                    stop -= len(words)
                    found = True
                    break
        return stop

    def _allowed(self, sentence: Sentence, start: int, stop: int, after: str) -> list[Meaning]:
        if start >= stop:
            return []
        if sentence.plains[start] not in self._templates.first_words:
            return self._named(sentence, start, stop) if after == _CREATE else []
        key = (sentence, start, stop)
        if key not in self._read:
            self._read[key] = self._meanings(sentence, start, stop)
        allowed = best_of_each(m for m in self._read[key] if _AFTER.get(m.intent, after) == after)
        return allowed or (self._named(sentence, start, stop) if after == _CREATE else [])

    def _named(self, sentence: Sentence, start: int, stop: int) -> list[Meaning]:
        """The words as the name of what the clause before makes: "new speaker Rosa Delgado"."""
        if not sentence.text[sentence.words[start].start].isupper():
            return []  # "Create a conference in your head."
        match = Match("named_rest", {"person": True, "statement": True}, spans={"value": (0, stop - start)})
        return list(self._interpreter.meanings(match, lambda first, end: sentence.heard(start + first, start + end)))

    def _meanings(self, sentence: Sentence, start: int, stop: int, *, lenient: bool = False) -> list[Meaning]:
        def heard(first: int, end: int) -> str:
            return sentence.heard(start + first, start + end)

        return [
            meaning
            for match in self._templates.matches(sentence.phrase(start, stop))
            if not match.metadata.get("heard_as")
            for meaning in self._interpreter.meanings(match, heard, lenient=lenient)
        ]
