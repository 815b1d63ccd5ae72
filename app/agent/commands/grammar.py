"""The command grammar of a language, read from its data file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

from app.agent.values.words import plain
from app.resources import grammar_dir


@dataclass(frozen=True)
class Grammar:
    """Templates and words of one language.

    Attributes:
        language: ISO 639-1 code.
        data: The file's content: `intents`, `expansion_rules`, `lists` (hassil), `narrow`, `words`, `answers`, `help`.
    """

    language: str
    data: Mapping[str, Any]

    @cached_property
    def joiners(self) -> tuple[tuple[str, ...], ...]:
        """Words between commands, longest first, each as its words."""
        return _split(self.words["joiners"])

    @cached_property
    def near_joiners(self) -> tuple[tuple[str, ...], ...]:
        """Words that a recogniser writes for joiners."""
        return _split(self.words["near_joiners"])

    @cached_property
    def openers(self) -> tuple[tuple[str, ...], ...]:
        """Words that may start a command and say nothing, longest first."""
        return _split(self.words["openers"])

    @cached_property
    def closers(self) -> tuple[tuple[str, ...], ...]:
        """Words that may end a command and say nothing, longest first."""
        return _split(self.words["closers"])

    @cached_property
    def late_closers(self) -> tuple[tuple[str, ...], ...]:
        """Words that may end a command where it isn't understood with them, longest first."""
        return _split(self.words["late_closers"])

    @cached_property
    def naming_joiners(self) -> tuple[tuple[str, ...], ...]:
        """Words before the name of a new record."""
        return _split(self.words.get("naming_joiners", []))

    @cached_property
    def creating(self) -> tuple[tuple[str, ...], ...]:
        """Words before what kind of record is to be made: "new", "add a"."""
        first_words, known = self.words["first_words"], self.words.get("creating", [])
        others = (other for word in known for other in first_words.get(word, ()))
        return _split([*known, *others, *self.words.get("creating_words", [])])

    @cached_property
    def relations(self) -> tuple[tuple[str, str], ...]:
        """What says something about a field without its name, each with the field's label."""
        known: Mapping[str, list[str]] = self.words.get("relations", {})
        return tuple((label, plain(said)) for label, phrases in known.items() for said in phrases)

    @cached_property
    def relation_rests(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The same for what only follows one of those, as words."""
        known: Mapping[str, list[str]] = self.words.get("relation_rests", {})
        return tuple((label, words) for label, phrases in known.items() for words in _split(phrases))

    @cached_property
    def fillers(self) -> frozenset[str]:
        """Sounds of hesitation."""
        return frozenset(plain(filler) for filler in self.words["fillers"])

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """Other words for labels, pages and choices, all in normal form."""
        return {label: tuple(plain(other) for other in others) for label, others in self.words["labels"].items()}

    @cached_property
    def answers(self) -> Mapping[str, Any]:
        """The words that answer open questions, all in normal form."""
        answers: Mapping[str, Any] = _plain_data(self.data["answers"])
        return answers

    def without_politeness(self, phrase: str) -> str:
        """A normalised phrase without sounds of hesitation and without polite words at its ends."""
        words = [word for word in phrase.split() if word not in self.fillers]
        while found := next((o for o in self.openers if len(o) < len(words) and tuple(words[: len(o)]) == o), None):
            words = words[len(found) :]
        while found := next((c for c in self.closers if len(c) < len(words) and tuple(words[-len(c) :]) == c), None):
            words = words[: -len(found)]
        return " ".join(words)

    @property
    def words(self) -> Mapping[str, Any]:
        """The word lists."""
        words: Mapping[str, Any] = self.data["words"]
        return words


def _split(phrases: list[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted((tuple(plain(phrase).split()) for phrase in phrases), key=len, reverse=True))


def _plain_data(data: Any) -> Any:
    if isinstance(data, str):
        return plain(data)
    if isinstance(data, Mapping):
        # The keys that name a kind of answer are identifiers, not words.
        return {key if "_" in key else plain(key): _plain_data(value) for key, value in data.items()}
    return [_plain_data(value) for value in data] if isinstance(data, list) else data


@cache
def load_grammar(language: str = "en", folder: Path | None = None) -> Grammar:
    """Reads the grammar of a language, or the English one where there is none for it.

    Arguments:
        language: ISO 639-1 code.
        folder: Where the files are; the program's own by default.
    """
    folder = folder or grammar_dir()
    path = folder / f"{language}.yaml"
    if not path.is_file():
        language, path = "en", folder / "en.yaml"
    return Grammar(language, yaml.safe_load(path.read_text(encoding="utf-8")))
