"""The few tools that all kinds of widgets share, each declared once."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

import shiboken6

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.snapshot import Example, Preview, ValueType
from app.agent.tools import ai_tool
from app.agent.values import parse_value
from app.widgets.adapter import Adapter

Direction: TypeAlias = Literal["up", "down", "top", "bottom"]


def spoken(value: Json) -> str:
    """A value in words, for results: booleans as on and off, lists joined, nothing as "empty"."""
    if value is None or value == "" or value == []:
        return "empty"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ", ".join(str(each) for each in value)
    return str(value)


def as_argument(value: Json) -> str:
    """A value as the string that `fill` takes."""
    if value is None:
        return ""
    return ", ".join(str(each) for each in value) if isinstance(value, (list, tuple)) else str(value)


class Clickable(Adapter):
    """Something to press."""

    @ai_tool(name="click", policy="confirm", title="Click", examples=(Example("click save"),))
    def click(self) -> str:
        """Presses a button, menu entry or link on the screen."""
        self.require_available()
        label = self.label
        return self._press() or f"{label} was pressed."

    def preview_call(self, tool: str, _arguments: Mapping[str, Json]) -> Preview:
        """What pressing it does, as far as it is known. Raises TargetError where it can't be pressed."""
        assert tool == "click"
        self.require_available()
        effect = self.state().get("effect")
        return Preview(effect=effect if isinstance(effect, str) else f"Presses {self.label}.")

    def _press(self) -> str:
        """Presses it, and returns what that did, in words, where it is known."""
        raise NotImplementedError


class Valued(Adapter):
    """Something that holds a value: it can be read, set, and set back."""

    def value(self) -> Json:
        """The value now."""
        raise NotImplementedError

    def assign(self, value: Json) -> None:
        """Sets a value that has been normalised, the way a person's typing or clicking would."""
        raise NotImplementedError

    def preview_call(self, _tool: str, arguments: Mapping[str, Json]) -> Preview:
        """What the call would change. Raises ToolError where it would be refused."""
        self.require_available()
        after = self._meant(arguments["value"])
        return Preview(self.value(), after, arguments={"value": self._argument(after)})

    def _meant(self, argument: Json) -> Json:
        """The value that an argument means here, or ToolError with what is accepted."""
        raise NotImplementedError

    def _argument(self, value: Json) -> Json:
        """A value as the argument that means it."""
        return value

    def _apply(self, argument: Json) -> str:
        self.require_available()
        value = self._meant(argument)
        before = self.value()
        label = self.label
        self.assign(value)
        after = self.value()
        if after != value:
            self.assign(before)
            raise ToolError(f"{label} does not take {spoken(value)}.")
        if after != before:
            self.context.record(ValueChange(weakref.ref(self), label, before, after))
        return f"{label} is {spoken(after)}."


@dataclass(frozen=True)
class ValueChange:
    """A widget's value was changed. A widget that has gone is nothing to restore."""

    adapter: weakref.ref[Valued]
    label: str
    before: Json
    after: Json

    @property
    def text(self) -> str:
        return f"{self.label} to {spoken(self.after)}"

    def undo(self) -> None:
        self._restore(self.before)

    def redo(self) -> None:
        self._restore(self.after)

    def _restore(self, value: Json) -> None:
        adapter = self.adapter()
        if adapter is not None and shiboken6.isValid(adapter):
            adapter.assign(value)


class Fillable(Valued):
    """A field to fill in."""

    @ai_tool(
        name="fill",
        policy="confirm",
        title="Fill",
        examples=(Example("set the title to Hello world", {"value": "Hello world"}),),
    )
    def fill(self, value: str) -> str:
        """Puts a value into a field, replacing what is there; an empty value clears it.

        Args:
            value: The new value as the person said it; spoken numbers, dates and addresses are understood.
        """
        return self._apply(value)

    def _meant(self, argument: Json) -> Json:
        return self._normalised(str(argument))

    def _argument(self, value: Json) -> Json:
        return as_argument(value)

    def _normalised(self, text: str) -> Json:
        """The value that `text` means in this field, or ToolError with what is accepted."""
        state = self.state()
        value_type = cast("ValueType", state["value_type"])
        context = self.context
        return parse_value(text, value_type, state, language=context.language(), today=context.today())


class Choosable(Valued):
    """A field with fixed choices."""

    @ai_tool(
        name="choose",
        policy="confirm",
        title="Choose",
        examples=(Example("set the level to advanced", {"value": "Advanced"}),),
    )
    def choose(self, value: str) -> str:
        """Chooses one of the values that a field offers.

        Args:
            value: One of the field's choices.
        """
        return self._apply(value)

    def _meant(self, argument: Json) -> Json:
        context = self.context
        return parse_value(str(argument), "choice", self.state(), language=context.language(), today=context.today())


class Switchable(Valued):
    """Something that is on or off."""

    @ai_tool(name="toggle", policy="confirm", title="Switch", examples=(Example("turn online on", {"value": True}),))
    def toggle(self, value: bool) -> str:
        """Switches a check box or option on or off.

        Args:
            value: True for on, false for off.
        """
        return self._apply(value)

    def _meant(self, argument: Json) -> Json:
        return bool(argument)

    def state(self) -> Mapping[str, Json]:
        checked = self.value()
        return {**super().state(), "value": checked, "checked": checked, "value_type": "boolean"}


class Openable(Adapter):
    """A list, table, tree or row of tabs whose items can be opened."""

    @ai_tool(
        name="open_item",
        policy="auto",
        title="Open",
        examples=(Example("open agents that ask first", {"value": "Agents that ask first"}),),
    )
    def open_item(self, value: str) -> str:
        """Opens an item of a list, table, tree or row of tabs.

        Args:
            value: The item's name, or enough of it to tell it from the others.
        """
        self.require_available()
        return f"{self._open(value)} is open."

    def preview_call(self, tool: str, arguments: Mapping[str, Json]) -> Preview:
        """Which item would be opened. Raises ToolError where there is no such item."""
        self.require_available()
        if tool != "open_item":
            return Preview()
        name = self._full_name(str(arguments["value"]))
        return Preview(effect=f"Opens “{name}”.", arguments={"value": name})

    def _full_name(self, name: str) -> str:
        """The whole name of the item meant, or ToolError."""
        raise NotImplementedError

    def _open(self, name: str) -> str:
        """Opens the item and returns its whole name, or raises ToolError."""
        raise NotImplementedError


class Scrollable(Adapter):
    """Something longer than the space it has."""

    @ai_tool(name="scroll", policy="auto", title="Scroll", examples=(Example("scroll down", {"direction": "down"}),))
    def scroll(self, direction: Direction) -> str:
        """Scrolls a list or a form.

        Args:
            direction: Up or down by a page, or to the top or bottom.
        """
        self.require_available()
        self._scroll(direction)
        return f"{self.label} was scrolled."

    def _scroll(self, direction: Direction) -> None:
        raise NotImplementedError
