"""What is known about screens: templates and tables of names, made once and kept while the names stay the same."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from app.agent.commands.grammar import Grammar, load_grammar
from app.agent.commands.reader import ScreenReader
from app.agent.commands.said import SaidTable
from app.agent.commands.templates import ScreenTemplates, TemplateSet, grammar_templates, own_templates
from app.agent.commands.vocabulary import Vocabulary, vocabulary
from app.agent.snapshot import Snapshot, ToolView

_KEPT = 6
"""Screens remembered: people go back and forth between a few pages."""


@dataclass(frozen=True)
class _Screen:
    """The names of a screen in the slots of the templates."""

    grammar: Grammar
    names: Vocabulary
    templates: ScreenTemplates

    @cached_property
    def _said(self) -> SaidTable:
        return SaidTable(self.templates, self.grammar.words["light"])

    def said(self) -> SaidTable:
        """The table of all that could be said; made when first needed."""
        return self._said


class Screens:
    """Makes readers for snapshots. Screens may be prepared in another thread than the one that reads."""

    def __init__(self, grammar: Grammar | None = None) -> None:
        self._lock = threading.Lock()
        self._given = grammar
        self._grammars: dict[str, tuple[Grammar, TemplateSet]] = {}
        self._screens: OrderedDict[Hashable, _Screen] = OrderedDict()
        self._last: tuple[object, _Screen] | None = None

    def reader(
        self, snapshot: Snapshot, language: str, *, today: date | None = None, spoken: bool = False
    ) -> ScreenReader:
        """A reader for sentences said or typed on the screen of a snapshot."""
        with self._lock:
            screen = self._screen(snapshot, language)
        return ScreenReader(snapshot, screen.grammar, screen.templates, screen.said, today=today, spoken=spoken)

    def prepare(self, snapshot: Snapshot, language: str) -> None:
        """Makes what the first sentence on a screen would have to wait for."""
        with self._lock:
            screen = self._screen(snapshot, language)
        screen.said()
        _ = screen.templates.first_words

    def grammar(self, language: str) -> Grammar:
        """The grammar of a language, or the English one."""
        with self._lock:
            return self._grammar(language)[0]

    def _screen(self, snapshot: Snapshot, language: str) -> _Screen:
        said = (language, _what_names_come_from(snapshot))
        if self._last and self._last[0] == said:
            return self._last[1]
        grammar, base = self._grammar(language)
        names = vocabulary(snapshot, grammar)
        phrases = tuple((tool.name, tool.phrases, _parameters(tool)) for tool in snapshot.tools if tool.phrases)
        key = (grammar.language, tuple(names.slots.items()), phrases)
        screen = self._screens.get(key)
        if screen is None:
            own = [own_templates(snapshot.tools, grammar.language)] if phrases else []
            screen = _Screen(grammar, names, ScreenTemplates([base, *own], names, snapshot.tools))
            self._screens[key] = screen
        self._screens.move_to_end(key)
        while len(self._screens) > _KEPT:
            self._screens.popitem(last=False)
        self._last = (said, screen)
        return screen

    def _grammar(self, language: str) -> tuple[Grammar, TemplateSet]:
        if language not in self._grammars:
            grammar = self._given or load_grammar(language)
            self._grammars[language] = (grammar, grammar_templates(grammar))
        return self._grammars[language]


_NAMING_KEYS = ("value_type", "choices", "synonyms", "items")


def _what_names_come_from(snapshot: Snapshot) -> object:
    """What a vocabulary is made of, cheap to compare: most revisions change a value and no name."""
    views = [
        (view.handle, view.label, view.aliases, view.tools, *map(view.state.get, _NAMING_KEYS))
        for view in snapshot.instances
        if view.available
    ]
    tools = [(tool.name, tool.targets, tool.phrases) for tool in snapshot.tools]
    return views, tools, [snapshot.screen.get(key) for key in ("page", "pages", "page_aliases")]


def _parameters(tool: ToolView) -> tuple[str, ...]:
    properties = tool.parameters.get("properties")
    return tuple(properties) if isinstance(properties, Mapping) else ()
