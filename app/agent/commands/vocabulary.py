"""The names that can be said on a screen: pages, targets, choices, items, and what else people call them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from app.agent.commands.grammar import Grammar
from app.agent.json_types import Json, JsonObject
from app.agent.snapshot import InstanceView, Snapshot, ToolView
from app.agent.values.choices import names_of, strings
from app.agent.values.words import plain

FREE = ("text", "long_text")
"""Types whose value may be any words; a name followed by anything is no command for them."""


@dataclass(frozen=True, slots=True)
class Name:
    """A way to say something.

    Attributes:
        words: Normal form.
        target: Handle, page or other identity of what is meant.
        quality: 1 for the words on the screen, less for words derived from them.
        value: A choice or an item of the target, or an empty string.
    """

    words: str
    target: str
    quality: float = 1.0
    value: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """All names of a screen by slot (`page`, `button`, `field`, `typed`, `switch`, `item`, `choice`, ...)."""

    slots: Mapping[str, tuple[Name, ...]] = field(default_factory=dict)


def own_slot(tool: str, parameter: str) -> str:
    """The slot behind a parameter in a tool's own phrases."""
    return f"{tool}_{parameter}"


def vocabulary(snapshot: Snapshot, grammar: Grammar) -> Vocabulary:
    """Collects the names of a screen."""
    return Vocabulary(_Names(snapshot, grammar).slots())


def value_type_of(view: InstanceView) -> str:
    """The type of a target's value: as its state says, else a choice where it takes one, else text."""
    stated = view.state.get("value_type")
    if isinstance(stated, str):
        return stated
    if "toggle" in view.tools:
        return "boolean"
    return "choice" if "choose" in view.tools and "fill" not in view.tools else "text"


def with_synonyms(state: JsonObject, labels: Mapping[str, tuple[str, ...]]) -> JsonObject:
    """A target's state with what the grammar calls its choices among their synonyms."""
    own = state.get("synonyms")
    known: dict[str, Json] = dict(own) if isinstance(own, Mapping) else {}
    for choice in strings(state.get("choices")):
        if others := labels.get(plain(choice)):
            known[choice] = [*strings(known.get(choice)), *others]
    return {**state, "synonyms": known} if known else state


