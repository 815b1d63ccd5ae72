"""From the shape of a clause to calls: finds the target's tool and reads the value as the target would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import cast

from app.agent.commands.edits import Edit, edited, exchanged, item_at
from app.agent.commands.grammar import Grammar
from app.agent.commands.likely import Likelihood
from app.agent.commands.meaning import Meaning
from app.agent.commands.templates import OWN, Match
from app.agent.commands.vocabulary import FREE, Name, Vocabulary, value_type_of, with_synonyms
from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.snapshot import InstanceView, Snapshot, ToolView, ValueType
from app.agent.values import read_value
from app.agent.values.numbers import minute_words, says_unit
from app.agent.values.words import plain

Heard = Callable[[int, int], str]
"""Gives the words of the clause from one index up to another, as they were heard."""


_REFUSED = 0.5
_ADDRESSES = ("email", "url")
_TEENS = range(13, 20)
_TARGETS = ("field", "typed", "writable", "listed", "entry", "relation", "relating", "naming", "noun", "record")
"""The slots that name what is given a value, in the order in which they count."""


class Interpreter:
    """Turns matches into meanings on one screen."""

    def __init__(
        self,
        snapshot: Snapshot,
        names: Vocabulary,
        grammar: Grammar,
        today: date | None,
        *,
        spoken: bool = False,
    ) -> None:
        self._snapshot = snapshot
        self._names = names
        self._words = grammar.words
        self._labels = grammar.labels
        self._language = grammar.language
        self._today = today
        self._spoken = spoken
        self._likely = Likelihood(grammar, snapshot.screen.get("page"), spoken=spoken)
        self._views = {view.handle: view for view in snapshot.instances}

    def meanings(self, match: Match, heard: Heard, *, lenient: bool = False) -> Iterable[Meaning]:
        """Gives what a match means; nothing where the tool isn't offered or the words are no value.

        Arguments:
            lenient: Take values that only sound a little like what the target accepts.
        """
        if match.intent.startswith(OWN):
            return self._own(match, heard)
        if "tool" in match.metadata:
            return self._simple(match)
        if "value" in match.spans:
            text = heard(*match.spans["value"])
            if match.intent == "type_here":
                return self._type_here(text)
            if match.intent == "search":
                return self._search(match, text)
            return self._set(match, text, heard, lenient)
        named: Mapping[str, Callable[[Match], Iterable[Meaning]]] = {
            "navigate": self._navigate,
            "click": self._click,
            "click_nth": self._click_nth,
            "click_number": self._click_number,
            "set_choice": self._set_choice,
            "clear": self._clear,
            "clear_rest": self._clear,
            "open_place": self._open_place,
            "toggle_on": self._toggle,
            "toggle_off": self._toggle,
            "open_item": self._open_item,
        }
        return named[match.intent](match)

    def _navigate(self, match: Match) -> Iterable[Meaning]:
        page = match.names["page"]
        if self._snapshot.tool("navigate"):
            bare = bool(match.metadata.get("bare"))
            yield Meaning("navigate", "navigate", "", page.target, (("page", page.target),), page.quality, bare)

    def _click(self, match: Match) -> Iterable[Meaning]:
        said = next(match.names[slot] for slot in ("button", "sending", "submitting") if slot in match.names)
        if match.names.get("destination", said).target == said.target:
            yield self._press(said, bool(match.metadata.get("bare")))

    def _click_nth(self, match: Match) -> Iterable[Meaning]:
        said = match.names["button"]
        alike = [name for name in self._names.slots["button"] if name.words == said.words]
        if len(alike) > 1 and match.number is not None and alike.index(said) == match.number - 1:
            yield self._press(said, bare=False)

    def _press(self, button: Name, bare: bool) -> Meaning:
        label = self._label(button.target)
        creates = plain(label).partition(" ")[0] in self._words.get("creating", ())
        return Meaning("create" if creates else "click", "click", button.target, label, (), button.quality, bare)

    def _click_number(self, match: Match) -> Iterable[Meaning]:
        tool = self._snapshot.tool("click_number")
        if tool and match.number is not None:
            yield Meaning("click_number", tool.name, "", "", ((_first_parameter(tool), match.number),))

    def _set(self, match: Match, text: str, heard: Heard, lenient: bool) -> Iterable[Meaning]:
        said = match.metadata
        slot = next((name for name in _TARGETS if name in match.names), "")
        first = plain(text).partition(" ")[0]
        if slot and self._is_longer(match, slot, text, heard):
            return
        if said.get("list") and self._likely.begins_small(text):
            return
        if (said.get("direct") or lenient) and first in ["", *self._words["to"]]:
            return
        if lenient and said.get("measured") and said.get("statement"):
            return  # "The talk is twenty minutes late."
        for target in self._targets(match, slot, text):
            view = self._views[target.target]
            if said.get("person") and (not self._likely.is_name(view) or self._likely.begins_small(text)):
                continue
            states = bool(said.get("statement"))
            doubtful = states or said.get("naming")
            free = value_type_of(view) in FREE
            if doubtful and free and self._likely.is_talk(view, text, states=states, lenient=lenient):
                continue
            value = exchanged(text, view.state, self._words["to"]) if said.get("exchange") else text
            if value is None:
                continue
            edit = self._edit(match, view, heard)
            meaning = self._filled(match.intent.removesuffix("_rest"), target, value, lenient=lenient, edit=edit)
            if not (meaning.problem and (doubtful or said.get("measured"))):
                yield meaning

    def _targets(self, match: Match, slot: str, text: str) -> Iterable[Name]:
        """The fields that a match is about."""
        if match.metadata.get("measured"):
            return self._measured(text)
        if slot in ("record", "noun", ""):
            return self._names.slots["naming"]
        return (match.names[slot],)

    def _measured(self, text: str) -> Iterable[Name]:
        """The field whose unit is said with a number, if there is only one."""
        fields = {name.target: name for name in reversed(self._names.slots["typed"])}
        units = {target: str(self._views[target].state.get("unit") or "") for target in fields}
        found = [fields[target] for target, unit in units.items() if says_unit(text, unit, self._language)]
        return found if len(found) == 1 else ()

    def _is_longer(self, match: Match, slot: str, text: str, heard: Heard) -> bool:
        """Whether a longer name was said, "email address" instead of "email": the value isn't what its end is."""
        name = match.names[slot].words
        if not plain(heard(0, match.spans["value"][0])).endswith(name):
            return False
        known = self._names.slots["field" if slot in ("typed", "writable") else slot]
        said = f"{name} {plain(text)} "
        return any(other.words.startswith(f"{name} ") and said.startswith(f"{other.words} ") for other in known)

    def _edit(self, match: Match, view: InstanceView, heard: Heard) -> Edit:
        """Whether a list keeps what it holds: "add", unlike "put" and "set", takes nothing away."""
        if value_type_of(view) != "choices":
            return ""
        adds = plain(heard(0, 1)) in map(plain, self._words.get("adding", ()))
        return cast(Edit, match.metadata.get("list", "add" if adds else ""))

    def _search(self, match: Match, text: str) -> Iterable[Meaning]:
        if not self._likely.is_searched(text, loose=bool(match.metadata.get("loose"))):
            return
        for view in self._search_boxes[:1]:
            yield self._filled("set", Name(plain(view.label), view.handle), text)

    @property
    def can_search(self) -> bool:
        """Whether there is something to search with."""
        return bool(self._search_boxes)

    @property
    def _search_boxes(self) -> list[InstanceView]:
        labels = self._words.get("searching", ())
        return [view for view in self._snapshot.available("fill") if plain(view.label) in labels]

    def _set_choice(self, match: Match) -> Iterable[Meaning]:
        choice = match.names["choice"]
        yield self._filled("set", choice, choice.value)

    def _type_here(self, text: str) -> Iterable[Meaning]:
        for view in self._snapshot.available("fill"):
            if view.state.get("focused"):
                yield self._filled("set", Name(plain(view.label), view.handle, 0.95), text)

    def _clear(self, match: Match) -> Iterable[Meaning]:
        yield self._filled(match.intent, match.names["writable"], "")

    def _toggle(self, match: Match) -> Iterable[Meaning]:
        switch = match.names["switch"]
        arguments = (("value", cast(Json, match.fixed["value"])),)
        yield Meaning("toggle", "toggle", switch.target, self._label(switch.target), arguments, switch.quality)

    def _open_item(self, match: Match) -> Iterable[Meaning]:
        item = match.names["item"]
        arguments = (("value", item.value),)
        yield Meaning("open_item", "open_item", item.target, self._label(item.target), arguments, item.quality)

    def _open_place(self, match: Match) -> Iterable[Meaning]:
        words = match.names.get("place") or match.names["step"]
        places, steps = self._words["places"], self._words["steps"]
        for view in self._snapshot.available("open_item")[:1]:
            item = item_at(places.get(words.target), steps.get(words.target), view.state)
            if item is not None:
                yield Meaning("open_item", "open_item", view.handle, view.label, (("value", item),))

    def _simple(self, match: Match) -> Iterable[Meaning]:
        tool = self._snapshot.tool(str(match.metadata["tool"]))
        if tool and all(_takes(tool, name, value) for name, value in match.fixed.items()):
            for view in self._acting(tool, next(iter(match.names.values()), None)):
                yield Meaning(match.intent, tool.name, view.handle, view.label, tuple(match.fixed.items()))

    def _acting(self, tool: ToolView, named: Name | None) -> list[InstanceView]:
        """The instance a tool without a named target acts on: the one with the keyboard, else the first."""
        views = [view for view in self._snapshot.available(tool.name) if not named or view.handle == named.target]
        return [*(view for view in views if view.state.get("focused")), *views][:1]

    def _own(self, match: Match, heard: Heard) -> Iterable[Meaning]:
        tool = self._snapshot.tool(match.intent.removeprefix(OWN))
        if tool is None:
            return
        target = match.names.get("target")
        given: dict[str, Json] = {slot: name.target for slot, name in match.names.items() if slot != "target"}
        given |= {slot: _as_schema(tool, slot, heard(*span), self._language) for slot, span in match.spans.items()}
        handle = target.target if target else ""
        if not target and tool.needs_target:
            return
        quality = min([name.quality for name in match.names.values()], default=1.0)
        arguments = tuple((name, given[name]) for name in _parameter_names(tool) if name in given)
        if None not in given.values():
            free = bool(match.spans)
            yield Meaning(match.intent, tool.name, handle, self._label(handle), arguments, quality, open_text=free)

    # What they share.

    def _filled(self, intent: str, target: Name, text: str, *, lenient: bool = False, edit: Edit = "") -> Meaning:
        view = self._views[target.target]
        tool = next(tool for tool in ("fill", "choose", "toggle") if self._offers(tool, view))
        value_type = cast(ValueType, value_type_of(view))
        state = with_synonyms(view.state, self._labels)
        about = Meaning(
            intent,
            tool,
            view.handle,
            view.label,
            (("value", text),),
            open_text=value_type in FREE,
            long_text=value_type == "long_text",
            hard_to_hear="address" if value_type in _ADDRESSES else "name" if self._likely.is_name(view) else "",
        )
        try:
            reading = read_value(text, value_type, state, language=self._language, today=self._today, lenient=lenient)
            value: Json = _as_text(edited(reading.value, view.state, edit) if edit else reading.value)
        except ToolError as error:
            return replace(about, quality=_REFUSED * target.quality, problem=str(error))
        if self._likely.is_no_name(view, text):
            problem = f"I heard “{text.strip(' .,')}”, which is hardly a name. Say it again, or spell it."
            return replace(about, quality=_REFUSED * target.quality, problem=problem)
        rounder = self._rounder(reading.value, view) if self._spoken else ""
        value = reading.value if tool == "toggle" else value
        return replace(about, arguments=(("value", value),), quality=target.quality * reading.quality, rounder=rounder)

    def _rounder(self, value: Json, view: InstanceView) -> str:
        """The round number of minutes that a number from thirteen to nineteen may have been."""
        if plain(str(view.state.get("unit", ""))) not in minute_words(self._language) or not isinstance(value, int):
            return ""
        most = view.state.get("maximum")
        rounder = value % 10 * 10
        fits = not isinstance(most, int | float) or rounder <= most
        return str(rounder) if _TEENS.start <= value < _TEENS.stop and value % 5 and fits else ""

    def _offers(self, tool: str, view: InstanceView) -> bool:
        offered = self._snapshot.tool(tool)
        return offered is not None and tool in view.tools

    def _label(self, handle: str) -> str:
        view = self._views.get(handle)
        return view.label if view else ""


