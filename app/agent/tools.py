"""`@ai_tool`: a documented method or function becomes a tool; its signature and docstring say everything else."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar, overload

from app.agent.docstrings import read_docstring
from app.agent.errors import RegistrationError
from app.agent.naming import wire_name, words_of
from app.agent.policy import Policy
from app.agent.schema import Arguments, read_arguments
from app.agent.snapshot import Example

F = TypeVar("F", bound="Callable[..., Any]")

_MARK = "__ai_tool__"


@dataclass(frozen=True, slots=True)
class ToolOptions:
    """What `@ai_tool` was given; see there."""

    name: str | None = None
    policy: Policy = "confirm"
    phrases: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A registered tool: one (class, method), or one function.

    Attributes:
        name: Wire name. `title` is its verb for people; `description` comes from the docstring.
        owner: The class that defines the method, or None for a function.
        attribute: Name of the method in that class, or of the function.
    """

    name: str
    title: str
    description: str
    owner: type | None
    attribute: str
    arguments: Arguments
    options: ToolOptions

    @property
    def where(self) -> str:
        """Class and method, for messages."""
        return f"{self.owner.__qualname__}.{self.attribute}" if self.owner else self.attribute

    @property
    def has_choices(self) -> bool:
        """Whether some legal values come from the state of an instance, or of the screen."""
        return self.arguments.has_choices

    def is_method(self, owner: type, attribute: str) -> bool:
        """Whether it is that method of that class."""
        return self.owner is owner and self.attribute == attribute


@overload
def ai_tool(function: F, /) -> F: ...


@overload
def ai_tool(
    *,
    name: str | None = None,
    policy: Policy = "confirm",
    phrases: tuple[str, ...] | list[str] = (),
    examples: tuple[Example, ...] | list[Example] = (),
    title: str | None = None,
) -> Callable[[F], F]: ...


def ai_tool(
    function: Any = None,
    /,
    *,
    name: str | None = None,
    policy: Policy = "confirm",
    phrases: tuple[str, ...] | list[str] = (),
    examples: tuple[Example, ...] | list[Example] = (),
    title: str | None = None,
) -> Any:
    """Marks a method or function as a tool. It stays what it was and is called directly as before.

    Args:
        function: The function, where the decorator is written without brackets.
        name: Wire name; by default `Class_method`, or the function's name.
        policy: How much is asked before it runs.
        phrases: Sentence templates (hassil syntax) that mean this tool.
        examples: Utterances with the arguments they must give: help for people and models, and tests.
        title: The verb a card shows; by default the name of the method in words.
    """
    options = ToolOptions(name, policy, tuple(phrases), tuple(examples), title)

    def mark(marked: Any) -> Any:
        setattr(marked, _MARK, options)
        return marked

    return mark if function is None else mark(function)


def tool_of_function(function: Callable[..., Any]) -> Tool:
    """The tool that a marked function is.

    Raises:
        RegistrationError: It has no mark, or can't be offered.
    """
    attribute = getattr(function, "__qualname__", type(function).__name__)
    options = getattr(function, _MARK, None)
    if options is None:
        raise RegistrationError(f"{attribute} has no @ai_tool")
    if inspect.ismethod(function):
        raise RegistrationError(f"{attribute} is a bound method: register its object with register_instance")
    name = getattr(function, "__name__", attribute)
    return _build(function, options, owner=None, attribute=name, skip_first=False)


def marks_of(cls: type) -> Iterator[tuple[type, str, ToolOptions]]:
    """The marked methods of a class, those of its bases first: the class that defines each, its name, its options."""
    # A mark on any base makes it a tool; the nearest class with a mark defines it: an override without one only changes
    # what it does.
    marked = dict.fromkeys(
        attribute for base in reversed(cls.__mro__) for attribute, raw in vars(base).items() if _options_of(raw)
    )
    for attribute in marked:
        owner = next(base for base in cls.__mro__ if _options_of(vars(base).get(attribute)))
        options = _options_of(vars(owner)[attribute])
        if options is not None:
            yield owner, attribute, options


def _options_of(raw: object) -> ToolOptions | None:
    # `@classmethod` and `@staticmethod` may stand above the mark or below it.
    options = getattr(raw, _MARK, None) or getattr(getattr(raw, "__func__", None), _MARK, None)
    return options if isinstance(options, ToolOptions) else None


def tool_of_method(owner: type, attribute: str, options: ToolOptions) -> Tool:
    """The tool that a marked method is; see `marks_of`.

    Raises:
        RegistrationError: It can't be offered; names class, method and parameter.
    """
    raw = vars(owner)[attribute]
    function = raw.__func__ if isinstance(raw, staticmethod | classmethod) else raw
    return _build(function, options, owner, attribute, skip_first=not isinstance(raw, staticmethod))


def _build(
    function: Callable[..., Any], options: ToolOptions, owner: type | None, attribute: str, *, skip_first: bool
) -> Tool:
    where = f"{owner.__qualname__}.{attribute}" if owner else attribute
    if not inspect.isfunction(inspect.unwrap(function)):
        raise RegistrationError(f"{where} is marked with @ai_tool but is not a function or method written in Python")
    if not (function.__doc__ or "").strip():
        raise RegistrationError(f"{where} has no docstring: it is what a model and a person read about the tool")
    doc = read_docstring(function.__doc__ or "")
    if not doc.text:
        raise RegistrationError(f"{where}: the docstring has sections but doesn't say what the tool does")
    default_name = f"{owner.__name__}_{attribute}" if owner else attribute
    if options.name == "":
        raise RegistrationError(f"{where}: the name is empty")
    return Tool(
        name=wire_name(options.name or default_name),
        title=options.title or words_of(attribute),
        description=doc.text,
        owner=owner,
        attribute=attribute,
        arguments=read_arguments(function, doc, skip_first=skip_first, where=where),
        options=options,
    )
