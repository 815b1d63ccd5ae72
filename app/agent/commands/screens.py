"""Screen readers by snapshot: built once for the names on a screen, and kept while those stay the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from app.agent.commands.grammar import Grammar, load_grammar
from app.agent.commands.reader import ScreenReader
from app.agent.commands.templates import ScreenTemplates, TemplateSet, grammar_templates, own_templates
from app.agent.commands.vocabulary import Vocabulary, vocabulary
from app.agent.snapshot import Snapshot


class Screens:
    """Makes readers; the grammar, the tools' phrases and the tables of names are each made only when they change."""

    def __init__(self, grammar: Grammar | None = None) -> None:
        self._grammars: dict[str, tuple[Grammar, TemplateSet]] = {}
        self._given = grammar
        self._own: tuple[object, TemplateSet] | None = None
        self._last: tuple[object, Snapshot, ScreenReader] | None = None
        self._names: tuple[object, Vocabulary, ScreenTemplates] | None = None

    def reader(self, snapshot: Snapshot, language: str, today: date | None = None) -> ScreenReader:
        """The reader for a snapshot in a language."""
        if self._last and self._last[0] == (language, today) and self._last[1] == snapshot:
            return self._last[2]
        grammar, base = self._grammar(language)
        names = vocabulary(snapshot, grammar)
        key = (language, names.slots, tuple((tool.name, tool.phrases) for tool in snapshot.tools))
        if self._names is None or self._names[0] != key:
            sets = [base, own] if (own := self._own_phrases(snapshot, grammar.language)) else [base]
            self._names = (key, names, ScreenTemplates(sets, names, snapshot.tools))
        reader = ScreenReader(snapshot, grammar, self._names[2], grammar.language, today)
        self._last = ((language, today), snapshot, reader)
        return reader

    def grammar(self, language: str) -> Grammar:
        """The grammar of a language, or the English one."""
        return self._grammar(language)[0]

    def _grammar(self, language: str) -> tuple[Grammar, TemplateSet]:
        if language not in self._grammars:
            grammar = self._given or load_grammar(language)
            self._grammars[language] = (grammar, grammar_templates(grammar))
        return self._grammars[language]

    def _own_phrases(self, snapshot: Snapshot, language: str) -> TemplateSet | None:
        key = tuple((tool.name, tool.phrases, _names(tool.parameters)) for tool in snapshot.tools if tool.phrases)
        if not key:
            return None
        if self._own is None or self._own[0] != key:
            self._own = (key, own_templates(snapshot.tools, language))
        return self._own[1]


def _names(schema: Mapping[str, object]) -> tuple[str, ...]:
    properties = schema.get("properties")
    return tuple(properties) if isinstance(properties, Mapping) else ()
