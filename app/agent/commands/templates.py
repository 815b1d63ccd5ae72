"""Sentence templates: which of them a clause matches, and all that could be said with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias

from hassil.intents import Intent, IntentData, Intents, RangeSlotList, SlotList, TextSlotList, WildcardSlotList
from hassil.models import MatchEntity
from hassil.numbers import get_rbnf_engine
from hassil.parse_expression import parse_sentence
from hassil.recognize import recognize_all

from app.agent.commands.expand import SLOT, Parts, expand
from app.agent.commands.grammar import Grammar
from app.agent.commands.vocabulary import Name, Vocabulary, own_slot
from app.agent.snapshot import ToolView
from app.agent.values.words import plain, without_accents

NUMBER = "number"
"""The slot of a number that is shown on the screen."""

OWN = "tool:"
"""Prefix of the intents made of a tool's own phrases."""


_Template: TypeAlias = tuple[str, IntentData, frozenset[str]]
"""A template by itself: its intent, the template, and what it may begin with."""


@dataclass(frozen=True)
class Match:
    """A clause in the shape of a template.

    Attributes:
        intent: The grammar's name, or `OWN` and the tool's wire name.
        metadata: What the grammar says about the template.
        fixed: Arguments that the template itself gives.
        names: The names said, by slot.
        spans: The open slots, each with its first word and the one after its last.
        number: A number said as such.
    """

    intent: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, Name] = field(default_factory=dict)
    spans: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    number: int | None = None


@dataclass(frozen=True)
class Pattern:
    """One way to say a template: parts as `expand` gives them."""

    intent: str
    metadata: Mapping[str, Any]
    fixed: Mapping[str, Any]
    parts: Parts


class TemplateSet:
    """Parsed templates, without a screen. Costly to make, so made once for a grammar."""

    def __init__(self, data: Mapping[str, Any], narrow: Mapping[str, str]) -> None:
        self.intents = Intents.from_dict(_without_accents(dict(data)))
        self._narrow = {name: parse_sentence(without_accents(body)) for name, body in narrow.items()}

    @cached_property
    def beginnings(self) -> tuple[_Template, ...]:
        """Each template by itself, with its intent and the first part of each way to say it."""
        rules = self.intents.expansion_rules
        single = [
            (intent.name, replace(data, sentence_texts=[text]))
            for intent in self.intents.intents.values()
            for data in intent.data
            for text in data.sentence_texts
        ]
        return tuple(
            (name, data, frozenset(parts[0] for parts in expand(data.sentences[0].expression, rules) if parts))
            for name, data in single
        )

    def verbs(self, rules: Iterable[str]) -> frozenset[str]:
        """All words of the expansion rules of these names."""
        known = self.intents.expansion_rules
        return frozenset(
            " ".join(parts).casefold()
            for rule in rules
            if rule in known
            for parts in expand(known[rule].expression, known)
        )

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        """Each way to say each template whose sound counts, without words that nobody hears (`narrow`)."""
        rules = {**self.intents.expansion_rules, **self._narrow}
        return tuple(
            Pattern(intent.name, data.metadata or {}, data.slots, parts)
            for intent in self.intents.intents.values()
            for data in intent.data
            if not (data.metadata or {}).get("exact")
            for parts in sorted({way for template in data.sentences for way in expand(template.expression, rules)})
        )


def grammar_templates(grammar: Grammar) -> TemplateSet:
    """The templates of a grammar file."""
    keys = ("language", "intents", "expansion_rules", "lists")
    return TemplateSet({key: grammar.data[key] for key in keys}, grammar.data["narrow"])


def own_templates(tools: Iterable[ToolView], language: str) -> TemplateSet:
    """The templates of the tools' own phrases: `{target}` and parameter names are slots."""
    intents = {
        OWN + tool.name: {"data": [{"sentences": [_with_own_slots(phrase, tool) for phrase in tool.phrases]}]}
        for tool in tools
        if tool.phrases
    }
    return TemplateSet({"language": language, "intents": intents}, {})


def _with_own_slots(phrase: str, tool: ToolView) -> str:
    for parameter in ("target", *_parameters(tool)):
        phrase = phrase.replace("{" + parameter + "}", "{" + f"{own_slot(tool.name, parameter)}:{parameter}" + "}")
    return phrase


def _parameters(tool: ToolView) -> list[str]:
    properties = tool.parameters.get("properties")
    return [name for name in properties if name != "target"] if isinstance(properties, Mapping) else []


