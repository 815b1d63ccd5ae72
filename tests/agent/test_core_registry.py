"""What is registered is what a snapshot shows: lifecycle, immutability, revisions, order, threads."""

from __future__ import annotations

import copy
import json
import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from core_screen import Button, Field, Pages, add_field

from app.agent.json_types import Json
from app.agent.registry import Registry
from app.agent.tools import ai_tool


def test_an_empty_registry() -> None:
    snapshot = Registry().snapshot()
    assert (snapshot.revision, snapshot.tools, snapshot.instances, dict(snapshot.screen)) == (0, (), (), {})


def test_a_target_is_asked_for_only_where_there_are_several() -> None:
    registry = Registry()
    first = add_field(registry)
    (tool,) = registry.snapshot().tools
    assert tool.targets == ("title",)
    assert not tool.needs_target
    assert list(tool.parameters["properties"]) == ["value"]  # type: ignore[arg-type]
    assert tool.strict

    second = add_field(registry, "Abstract")
    (tool,) = registry.snapshot().tools
    assert tool.targets == ("title", "abstract")
    assert tool.needs_target
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "target": {
                "type": "string",
                "enum": ("title", "abstract"),
                "description": "Handle of the one that is meant.",
            },
            "value": {"type": "string"},
        },
        "required": ("target", "value"),
        "additionalProperties": False,
    }
    assert list(json.loads(json.dumps(tool.parameters))["properties"]) == ["target", "value"]
    assert tool.strict

    del first
    (tool,) = registry.snapshot().tools
    assert tool.targets == ("abstract",)
    assert second.reads == 1


def test_strict_mode_has_an_end() -> None:
    registry = Registry()
    fields = [add_field(registry, f"Field {number}") for number in range(251)]
    (tool,) = registry.snapshot().tools
    assert len(tool.targets) == len(fields)
    assert not tool.strict


def test_touch_reads_state_and_availability_again() -> None:
    registry = Registry()
    field = Field("a")
    handle = registry.register_instance(field, label="Title", state=field.state, available=field.why_not)
    before = registry.snapshot()
    assert before.instances[0].state == {"value": "a"}

    field.value = "b"
    assert registry.snapshot() is before
    handle.touch()
    after = registry.snapshot()
    assert after.instances[0].state == {"value": "b"}
    assert before.instances[0].state == {"value": "a"}
    assert after.tools is before.tools

    field.reason = "it is disabled"
    handle.touch()
    snapshot = registry.snapshot()
    (view,) = snapshot.instances
    assert (view.available, view.reason) == (False, "it is disabled")
    assert snapshot.tools == ()
    assert snapshot.available("fill") == ()


def test_only_what_was_touched_is_read() -> None:
    registry = Registry()
    fields = [Field() for _ in range(10)]
    handles = [registry.register_instance(field, label="Row", state=field.state) for field in fields]
    registry.snapshot()
    handles[3].touch()
    registry.snapshot()
    registry.snapshot()
    assert [field.reads for field in fields] == [1, 1, 1, 2, 1, 1, 1, 1, 1, 1]


def test_the_revision_grows_only_with_a_change() -> None:
    page: dict[str, Json] = {"page": "Contributions"}
    registry = Registry(screen=lambda: page)
    first = registry.snapshot()
    assert first.revision == 1
    assert registry.snapshot() is first
    field = Field()
    handle = registry.register_instance(field, label="Title", state=field.state)
    assert registry.snapshot().revision == 2
    handle.touch()
    assert registry.snapshot().revision == 2
    page["page"] = "Speakers"
    assert registry.snapshot().revision == 3
    assert registry.snapshot().screen == {"page": "Speakers"}
    handle.dispose()
    assert registry.snapshot().revision == 4
    assert first.screen == {"page": "Contributions"}


def test_the_revision_of_a_view_is_that_of_its_last_change() -> None:
    registry = Registry()
    first, second = Field(), Field()
    one = registry.register_instance(first, label="One", state=first.state)
    registry.snapshot()
    registry.register_instance(second, label="Two", state=second.state)
    assert [view.revision for view in registry.snapshot().instances] == [1, 2]
    first.value = "new"
    one.touch()
    assert [view.revision for view in registry.snapshot().instances] == [3, 2]