def _takes(tool: ToolView, parameter: str, value: Json) -> bool:
    """Whether a tool's schema allows that value."""
    properties = tool.parameters.get("properties")
    schema = properties.get(parameter) if isinstance(properties, Mapping) else None
    allowed = schema.get("enum") if isinstance(schema, Mapping) else None
    return not isinstance(allowed, list | tuple) or value in allowed


def _as_text(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def _parameter_names(tool: ToolView) -> list[str]:
    properties = tool.parameters.get("properties")
    return [name for name in properties if name != "target"] if isinstance(properties, Mapping) else []


def _first_parameter(tool: ToolView) -> str:
    return next(iter(_parameter_names(tool)), "number")


_SCHEMA_TYPES: Mapping[str, ValueType] = {"integer": "integer", "number": "number", "boolean": "boolean"}


def _as_schema(tool: ToolView, parameter: str, text: str, language: str) -> Json:
    """The value for a parameter of a tool's own phrase, or None where its schema can't take these words."""
    properties = tool.parameters.get("properties")
    schema = properties.get(parameter) if isinstance(properties, Mapping) else None
    kind = schema.get("type") if isinstance(schema, Mapping) else "string"
    try:
        return read_value(text, _SCHEMA_TYPES.get(str(kind), "text"), {}, language=language).value
    except ToolError:
        return None
