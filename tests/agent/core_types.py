"""The types that the signature tests use, and functions that have them."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired

from pydantic import BaseModel, ConfigDict, Discriminator, Field, RootModel, computed_field
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import TypeAliasType, TypedDict

from app.agent.tools import Tool, ai_tool, tool_of_function

NO_DEFAULT: Any = object()


class Level(enum.Enum):
    BEGINNER = "Beginner"
    ADVANCED = "Advanced"


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 2


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


class Talk(BaseModel):
    """A talk."""

    title: str
    minutes: int = 30


class Slot(BaseModel):
    talk: Talk
    room: str | None = None


class Folder(BaseModel):
    name: str
    inside: list[Folder] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


Pet = Annotated[Cat | Dog, Discriminator("kind")]


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")

    name: str


class Aliased(BaseModel):
    first_name: str = Field(alias="firstName")


class Square(BaseModel):
    side: int

    @computed_field  # type: ignore[prop-decorator]
    @property
    def area(self) -> int:
        return self.side**2


class Tags(RootModel[list[str]]):
    pass


@dataclass
class Point:
    x: int
    y: int = 0


@dataclass
class Line:
    points: list[Point] = field(default_factory=list)


@pydantic_dataclass
class Range:
    low: int
    high: int


class Address(TypedDict):
    city: str
    country: NotRequired[str]


class Pair(NamedTuple):
    left: int
    right: str


Minutes = NewType("Minutes", int)
Names = TypeAliasType("Names", list[str])
Tree = TypeAliasType("Tree", "dict[str, Tree] | int")

DOCSTRINGS = {
    "google": """Does it.

    Args:
        x: What it is about,
            in two lines.
    """,
    "numpy": """Does it.

    Parameters
    ----------
    x : object
        What it is about,
        in two lines.
    """,
    "sphinx": """Does it.

    :param x: What it is about,
        in two lines.
    :returns: Nothing.
    """,
    "none": "Does it.",
}


def made(annotation: Any, default: Any = NO_DEFAULT, style: str = "none") -> tuple[Tool, Callable[..., Any]]:
    """A tool with one parameter `x` of that type, which returns it; and its function."""

    def tool(x: Any) -> Any:
        return x

    tool.__annotations__ = {"x": annotation}
    tool.__doc__ = DOCSTRINGS[style]
    if default is not NO_DEFAULT:
        tool.__defaults__ = (default,)
    marked = ai_tool(tool)
    return tool_of_function(marked), marked