def test_order_is_that_of_registration() -> None:
    registry = Registry()
    fields = [Field() for _ in range(4)]
    handles = [
        registry.register_instance(field, label=f"Field {number}", available=field.why_not)
        for number, field in enumerate(fields)
    ]
    for index in (2, 0):
        fields[index].reason = "it is hidden"
        handles[index].touch()
    (tool,) = registry.snapshot().tools
    assert tool.targets == ("field_1", "field_3")
    for index in (2, 0):
        fields[index].reason = ""
        handles[index].touch()
    snapshot = registry.snapshot()
    assert snapshot.tools[0].targets == ("field_0", "field_1", "field_2", "field_3")
    assert [view.handle for view in snapshot.instances] == ["field_0", "field_1", "field_2", "field_3"]


def test_dispose_context_manager_and_guid() -> None:
    registry = Registry()
    field = Field()
    guids = set()
    for _ in range(100):
        with registry.register_instance(field, label="Title") as handle:
            guids.add(handle.guid)
            assert registry.snapshot().instances[0].guid == handle.guid
            assert handle.handle == "title"
        handle.dispose()
        handle.touch()
    assert len(guids) == 100
    assert registry.snapshot().instances == ()
    with Registry().register_instance(field, label="Title") as elsewhere:
        assert elsewhere.guid not in guids


def test_a_snapshot_can_be_looked_up_in() -> None:
    registry = Registry()
    field = add_field(registry)
    button = Button()
    handle = registry.register_instance(button, label="Save")
    field.reason = "it is hidden"
    snapshot = registry.snapshot()
    assert [view.handle for view in snapshot.available("click")] == ["save"]
    assert snapshot.available("fill") == ()
    assert snapshot.available("nothing") == ()
    title = snapshot.instance("title")
    assert title is not None
    assert not title.available
    view = snapshot.instance_of(handle.guid)
    assert view is not None
    assert view.label == "Save"
    assert snapshot.instance("nothing") is snapshot.instance_of("nothing") is None


def test_a_snapshot_can_not_be_changed() -> None:
    registry = Registry()
    pages = Pages("One", "Two")
    registry.register_instance(pages, label="Window", state=pages.state)
    snapshot = registry.snapshot()
    state: Any = snapshot.instances[0].state
    pages.pages.append("Three")
    assert state == {"pages": ("One", "Two")}
    properties: Any = snapshot.tools[0].parameters["properties"]
    changes: list[Callable[[], object]] = [
        lambda: state.update(pages=[]),
        lambda: state.clear(),
        lambda: state.__setitem__("pages", []),
        lambda: state.pop("pages"),
        lambda: state.setdefault("more", 1),
        lambda: state["pages"].append("x"),
        lambda: properties.popitem(),
    ]
    for change in changes:
        with pytest.raises((TypeError, AttributeError)):
            change()
    assert copy.deepcopy(snapshot.instances) == snapshot.instances
    assert json.loads(json.dumps(state)) == {"pages": ["One", "Two"]}


def test_choices_are_offered_from_the_state() -> None:
    registry = Registry()
    pages = Pages("One", "Two")
    handle = registry.register_instance(pages, label="Window", state=pages.state)
    navigate, close = registry.snapshot().tools
    assert navigate.parameters["properties"] == {"page": {"type": "string", "enum": ("One", "Two")}}
    assert close.parameters["properties"] == {
        "pages": {"type": "array", "items": {"type": "string", "enum": ("One", "Two")}}
    }
    pages.pages.append("Three")
    handle.touch()
    navigate, _ = registry.snapshot().tools
    assert navigate.parameters["properties"] == {"page": {"type": "string", "enum": ("One", "Two", "Three")}}
    pages.pages.clear()
    handle.touch()
    navigate, _ = registry.snapshot().tools
    assert navigate.parameters["properties"] == {"page": {"type": "string"}}


