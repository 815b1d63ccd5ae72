"""A small screen without Qt: fields, buttons and a page, as the registry tests use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from pydantic import BaseModel

from app.agent.choices import Choices
from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.registry import Registry
from app.agent.snapshot import Preview
from app.agent.tools import ai_tool


class Field:
    """Something to fill in."""

    def __init__(self, value: str = "") -> None:
        self.value = value
        self.reason = ""
        self.reads = 0

    @ai_tool(name="fill")
    def fill(self, value: str) -> str:
        """Replaces the value of a field."""
        self.value = value
        return f"It is {value}."

    def state(self) -> Mapping[str, Json]:
        self.reads += 1
        return {"value": self.value}

    def why_not(self) -> str:
        return self.reason

    def preview_call(self, _tool: str, arguments: Mapping[str, Json]) -> Preview:
        if arguments["value"] == "refused":
            raise ToolError("The field takes no such value.")
        return Preview(before=self.value, after=arguments["value"])


class Button:
    """Something to press, which does what it was made with."""

    def __init__(self, pressed: Callable[[], object] = lambda: None, effect: str = "") -> None:
        self.pressed = pressed
        self.effect = effect

    @ai_tool(name="click")
    def click(self) -> object:
        """Presses a button."""
        return self.pressed()

    def state(self) -> Mapping[str, Json]:
        return {"effect": self.effect} if self.effect else {}


class Pages:
    """Shows one page at a time."""

    def __init__(self, *pages: str) -> None:
        self.pages = list(pages)
        self.page = ""

    @ai_tool(name="navigate", policy="auto")
    def navigate(self, page: Annotated[str, Choices("pages")]) -> None:
        """Shows a page."""
        self.page = page

    @ai_tool(name="close_pages")
    def close_pages(self, pages: list[Annotated[str, Choices("pages")]]) -> None:
        """Closes pages."""
        self.pages = [page for page in self.pages if page not in pages]

    def state(self) -> Mapping[str, Json]:
        return {"pages": self.pages}


class Talk(BaseModel):
    """A talk."""

    title: str
    minutes: int = 30


class Programme:
    """Takes talks."""

    def __init__(self) -> None:
        self.talks: list[Talk] = []
        self.notes: list[str | None] = []

    @ai_tool(name="add_talk")
    def add_talk(self, talk: Talk, first: bool = False, *, note: str | None = None) -> Talk:
        """Adds a talk."""
        self.talks.insert(0 if first else len(self.talks), talk)
        self.notes.append(note)
        return talk


def add_field(registry: Registry, label: str = "Title", value: str = "") -> Field:
    """Registers a field."""
    field = Field(value)
    registry.register_instance(field, label=label, state=field.state, available=field.why_not)
    return field
