"""From the shape of a clause to calls: finds the target's tool and reads the value as the target would."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import cast

from app.agent.commands.grammar import Grammar
from app.agent.commands.meaning import Meaning
from app.agent.commands.templates import OWN, Match
from app.agent.commands.vocabulary import FREE, Name, Vocabulary, value_type_of, with_synonyms
from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.snapshot import InstanceView, Snapshot, ToolView, ValueType
from app.agent.values import read_value
from app.agent.values.numbers import minute_words
from app.agent.values.words import plain

Heard = Callable[[int, int], str]
"""Gives the words of the clause from one index up to another, as they were heard."""


_REFUSED = 0.5
_ADDRESSES = ("email", "url")
_TEENS = range(13, 20)


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
        self._not_values = {"", *(plain(word) for word in grammar.words["not_values"])}
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
        if match.intent in ("set", "set_rest", "type_here"):
            text = heard(*match.spans["value"])
            return self._type_here(text) if match.intent == "type_here" else self._set(match, text, lenient)
        named: Mapping[str, Callable[[Match], Iterable[Meaning]]] = {
            "navigate": self._navigate,
            "click": self._click,
            "click_nth": self._click_nth,
            "click_number": self._click_number,
            "set_choice": self._set_choice,
            "clear": self._clear,
            "clear_rest": self._clear,
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
        yield self._press(match.names["button"], bool(match.metadata.get("bare")))

    def _click_nth(self, match: Match) -> Iterable[Meaning]:
        said = match.names["button"]
        alike = [name for name in self._names.slots["button"] if name.words == said.words]
        if len(alike) > 1 and match.number is not None and alike.index(said) == match.number - 1:
            yield self._press(said, bare=False)

    def _press(self, button: Name, bare: bool) -> Meaning:
        return Meaning("click", "click", button.target, self._label(button.target), (), button.quality, bare)

    def _click_number(self, match: Match) -> Iterable[Meaning]:
        tool = self._snapshot.tool("click_number")
        if tool and match.number is not None:
            yield Meaning("click_number", tool.name, "", "", ((_first_parameter(tool), match.number),))

    def _set(self, match: Match, text: str, lenient: bool) -> Iterable[Meaning]:
        slot = next(name for name in ("field", "typed", "writable", "naming", "record") if name in match.names)
        targets = self._names.slots["naming"] if slot == "record" else (match.names[slot],)
        if (match.metadata.get("direct") or lenient) and plain(text).partition(" ")[0] in ["", *self._words["to"]]:
            return
        for target in targets:
            view = self._views[target.target]
            if match.metadata.get("statement") and value_type_of(view) in FREE and self._is_talk(view, text):
                continue
            meaning = self._filled("set", target, text, lenient=lenient)
            if not (match.metadata.get("statement") and meaning.problem):
                yield meaning

    def _is_talk(self, view: InstanceView, text: str) -> bool:
        """Whether "the city is beautiful at night" says something about the field instead of giving its value."""
        if plain(text).partition(" ")[0] in self._not_values:
            return True
        # A recogniser writes proper names with capitals; people who type often don't.
        return self._spoken and self._is_name(view) and text[:1].islower()

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

    def _filled(self, intent: str, target: Name, text: str, *, lenient: bool = False) -> Meaning:
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
            hard_to_hear="address" if value_type in _ADDRESSES else "name" if self._is_name(view) else "",
        )
        try:
            reading = read_value(text, value_type, state, language=self._language, today=self._today, lenient=lenient)
        except ToolError as error:
            return replace(about, quality=_REFUSED * target.quality, problem=str(error))
        value = reading.value if tool == "toggle" else _as_text(reading.value)
        if self._spoken and self._is_name(view) and self._is_no_name(text):
            problem = f"I heard “{text.strip(' .,')}”, which is hardly a name. Say it again, or spell it."
            return replace(about, quality=_REFUSED * target.quality, problem=problem)
        rounder = self._rounder(reading.value, view) if self._spoken else ""
        return replace(about, arguments=(("value", value),), quality=target.quality * reading.quality, rounder=rounder)

    def _is_name(self, view: InstanceView) -> bool:
        return plain(view.label) in self._words["proper_names"]

    def _is_no_name(self, text: str) -> bool:
        """Whether a recogniser wrote no name: "be in it", "the end" have no capital, and a small word at an end."""
        words = plain(text).split()
        small = words and (words[0] in self._words["light"] or words[-1] in self._words["light"])
        return bool(small) and text == text.lower()

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