def test_choices_of_several_are_left_to_their_states() -> None:
    registry = Registry()
    one, two = Pages("One"), Pages("Two")
    registry.register_instance(one, label="Left", state=one.state)
    registry.register_instance(two, label="Right", state=two.state)
    properties: Any = registry.snapshot().tools[0].parameters["properties"]
    assert properties["page"] == {"type": "string"}
    assert properties["target"]["enum"] == ("left", "right")


def test_functions() -> None:
    reason = ["nothing to undo"]

    @ai_tool(policy="auto")
    def undo() -> str:
        """Takes the last change back."""
        return "undone"

    registry = Registry()
    handle = registry.register_function(undo, available=lambda: reason[0])
    assert registry.snapshot().tools == ()
    reason[0] = ""
    (tool,) = registry.snapshot().tools
    assert (tool.name, tool.targets, tool.needs_target) == ("undo", (), False)
    revision = registry.snapshot().revision
    reason[0] = "nothing to undo"
    assert registry.snapshot().tools == ()
    assert registry.snapshot().revision == revision + 1
    handle.dispose()


class Broken:
    """What a widget is when its C++ half has gone."""

    def __init__(self) -> None:
        self.answer: object = {}

    @ai_tool
    def do(self) -> None:
        """Does it."""

    def state(self) -> Mapping[str, Json]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]

    def why_not(self) -> str:
        if isinstance(self.answer, Exception):
            raise self.answer
        return ""


@pytest.mark.parametrize("answer", [RuntimeError("already deleted"), {"value": object()}, {1: 2}, None])
def test_a_broken_object_does_not_take_others_off_the_screen(answer: object, caplog: pytest.LogCaptureFixture) -> None:
    registry = Registry()
    field = add_field(registry)
    broken = Broken()
    broken.answer = answer
    registry.register_instance(broken, label="Broken", state=broken.state, available=broken.why_not)
    with caplog.at_level(logging.ERROR):
        snapshot = registry.snapshot()
    assert [tool.name for tool in snapshot.tools] == ["fill"]
    assert snapshot.instances[1].available is False
    assert snapshot.instances[1].reason
    assert "Broken" in caplog.text
    assert field.reads == 1


def test_readers_that_change_the_registry() -> None:
    registry = Registry()
    made: list[Field] = []

    class Restless:
        @ai_tool
        def do(self) -> None:
            """Does it."""

        def state(self) -> Mapping[str, Json]:
            handle.touch()
            if not made:
                made.append(add_field(registry, "New"))
            return {}

        def why_not(self) -> str:
            victim.dispose()
            return ""

    obj, other = Restless(), Field()
    handle = registry.register_instance(obj, label="Restless", state=obj.state, available=obj.why_not)
    victim = registry.register_instance(other, label="Victim")
    assert [view.label for view in registry.snapshot().instances] == ["Restless"]
    assert [view.label for view in registry.snapshot().instances] == ["Restless", "New"]


def test_a_reader_that_disposes_of_its_own_object() -> None:
    registry = Registry()

    class Fleeting:
        @ai_tool
        def do(self) -> None:
            """Does it."""

        def state(self) -> Mapping[str, Json]:
            handle.dispose()
            return {}

    obj = Fleeting()
    handle = registry.register_instance(obj, label="Fleeting", state=obj.state)
    snapshot = registry.snapshot()
    assert (snapshot.instances, snapshot.tools) == ((), ())


def test_another_thread_is_refused() -> None:
    registry = Registry()
    field = Field()
    handle = registry.register_instance(field, label="Title")
    errors: list[str] = []

    def misuse() -> None:
        for method in (registry.snapshot, handle.touch, handle.dispose):
            try:
                method()
            except RuntimeError as error:
                errors.append(str(error))

    thread = threading.Thread(target=misuse)
    thread.start()
    thread.join()
    assert len(errors) == 3
    assert all("another thread" in error for error in errors)
    assert len(registry.snapshot().instances) == 1
