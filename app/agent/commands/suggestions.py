"""What can be said on a screen: phrases with this screen's own names in them, each with what it does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from app.agent.commands.grammar import Grammar, load_grammar
from app.agent.commands.vocabulary import value_type_of
from app.agent.snapshot import InstanceView, Snapshot
from app.agent.values.choices import strings
from app.agent.values.words import plain

_MOST_BUTTONS = 6


@dataclass(frozen=True, slots=True)
class Phrase:
    """Something one can say.

    Attributes:
        text: The words.
        effect: What they do, as one sentence.
    """

    text: str
    effect: str


def what_can_i_say(snapshot: Snapshot, language: str = "en") -> tuple[Phrase, ...]:
    """Phrases that are understood on this screen now, those about its fields and buttons first."""
    return tuple({phrase.text: phrase for phrase in _Help(snapshot, load_grammar(language)).phrases()}.values())


class _Help:
    """Fills the phrases of a grammar's help with the names of a screen."""

    def __init__(self, snapshot: Snapshot, grammar: Grammar) -> None:
        self._snapshot = snapshot
        self._data: Mapping[str, Any] = grammar.data["help"]

    def phrases(self) -> Iterator[Phrase]:
        yield from self._fields()
        yield from self._buttons()
        yield from self._switches()
        yield from self._items()
        yield from self._pages()
        yield from self._own()
        for tool, said in self._data["simple"].items():
            if self._snapshot.tool(tool):
                yield Phrase(said["say"], said["does"])

    def _say(self, key: str, **names: str) -> Phrase:
        said = self._data[key]
        return Phrase(said["say"].format(**names), said["does"].format(**names))

    def _fields(self) -> Iterator[Phrase]:
        fields = self._available("fill", "choose")
        shown: set[str] = set()
        for view in fields:
            kind = value_type_of(view)
            value = self._example(view, kind)
            if kind not in shown and value:
                shown.add(kind)
                yield self._say("set", field=self._spoken(view.label), value=value)
        optional = [view for view in fields if "fill" in view.tools and not view.state.get("required")]
        for view in optional[-1:]:
            yield self._say("clear", field=self._spoken(view.label))

    def _example(self, view: InstanceView, kind: str) -> str:
        others = [
            choice for choice in strings(view.state.get("choices")) if choice and choice != view.state.get("value")
        ]
        if kind in ("choice", "choices"):
            return others[0] if others else ""
        if kind in ("integer", "number"):
            lowest, highest = view.state.get("minimum"), view.state.get("maximum")
            number = 30
            if isinstance(lowest, int | float) and number < lowest:
                number = int(lowest)
            if isinstance(highest, int | float) and number > highest:
                number = int(highest)
            return f"{number} {view.state.get('unit') or ''}".strip()
        return str(self._data["values"].get(kind, ""))

    def _buttons(self) -> Iterator[Phrase]:
        for view in self._available("click")[:_MOST_BUTTONS]:
            effect = view.state.get("effect")
            said = self._say("click", button=view.label)
            yield Phrase(self._spoken(said.text), effect if isinstance(effect, str) and effect else said.effect)

    def _switches(self) -> Iterator[Phrase]:
        for view in self._available("toggle")[:1]:
            yield self._say("toggle", switch=self._spoken(view.label))

    def _items(self) -> Iterator[Phrase]:
        for view in self._available("open_item"):
            items = [item for item in strings(view.state.get("items")) if item != self._snapshot.screen.get("selected")]
            if items:
                yield self._say("open_item", item=items[0])
                return

    def _pages(self) -> Iterator[Phrase]:
        pages = strings(self._snapshot.screen.get("pages")) if self._snapshot.tool("navigate") else []
        for page in [page for page in pages if page != self._snapshot.screen.get("page")][:1]:
            yield self._say("navigate", page=page)

    def _own(self) -> Iterator[Phrase]:
        for tool in self._snapshot.tools:
            if tool.phrases and tool.examples:
                yield Phrase(tool.examples[0].utterance, tool.description.partition("\n")[0])

    def _available(self, *tools: str) -> list[InstanceView]:
        offered = [tool for tool in tools if self._snapshot.tool(tool)]
        return [view for view in self._snapshot.instances if view.available and _any(offered, view.tools)]

    def _spoken(self, label: str) -> str:
        """A label as it stands within a sentence: without its capital, if it is an ordinary word."""
        return label if label[:2].isupper() or not plain(label) else label[0].lower() + label[1:]


def _any(wanted: Iterable[str], given: Iterable[str]) -> bool:
    return not set(wanted).isdisjoint(given)
