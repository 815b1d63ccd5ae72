"""What can't be offered fails when it is registered, and the message names class, method and parameter."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from pydantic import Field, SecretStr

from app.agent.errors import RegistrationError
from app.agent.registry import Registry
from app.agent.tools import ai_tool

if TYPE_CHECKING:
    from core_types import Talk


class Positional:
    @ai_tool
    def do(self, *names: str) -> None:
        """Does it."""


class Keywords:
    @ai_tool
    def do(self, **names: str) -> None:
        """Does it."""


class Bare:
    @ai_tool
    def do(self, value) -> None:  # type: ignore[no-untyped-def]
        """Does it."""


class Undocumented:
    @ai_tool
    def do(self, value: str) -> None: ...


class OnlySections:
    @ai_tool
    def do(self, value: str) -> None:
        """
        Args:
            value: Something.
        """


class Misdocumented:
    @ai_tool
    def do(self, value: str) -> None:
        """Does it.

        Args:
            valeu: Something.
        """


class Unschemable:
    @ai_tool
    def do(self, first: str, value: Callable[[], int]) -> None:
        """Does it."""


class Arbitrary:
    @ai_tool
    def do(self, value: range) -> None:
        """Does it."""


class Unknown:
    @ai_tool
    def do(self, value: Talk) -> None:
        """Does it."""


class PositionOnly:
    @ai_tool
    def do(self, value: str, /) -> None:
        """Does it."""


class Reserved:
    @ai_tool
    def do(self, target: str) -> None:
        """Does it."""


class Secret:
    @ai_tool
    def do(self, value: SecretStr) -> None:
        """Does it."""


class FieldAsDefault:
    @ai_tool
    def do(self, value: str = Field(default="x")) -> None:
        """Does it."""


class DefaultInField:
    @ai_tool
    def do(self, value: Annotated[str, Field(default="x")]) -> None:
        """Does it."""


class WithAlias:
    @ai_tool
    def do(self, value: Annotated[str, Field(alias="other")]) -> None:
        """Does it."""


class NoJsonDefault:
    @ai_tool
    def do(self, value: Any = object()) -> None:  # noqa: B008 - what is tested
        """Does it."""


class Endless:
    @ai_tool
    def do(self, value: float = float("inf")) -> None:
        """Does it."""


class NotAMethod:
    do = ai_tool(functools.partial(print, "x"))


class NoTools:
    pass


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (Positional, ["Positional.do", "'*names'"]),
        (Keywords, ["Keywords.do", "'**names'"]),
        (Bare, ["Bare.do", "'value'", "annotation"]),
        (Undocumented, ["Undocumented.do", "docstring"]),
        (OnlySections, ["OnlySections.do", "docstring"]),
        (Misdocumented, ["Misdocumented.do", "'valeu'"]),
        (Unschemable, ["Unschemable.do", "'value'", "Callable"]),
        (Arbitrary, ["Arbitrary.do", "'value'", "range"]),
        (Unknown, ["Unknown.do", "'value'", "Talk"]),
        (PositionOnly, ["PositionOnly.do", "'value'", "positional"]),
        (Reserved, ["Reserved.do", "'target'", "reserved"]),
        (Secret, ["Secret.do", "'value'", "secret"]),
        (FieldAsDefault, ["FieldAsDefault.do", "'value'", "Annotated"]),
        (DefaultInField, ["DefaultInField.do", "'value'", "default"]),
        (WithAlias, ["WithAlias.do", "'value'", "alias"]),
        (NoJsonDefault, ["NoJsonDefault.do", "'value'", "default"]),
        (Endless, ["Endless.do", "'value'", "default"]),
        (NotAMethod, ["NotAMethod.do", "not a function"]),
        (NoTools, ["NoTools", "@ai_tool"]),
    ],
)
def test_refused_with_its_place(cls: type, words: list[str]) -> None:
    registry = Registry()
    with pytest.raises(RegistrationError) as caught:
        registry.register_instance(cls(), label="It")
    for word in words:
        assert word in str(caught.value)
    assert registry.snapshot().instances == ()


class Named:
    @ai_tool(name="save")
    def save(self) -> None:
        """Saves the form."""


class NamedAlike:
    @ai_tool(name="save")
    def keep(self) -> None:
        """Keeps the form."""


def test_one_name_for_two_methods() -> None:
    registry = Registry()
    first, second = Named(), NamedAlike()
    registry.register_instance(first, label="Save")
    with pytest.raises(RegistrationError, match=r"NamedAlike\.keep: Named\.save is named 'save' already"):
        registry.register_instance(second, label="Save")
    assert [tool.name for tool in registry.snapshot().tools] == ["save"]


def test_one_name_for_a_method_and_a_function() -> None:
    registry = Registry()
    first = Named()
    registry.register_instance(first, label="Save")

    @ai_tool
    def save() -> None:
        """Saves everything."""

    with pytest.raises(RegistrationError, match=r"Named\.save"):
        registry.register_function(save)


def test_the_same_function_twice() -> None:
    @ai_tool
    def save() -> None:
        """Saves everything."""

    registry = Registry()
    handle = registry.register_function(save)
    with pytest.raises(RegistrationError, match="registered already"):
        registry.register_function(save)
    handle.dispose()
    handle.dispose()
    assert registry.snapshot().tools == ()
    registry.register_function(save)
    assert [tool.name for tool in registry.snapshot().tools] == ["save"]


def test_a_function_without_a_mark_and_a_bound_method() -> None:
    registry = Registry()
    with pytest.raises(RegistrationError, match="@ai_tool"):
        registry.register_function(test_the_same_function_twice)
    with pytest.raises(RegistrationError, match="register_instance"):
        registry.register_function(Named().save)


def test_the_same_object_twice() -> None:
    registry = Registry()
    obj = Named()
    with registry.register_instance(obj, label="Save"), pytest.raises(RegistrationError, match="as 'save'"):
        registry.register_instance(obj, label="Save again")
    registry.register_instance(obj, label="Save again")


class NoWeakReferences:
    __slots__ = ()

    @ai_tool
    def do(self) -> None:
        """Does it."""


def test_an_object_that_allows_no_weak_reference() -> None:
    with pytest.raises(RegistrationError, match="__weakref__"):
        Registry().register_instance(NoWeakReferences(), label="It")


def test_a_state_that_would_keep_its_object_alive() -> None:
    obj = Named()
    with pytest.raises(RegistrationError, match="bound method"):
        Registry().register_instance(obj, label="Save", state=lambda: {"value": id(obj)})
