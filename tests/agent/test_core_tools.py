"""`@ai_tool` on methods of all kinds; what a tool says of itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from app.agent.confusable import Confusion, confusable
from app.agent.docstrings import read_docstring
from app.agent.registry import Registry, effective_policy
from app.agent.snapshot import Example
from app.agent.tools import ai_tool

F = TypeVar("F", bound=Callable[..., Any])


def counted(function: F) -> F:
    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return "counted", function(*args, **kwargs)

    return wrapper  # type: ignore[return-value]


class Base:
    @ai_tool
    def open_item(self, value: str) -> str:
        """Opens one.

        More about it.

        Args:
            value: Which one.

        Returns:
            What was opened.
        """
        return f"base {value}"

    @ai_tool(name="click", title="Press", policy="auto", phrases=["press {target}"], examples=[Example("press save")])
    def click(self) -> str:
        """Presses it."""
        return "base"


class Derived(Base):
    def open_item(self, value: str) -> str:
        return f"derived {value}"

    @ai_tool
    @staticmethod
    def still(value: int) -> int:
        """Takes no self."""
        return value

    @classmethod
    @ai_tool
    def classy(cls, value: int) -> str:
        """Takes the class."""
        return f"{cls.__name__} {value}"

    @ai_tool
    @counted
    def wrapped(self, value: int = 1) -> int:
        """Is wrapped."""
        return value

    @counted
    @ai_tool
    def wrapped_outside(self, value: int = 1) -> int:
        """Is wrapped as well."""
        return value


class Silenced(Base):
    @ai_tool(policy="never")
    def click(self) -> str:
        """Is not offered."""
        return "never"


def call(registry: Registry, tool: str, arguments: str = "") -> object:
    return registry.invoke(registry.bind(registry.snapshot(), tool, arguments))


def test_directly_callable() -> None:
    assert Base().open_item("x") == "base x"
    assert Base().click() == "base"
    assert Derived.still(3) == 3


def test_kinds_of_methods() -> None:
    registry = Registry()
    obj = Derived()
    registry.register_instance(obj, label="It")
    names = [tool.name for tool in registry.snapshot().tools]
    assert names == [
        "Base_open_item",
        "click",
        "Derived_still",
        "Derived_classy",
        "Derived_wrapped",
        "Derived_wrapped_outside",
    ]
    assert call(registry, "Base_open_item", '{"value": "x"}') == "derived x"
    assert call(registry, "Derived_still", '{"value": 2}') == 2
    assert call(registry, "Derived_classy", '{"value": 2}') == "Derived 2"
    assert call(registry, "Derived_wrapped", '{"value": 2}') == ("counted", 2)
    assert call(registry, "Derived_wrapped_outside") == ("counted", 1)


def test_a_tool_of_a_base_class_is_one_tool() -> None:
    registry = Registry()
    base, derived = Base(), Derived()
    registry.register_instance(base, label="One")
    registry.register_instance(derived, label="Two")
    tool = registry.snapshot().tool("Base_open_item")
    assert tool is not None
    assert tool.targets == ("one", "two")


def test_what_a_tool_says() -> None:
    registry = Registry()
    obj = Base()
    registry.register_instance(obj, label="It")
    opened, clicked = registry.snapshot().tools
    assert (opened.title, opened.description, opened.policy) == ("Open item", "Opens one.\n\nMore about it.", "confirm")
    assert (clicked.title, clicked.policy, clicked.phrases) == ("Press", "auto", ("press {target}",))
    assert clicked.examples == (Example("press save"),)


def test_never() -> None:
    registry = Registry()
    obj, other = Silenced(), Base()
    registry.register_instance(obj, label="It")
    assert [tool.name for tool in registry.snapshot().tools] == ["Base_open_item"]
    handle = registry.register_instance(other, label="Hidden", policy="never")
    snapshot = registry.snapshot()
    assert snapshot.instance(handle.handle) is None
    assert [view.label for view in snapshot.instances] == ["It"]


@pytest.mark.parametrize(
    ("tool", "instance", "expected"),
    [
        ("auto", None, "auto"),
        ("auto", "confirm", "confirm"),
        ("confirm", "auto", "confirm"),
        ("never", "auto", "never"),
        ("auto", "never", "never"),
    ],
)
def test_the_stricter_policy_counts(tool: Any, instance: Any, expected: str) -> None:
    from dataclasses import replace

    registry = Registry()
    obj = Base()
    registry.register_instance(obj, label="It")
    snapshot = registry.snapshot()
    tool_view, view = replace(snapshot.tools[0], policy=tool), replace(snapshot.instances[0], policy=instance)
    assert effective_policy(tool_view, view) == expected
    assert effective_policy(tool_view, None) == tool


class Other:
    @ai_tool(name="press", phrases=["Press  {target}"], examples=[Example("Press Save.")])
    def press(self) -> None:
        """presses it"""


def test_tools_that_could_be_confused() -> None:
    registry = Registry()
    first, second = Base(), Other()
    registry.register_instance(first, label="One")
    assert confusable(registry) == ()
    registry.register_instance(second, label="Two")
    assert confusable(registry) == (
        Confusion("docstring", "presses it", ("click", "press")),
        Confusion("phrase", "press {target}", ("click", "press")),
        Confusion("example", "press save", ("click", "press")),
    )


GOOGLE = """One.

Args:
    a: First.
    b (int): Second
        goes on.

Raises:
    ValueError: Never.
"""
NUMPY = """One.

Parameters
----------
a : str
    First.
b, c : int
    Both.

Returns
-------
int
    It.
"""
SPHINX = """One.

:param a: First.
:param int b: Second.
:returns: It.
"""


@pytest.mark.parametrize(
    ("docstring", "text", "parameters"),
    [
        ("One line.", "One line.", {}),
        ("One.\n\nTwo: with a colon.", "One.\n\nTwo: with a colon.", {}),
        ("    One.\n\n    Two.\n    ", "One.\n\nTwo.", {}),
        (GOOGLE, "One.", {"a": "First.", "b": "Second goes on."}),
        (NUMPY, "One.", {"a": "First.", "b": "Both.", "c": "Both."}),
        (SPHINX, "One.", {"a": "First.", "b": "Second."}),
        ("\n    Args:\n        a: First.\n    ", "", {"a": "First."}),
    ],
)
def test_docstring_styles(docstring: str, text: str, parameters: dict[str, str]) -> None:
    parts = read_docstring(docstring)
    assert parts.text == text
    assert parts.parameters == parameters