class _Names:
    """Builds the slots of one screen."""

    def __init__(self, snapshot: Snapshot, grammar: Grammar) -> None:
        self._snapshot = snapshot
        self._words = grammar.words
        self._labels = grammar.labels
        self._kinds = self._kinds_of_record()

    def slots(self) -> dict[str, tuple[Name, ...]]:
        fields = [*self._of("fill"), *self._of("choose"), *self._of("toggle")]
        unique = list({view.handle: view for view in fields}.values())
        typed = [view for view in unique if value_type_of(view) not in FREE]
        writable = [view for view in unique if "toggle" not in view.tools]
        naming = [view for view in writable if plain(view.label) in self._words["naming"]]
        listed = [view for view in writable if value_type_of(view) == "choices"]
        places, steps = self._words.get("places", {}), self._words.get("steps", {})
        own = {slot: names for tool in self._snapshot.tools for slot, names in self._own_slots(tool)}
        return own | {
            "page": self._pages(),
            "button": self._targets(self._of("click"), variants=True),
            "field": self._targets(unique),
            "typed": self._targets(typed),
            "writable": self._targets(writable),
            "switch": self._targets(self._of("toggle")),
            "scrollable": self._targets(self._of("scroll")),
            "dictated": self._targets(self._of("dictate")),
            "naming": self._targets(naming),
            "choice": tuple(
                Name(words, view.handle, 1.0, choice)
                for view in typed
                for words, choice in names_of(with_synonyms(view.state, self._labels)).items()
                if words
            ),
            "item": self._items(),
            "kind": tuple(Name(kind, kind) for kind in self._kinds),
            "record": tuple(Name(words, words) for words in self._records()),
            "noun": tuple(Name(words, words) for words in self._nouns()),
            "owner": tuple(Name(words, words) for words in self._owners()),
            "listed": self._targets(listed),
            "entry": tuple(self._entries(listed)),
            "relation": tuple(self._relations(writable, "relations")),
            "relating": tuple(self._relations(writable, "relation_rests")),
            **self._parted_buttons(),
            "place": tuple(Name(plain(words), words) for words in [*places, *steps]),
            "step": tuple(Name(plain(words), words) for words in steps),
        }

    def _of(self, tool: str) -> tuple[InstanceView, ...]:
        offered = self._snapshot.tool(tool)
        views = self._snapshot.available(tool) if offered else ()
        return tuple(view for view in views if not offered or not offered.targets or view.handle in offered.targets)

    def _targets(self, views: Iterable[InstanceView], *, variants: bool = False) -> tuple[Name, ...]:
        names: dict[tuple[str, str], Name] = {}
        own = {plain(view.label) for view in self._snapshot.instances}
        for view in views:
            said = [(plain(view.label), 1.0), *((plain(alias), 0.99) for alias in view.aliases)]
            others = [(other, 0.97) for words, _ in said for other in self._other_words(words, variants=variants)]
            for words, quality in [*said, *((words, quality) for words, quality in others if words not in own)]:
                if words and (words, view.handle) not in names:
                    names[words, view.handle] = Name(words, view.handle, quality)
        return tuple(names.values())

    def _other_words(self, label: str, *, variants: bool) -> Iterable[str]:
        yield from self._labels.get(label, ())
        first, _, rest = label.rpartition(" ")
        if first and rest in self._words["label_endings"]:
            yield first
        if not variants:
            return
        first, _, rest = label.partition(" ")
        rests = [rest]
        if rest in self._kinds:
            rests = self._kinds
            yield from (f"{first} {kind}" for kind in self._kinds if kind != rest)
        for other in self._words["first_words"].get(first, ()):
            yield from (f"{other} {end}".strip() for end in rests)

    def _entries(self, lists: Iterable[InstanceView]) -> Iterable[Name]:
        """What one entry of a list is called: "tag", "speaker"."""
        for view in lists:
            labels = [plain(view.label), *map(plain, view.aliases)]
            known = self._words.get("entries", {}).get(labels[0], ())
            for words in dict.fromkeys([*map(plain, known), *map(self._singular, labels)]):
                if words:
                    yield Name(words, view.handle)

    def _relations(self, views: Iterable[InstanceView], kind: str) -> Iterable[Name]:
        """What says something about a field without its name: "works at" for a company."""
        for view in views:
            for words in self._words.get(kind, {}).get(plain(view.label), ()):
                yield Name(plain(words), view.handle)

    def _parted_buttons(self) -> dict[str, tuple[Name, ...]]:
        """Both parts of a label like "Submit to conference": a record may be said between them."""
        parts: dict[str, list[Name]] = {"submitting": [], "sending": [], "destination": []}
        for view in self._of("click"):
            verb, _, rest = plain(view.label).partition(" ")
            middle, _, place = rest.partition(" ")
            if place and middle in self._words.get("label_middles", ()):
                parts["submitting"].append(Name(verb, view.handle, 0.97))
                verbs = [verb, *self._words["first_words"].get(verb, ())]
                parts["sending"] += [Name(plain(words), view.handle, 0.97) for words in verbs]
                ends = [place, *(f"{article} {place}" for article in self._words["any_articles"])]
                parts["destination"] += [Name(plain(f"{middle} {end}"), view.handle, 0.97) for end in ends]
        return {slot: tuple(names) for slot, names in parts.items()}

    def _nouns(self) -> Iterable[str]:
        """What a record is called with an article: no "it", which may be anything."""
        for kind in self._kinds:
            yield from (plain(f"{article} {kind}") for article in self._words["articles"])

    def _owners(self) -> Iterable[str]:
        """What a field belongs to: "the talks" for "the talk's", "her" for people."""
        page = self._snapshot.screen.get("page")
        yield from map(plain, self._words.get("pronouns", {}).get(plain(page) if isinstance(page, str) else "", ()))
        if ending := self._words.get("possessive"):
            yield from (f"{noun}{ending}" for noun in self._nouns())

    def _own_slots(self, tool: ToolView) -> Iterable[tuple[str, tuple[Name, ...]]]:
        """The slots of a tool's own phrases that have a list of names: its targets and closed parameters."""
        if not tool.phrases:
            return
        yield own_slot(tool.name, "target"), self._targets(self._of(tool.name))
        properties = tool.parameters.get("properties")
        for parameter, schema in properties.items() if isinstance(properties, Mapping) else ():
            values = strings(schema.get("enum")) if isinstance(schema, Mapping) else []
            if values and parameter != "target":
                yield own_slot(tool.name, parameter), tuple(Name(plain(value), value) for value in values)

    def _pages(self) -> tuple[Name, ...]:
        names = []
        aliases = self._snapshot.screen.get("page_aliases")
        for page in strings(self._snapshot.screen.get("pages")):
            names.append(Name(plain(page), page))
            others = strings(aliases.get(page)) if isinstance(aliases, Mapping) else []
            names += [Name(plain(other), page, 0.99) for other in [*others, *self._labels.get(plain(page), ())]]
        return tuple(names)

    def _items(self) -> tuple[Name, ...]:
        return tuple(
            Name(plain(item), view.handle, 1.0, item)
            for view in self._of("open_item")
            for item in strings(view.state.get("items"))
            if plain(item)
        )

    def _kinds_of_record(self) -> list[str]:
        """What a record of this page is called: "contribution", "talk"."""
        page = self._snapshot.screen.get("page")
        aliases: Json = self._snapshot.screen.get("page_aliases")
        others = strings(aliases.get(page)) if isinstance(aliases, Mapping) and isinstance(page, str) else []
        plurals = [plain(name) for name in ([page] if isinstance(page, str) else []) + others]
        kinds = list(self._words.get("kinds", {}).get(plain(page) if isinstance(page, str) else "", ()))
        kinds += [self._singular(plural.split()[-1]) for plural in plurals if plural]
        return list(dict.fromkeys(kind for kind in kinds if kind))

    def _singular(self, plural: str) -> str:
        for ending, replacement in self._words["singular"].items():
            if plural.endswith(ending):
                return plural[: len(plural) - len(ending)] + str(replacement)
        return ""

    def _records(self) -> Iterable[str]:
        """What a record may be called, the names by which it is most often called first."""
        for kind in self._kinds:
            yield from (plain(f"{article} {kind}") for article in self._words["articles"][:2])
        yield from (plain(record) for record in self._words["records"])
        for kind in self._kinds:
            yield kind
            yield from (plain(f"{article} {kind}") for article in self._words["articles"][2:])
