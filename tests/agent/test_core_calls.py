"""Binding, previewing and invoking: what is refused, in which words, and what the method gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from core_screen import Button, Field, Pages, Programme, Talk, add_field

from app.agent.choices import Choices
from app.agent.errors import ArgumentsError, TargetError, ToolError, UnknownToolError
from app.agent.frozen import FrozenDict
from app.agent.registry import Registry
from app.agent.snapshot import BoundCall, Preview
from app.agent.tools import ai_tool


def bind(registry: Registry, tool: str, arguments: str | None) -> BoundCall:
    return registry.bind(registry.snapshot(), tool, arguments)


@pytest.mark.parametrize("nothing", ["", None, "{}", " \n"])
def test_no_arguments(nothing: str | None) -> None:
    registry = Registry()
    button = Button(lambda: "pressed")
    registry.register_instance(button, label="Save")
    call = bind(registry, "click", nothing)
    assert (call.tool, call.label, call.arguments) == ("click", "Save", {})
    assert registry.invoke(call) == "pressed"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ('{"value": "x"', "line 1, column 14"),
        ('{"value": "x', "line 1, column 11"),
        ('{"value": "a"}{"value": "b"}', "column 15"),
        ('{"value": "a"} and more', "column 16"),
        ('"{\\"value\\": \\"x\\"}"', "not encoded twice"),
        ("null", "not null"),
        ("[]", "not an array"),
        ('[{"value": "x"}]', "not an array"),
        ("true", "not true or false"),
        ("3", "not a number"),
        ("value = x", "column 1"),
        ("{'value': 'x'}", "column 2"),
        ('{"value": "x",}', "column"),
        ('{"value": "a", "value": "b"}', "value: given more than once"),
        ('{"value": NaN}', "NaN"),
        ('{"value": "x", "extra": 1}', "extra: there is no such argument"),
        ("{}", "value: missing"),
        ('{"Value": "x"}', "value: missing"),
        ('{"value": 3}', "value: input should be a valid string"),
        ('{"value": null}', "value: input should be a valid string"),
        ('{"value": "\\ud800"}', ""),
        ('{"type": "object", "properties": {"value": {"type": "string"}}}', "schema"),
        ('{"value": {"type": "string"}}', "value: this is the schema of the argument"),
        ("[" * 100_000, "too deeply"),
        ('{"value": ' + "[" * 100_000, "too deeply"),
        ('{"value": ' + "[" * 400 + "]" * 400 + "}", "recursion limit"),
        ('{"value": ' + "9" * 10_000 + "}", ""),
        (json.dumps({"value": "x", **{f"extra{number}": 1 for number in range(20)}}), "14 more"),
        ("\x00", "column 1"),
    ],
)
def test_bad_arguments_are_refused_with_their_place(arguments: str, words: str) -> None:
    registry = Registry()
    field = add_field(registry)
    with pytest.raises(ArgumentsError) as caught:
        bind(registry, "fill", arguments)
    assert words in str(caught.value)
    assert len(str(caught.value)) < 1000
    assert str(caught.value).endswith(".")
    assert field.value == ""


def test_a_megabyte_of_arguments() -> None:
    registry = Registry()
    field = add_field(registry)
    registry.invoke(bind(registry, "fill", json.dumps({"value": "x" * 1_000_000})))
    assert len(field.value) == 1_000_000
    with pytest.raises(ArgumentsError) as caught:
        bind(registry, "fill", json.dumps({"y" * 1_000_000: 1, "value": "x" * 1_000_000}))
    assert len(str(caught.value)) < 1000


def test_unknown_tool_lists_those_that_exist_and_takes_no_other() -> None:
    registry = Registry()
    field = add_field(registry)
    with pytest.raises(UnknownToolError) as caught:
        bind(registry, "fil", '{"value": "x"}')
    assert str(caught.value) == "There is no tool 'fil' now. The tools are: fill."
    assert field.value == ""
    with pytest.raises(UnknownToolError, match="There are no tools now"):
        bind(Registry(), "fill", "")
    with pytest.raises(UnknownToolError) as caught:
        bind(registry, "x" * 100_000, "")
    assert len(str(caught.value)) < 300


class TestTargets:
    @pytest.fixture
    def registry(self) -> Registry:
        return Registry()

    @pytest.fixture
    def fields(self, registry: Registry) -> list[Field]:
        return [add_field(registry, label) for label in ("Title", "Notes", "notes", "Straße")]

    def filled(self, registry: Registry, fields: list[Field], target: str) -> list[str]:
        registry.invoke(bind(registry, "fill", json.dumps({"target": target, "value": "x"})))
        return [field.value for field in fields]

    @pytest.mark.parametrize("target", ["title", "Title", "TITLE"])
    def test_by_handle_or_label(self, registry: Registry, fields: list[Field], target: str) -> None:
        assert self.filled(registry, fields, target) == ["x", "", "", ""]

    def test_a_handle_goes_before_a_label(self, registry: Registry, fields: list[Field]) -> None:
        assert self.filled(registry, fields, "notes") == ["", "x", "", ""]
        assert self.filled(registry, fields, "notes_2") == ["", "x", "x", ""]

    @pytest.mark.parametrize("target", ["STRASSE", "straße"])
    def test_a_label_in_other_capitals(self, registry: Registry, fields: list[Field], target: str) -> None:
        assert self.filled(registry, fields, target) == ["", "", "", "x"]

    def test_a_label_of_two(self, registry: Registry, fields: list[Field]) -> None:
        with pytest.raises(TargetError, match="which of notes, notes_2"):
            self.filled(registry, fields, "NOTES")

    @pytest.mark.parametrize("target", ["titel", "Title ", "", "strasse_2"])
    def test_the_nearest_is_never_taken(self, registry: Registry, fields: list[Field], target: str) -> None:
        with pytest.raises(TargetError, match="The targets are: title, notes, notes_2, strasse"):
            self.filled(registry, fields, target)

    @pytest.mark.parametrize("target", [1, None, ["title"], {"handle": "title"}])
    def test_not_a_name(self, registry: Registry, fields: list[Field], target: Any) -> None:
        assert len(fields) == 4
        with pytest.raises(ArgumentsError, match="target: must be text"):
            bind(registry, "fill", json.dumps({"target": target, "value": "x"}))

    def test_missing(self, registry: Registry, fields: list[Field]) -> None:
        assert len(fields) == 4
        with pytest.raises(ArgumentsError, match=r"target: missing\. It is one of: title, notes"):
            bind(registry, "fill", '{"value": "x"}')

    def test_one_that_is_disabled(self, registry: Registry, fields: list[Field]) -> None:
        disabled = Field()
        disabled.reason = "it is disabled"
        registry.register_instance(disabled, label="City", available=disabled.why_not)
        with pytest.raises(TargetError, match=r"^City can't be used: it is disabled\.$"):
            self.filled(registry, fields, "city")

    def test_named_although_there_is_only_one(self, registry: Registry) -> None:
        field = add_field(registry)
        assert self.filled(registry, [field], "title") == ["x"]
        with pytest.raises(TargetError):
            self.filled(registry, [field], "abstract")


def test_a_call_holds_the_json_form_of_what_was_validated() -> None:
    registry = Registry()
    programme = Programme()
    registry.register_instance(programme, label="Programme")
    call = bind(registry, "add_talk", '{"talk": {"title": "a", "minutes": "5"}, "first": "yes"}')
    assert call.arguments == {"talk": {"title": "a", "minutes": 5}, "first": True}
    assert isinstance(call.arguments, FrozenDict)
    assert registry.invoke(call) == Talk(title="a", minutes=5)
    assert programme.talks == [Talk(title="a", minutes=5)]
    assert programme.notes == [None]


def test_choices_are_checked() -> None:
    registry = Registry()
    pages = Pages("One", "Two")
    registry.register_instance(pages, label="Window", state=pages.state)
    for given in ("Two", "two"):
        assert bind(registry, "navigate", json.dumps({"page": given})).arguments == {"page": "Two"}
    with pytest.raises(ArgumentsError, match="page: must be one of: One, Two"):
        bind(registry, "navigate", '{"page": "Tw"}')
    with pytest.raises(ArgumentsError, match=r"pages\[1\]: must be one of: One, Two"):
        bind(registry, "close_pages", '{"pages": ["One", "Three"]}')
    call = bind(registry, "navigate", '{"page": "Two"}')
    pages.pages.remove("Two")
    with pytest.raises(ArgumentsError, match="page: must be one of: One"):
        registry.invoke(call)
    assert pages.page == ""
    pages.navigate("Anywhere")
    assert pages.page == "Anywhere"


def test_choices_are_those_of_the_target() -> None:
    registry = Registry()
    left, right = Pages("One"), Pages("Two")
    registry.register_instance(left, label="Left", state=left.state)
    registry.register_instance(right, label="Right", state=right.state)
    assert bind(registry, "navigate", '{"target": "right", "page": "Two"}').label == "Right"
    with pytest.raises(ArgumentsError, match="page: must be one of: One"):
        bind(registry, "navigate", '{"target": "left", "page": "Two"}')


def test_choices_of_a_function_come_from_the_screen() -> None:
    gone_to: list[str] = []

    @ai_tool
    def navigate(page: Annotated[str, Choices("pages")]) -> None:
        """Shows a page."""
        gone_to.append(page)

    pages = ["One"]
    registry = Registry(screen=lambda: {"pages": pages})
    registry.register_function(navigate)
    assert registry.snapshot().tools[0].parameters["properties"] == {"page": {"type": "string", "enum": ("One",)}}
    registry.invoke(bind(registry, "navigate", '{"page": "One"}'))
    pages.append("Two")
    assert registry.snapshot().tools[0].parameters["properties"] == {"page": {"type": "string", "enum": ("One", "Two")}}
    registry.invoke(bind(registry, "navigate", '{"page": "two"}'))
    assert gone_to == ["One", "Two"]
    with pytest.raises(ArgumentsError, match="must be one of: One, Two"):
        bind(registry, "navigate", '{"page": "Three"}')
    pages.clear()
    with pytest.raises(ArgumentsError, match="nothing to choose from"):
        bind(registry, "navigate", '{"page": "One"}')


class TestPreview:
    def test_of_the_object(self) -> None:
        registry = Registry()
        field = add_field(registry, value="before")
        assert registry.preview(bind(registry, "fill", '{"value": "x"}')) == Preview(before="before", after="x")
        with pytest.raises(ToolError, match="takes no such value"):
            registry.preview(bind(registry, "fill", '{"value": "refused"}'))
        assert field.value == "before"

    def test_the_effect(self) -> None:
        registry = Registry()
        button, plain = Button(effect="Saves the contribution."), Button()
        registry.register_instance(button, label="Save", state=button.state)
        registry.register_instance(plain, label="Plain")
        assert registry.preview(bind(registry, "click", '{"target": "save"}')).effect == "Saves the contribution."
        assert registry.preview(bind(registry, "click", '{"target": "plain"}')) == Preview()

    def test_of_one_that_has_gone(self) -> None:
        registry = Registry()
        field = add_field(registry)
        call = bind(registry, "fill", '{"value": "x"}')
        del field
        with pytest.raises(TargetError, match="Title can't be used: it is no longer on screen"):
            registry.preview(call)


class TestLookedUpAgain:
    def test_gone(self) -> None:
        registry = Registry()
        field = add_field(registry)
        call = bind(registry, "fill", '{"value": "x"}')
        del field
        with pytest.raises(TargetError, match="Title can't be used: it is no longer on screen"):
            registry.invoke(call)

    def test_replaced_by_one_of_the_same_name(self) -> None:
        registry = Registry()
        field = add_field(registry)
        call = bind(registry, "fill", '{"value": "x"}')
        del field
        successor = add_field(registry)
        assert registry.snapshot().instance("title") is not None
        with pytest.raises(TargetError):
            registry.invoke(call)
        assert successor.value == ""

    def test_disabled_without_a_touch(self) -> None:
        registry = Registry()
        field = add_field(registry)
        call = bind(registry, "fill", '{"value": "x"}')
        field.reason = "a dialog is open."
        for method in (registry.preview, registry.invoke):
            with pytest.raises(TargetError, match=r"^Title can't be used: a dialog is open\.$"):
                method(call)
        assert field.value == ""

    def test_a_call_that_was_never_offered(self) -> None:
        registry = Registry()
        field, hidden = add_field(registry), Field()
        handle = registry.register_instance(hidden, label="Hidden", policy="never")
        forged = BoundCall("fill", handle.guid, "Hidden", FrozenDict(value="x"), 1)
        with pytest.raises(TargetError, match="not open to the assistant"):
            registry.invoke(forged)
        other_tool = BoundCall("click", registry.snapshot().instances[0].guid, "Title", FrozenDict(), 1)
        with pytest.raises(TargetError):
            registry.invoke(other_tool)
        assert (field.value, hidden.value) == ("", "")

    def test_a_function_that_has_gone_or_is_unavailable(self) -> None:
        reason: list[str] = [""]

        @ai_tool
        def undo() -> None:
            """Takes the last change back."""

        registry = Registry()
        handle = registry.register_function(undo, available=lambda: reason[0])
        call = bind(registry, "undo", "")
        assert call.guid == call.label == ""
        reason[0] = "there is nothing to undo"
        with pytest.raises(TargetError, match="Undo can't be used: there is nothing to undo"):
            registry.invoke(call)
        handle.dispose()
        for method in (registry.preview, registry.invoke):
            with pytest.raises(UnknownToolError):
                method(call)


class TestToolsThatMisbehave:
    @pytest.fixture
    def registry(self) -> Registry:
        return Registry()

    def press(self, registry: Registry, pressed: Callable[[], object]) -> object:
        button = Button(pressed)
        registry.register_instance(button, label="Press")
        return registry.invoke(bind(registry, "click", ""))

    def test_raises(self, registry: Registry) -> None:
        def fail() -> None:
            raise LookupError("nothing there")

        with pytest.raises(LookupError, match="nothing there"):
            self.press(registry, fail)
        registry.snapshot()

    def test_returns_something_unserialisable(self, registry: Registry) -> None:
        thing = object()
        assert self.press(registry, lambda: thing) is thing

    def test_deletes_its_own_instance(self, registry: Registry) -> None:
        holder: list[Button] = []

        def delete() -> str:
            handles.pop().dispose()
            holder.clear()
            return "deleted"

        holder.append(Button(delete))
        handles = [registry.register_instance(holder[0], label="Delete")]
        call = bind(registry, "click", "")
        assert registry.invoke(call) == "deleted"
        assert registry.snapshot().instances == ()
        with pytest.raises(TargetError):
            registry.invoke(call)

    def test_registers_and_removes_others(self, registry: Registry) -> None:
        field = Field()
        handle = registry.register_instance(field, label="Title")
        made: list[Field] = []

        def rearrange() -> None:
            handle.dispose()
            made.append(add_field(registry, "Title"))
            registry.snapshot()

        self.press(registry, rearrange)
        snapshot = registry.snapshot()
        assert [view.label for view in snapshot.instances] == ["Title"]
        assert snapshot.instances[0].guid != handle.guid

    def test_two_calls_of_one_turn_the_first_removes_what_the_second_means(self, registry: Registry) -> None:
        field = Field()
        handle = registry.register_instance(field, label="Title")
        button = Button(handle.dispose)
        registry.register_instance(button, label="Remove")
        snapshot = registry.snapshot()
        first = registry.bind(snapshot, "click", "")
        second = registry.bind(snapshot, "fill", '{"value": "x"}')
        registry.invoke(first)
        with pytest.raises(TargetError, match="Title can't be used: it is no longer on screen"):
            registry.invoke(second)
        assert field.value == ""

    def test_what_a_call_changes_is_in_the_next_snapshot(self, registry: Registry) -> None:
        field = add_field(registry)
        registry.invoke(bind(registry, "fill", '{"value": "x"}'))
        assert registry.snapshot().instances[0].state == {"value": "x"}
        assert field.reads == 2


def test_deeply_nested_arguments_within_reason() -> None:
    got: list[Any] = []

    @ai_tool
    def take(value: Any) -> None:
        """Takes anything."""
        got.append(value)

    registry = Registry()
    registry.register_function(take)
    deep: Any = "leaf"
    for _ in range(80):
        deep = {"inside": [deep]}
    registry.invoke(bind(registry, "take", json.dumps({"value": deep})))
    assert got == [deep]
    with pytest.raises(ArgumentsError, match="recursion limit"):
        bind(registry, "take", '{"value": ' + "[" * 600 + "]" * 600 + "}")