class ScreenTemplates:
    """Templates with the names of one screen in their slots."""

    def __init__(self, sets: Iterable[TemplateSet], names: Vocabulary, tools: Iterable[ToolView]) -> None:
        self.sets = tuple(sets)
        self.names = names
        self._lists: dict[str, SlotList] = {
            slot: TextSlotList.from_tuples([(name.words, name) for name in found], allow_template=False)
            for slot, found in names.slots.items()
        }
        for tool in tools:
            for slot in (own_slot(tool.name, parameter) for parameter in _parameters(tool)):
                self._lists.setdefault(slot, WildcardSlotList(name=slot))
        self._by_first_word: dict[str, list[Intents]] = {}

    def matches(self, phrase: str) -> Iterable[Match]:
        """Yields the templates that a normalised phrase fits, with everything in them known by name."""
        for intents in self._starting_with(phrase.partition(" ")[0]):
            for result in recognize_all(phrase, intents, slot_lists=self._lists):
                names: dict[str, Name] = {}
                spans: dict[str, tuple[int, int]] = {}
                number = None
                if any(entity.is_wildcard and _is_within_word(entity, phrase) for entity in result.entities_list):
                    continue
                for entity in result.entities_list:
                    if isinstance(entity.value, Name):
                        names[entity.name] = entity.value
                    elif entity.is_wildcard:
                        spans[entity.name] = _words_of(entity, phrase)
                    elif entity.name == NUMBER:
                        number = int(entity.value)
                metadata, fixed = result.intent_metadata or {}, result.intent_data.slots
                yield Match(result.intent.name, metadata, fixed, names, spans, number)

    def _starting_with(self, word: str) -> list[Intents]:
        """The templates that a sentence with that first word may fit: the others cost as much to compare."""
        if word not in self._by_first_word:
            self._by_first_word[word] = [
                replace(source.intents, intents=_grouped(known, word))
                for source, known in zip(self.sets, self._known_firsts, strict=True)
            ]
        return self._by_first_word[word]

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The words that some command begins with; anything else can't be one."""
        return frozenset(word for known in self._known_firsts for _, _, firsts in known for word in firsts)

    @cached_property
    def _known_firsts(self) -> list[list[_Template]]:
        """The templates of each set with the words that they may begin with on this screen."""
        words = {
            SLOT + slot: frozenset(name.words.split()[0] for name in found) for slot, found in self.names.slots.items()
        }
        words[SLOT + NUMBER] = frozenset(_first_words_of_numbers(self.sets[0].intents))
        return [
            [
                (name, data, frozenset().union(*(_heads(head, words) for head in heads)))
                for name, data, heads in source.beginnings
            ]
            for source in self.sets
        ]


def _heads(head: str, words: Mapping[str, frozenset[str]]) -> frozenset[str]:
    return words.get(head, frozenset()) if head.startswith(SLOT) else frozenset([head.casefold()])


def _grouped(templates: Iterable[_Template], word: str) -> dict[str, Intent]:
    """The templates that may begin with that word, by intent."""
    intents: dict[str, Intent] = {}
    for name, data, firsts in templates:
        if word in firsts:
            intents.setdefault(name, Intent(name)).data.append(data)
    return intents


def _first_words_of_numbers(intents: Intents) -> Iterable[str]:
    numbers = intents.slot_lists[NUMBER]
    assert isinstance(numbers, RangeSlotList)
    for number in range(numbers.start, numbers.stop + 1):
        yield str(number)
        for spelled in get_rbnf_engine(intents.language).format_number(number).text_by_ruleset.values():
            yield plain(spelled).split()[0]


def _without_accents(data: Any) -> Any:
    """The same data with all texts as `plain` writes them, template signs kept."""
    if isinstance(data, str):
        return without_accents(data)
    if isinstance(data, Mapping):
        return {key: _without_accents(value) for key, value in data.items()}
    return [_without_accents(value) for value in data] if isinstance(data, list) else data


def _is_within_word(entity: MatchEntity, phrase: str) -> bool:
    """Whether an open slot begins inside a word, as hassil allows: "Mail|adresse ist ..."."""
    start, _ = entity.text_span or (0, 0)
    return start > 0 and not phrase[start - 1].isspace() and not phrase[start : start + 1].isspace()


def _words_of(entity: MatchEntity, phrase: str) -> tuple[int, int]:
    start, stop = entity.text_span or (0, 0)
    before = len(phrase[:start].split())
    return before, before + len(phrase[start:stop].split())
