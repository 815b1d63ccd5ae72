"""More tools than a model takes: those that fit are offered, `find_tools` finds the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.agent.errors import ArgumentsError
from app.agent.ranking import FIND_TOOLS, find_tools, register_find_tools, select_tools
from app.agent.registry import Registry
from app.agent.tools import ai_tool

SUBJECTS = ["badge", "hotel", "invoice", "lunch", "microphone", "poster", "room", "sponsor", "train", "visa"]
VERBS = ["add", "cancel", "change", "compare", "export", "find", "hide", "import", "list", "merge", "move", "name",
         "open", "print", "read", "send", "show", "sort", "split", "total"]  # fmt: skip


def tool_named(name: str, doc: str, **options: Any) -> Callable[[], str]:
    def function() -> str:
        return name

    function.__name__ = name
    function.__doc__ = doc
    return ai_tool(**options)(function)


class Panel:
    """An object with a tool of its own."""

    @ai_tool(name="rearrange_panel")
    def rearrange(self) -> None:
        """Puts things elsewhere."""


class Chart(Panel):
    @ai_tool(name="draw")
    def draw(self) -> None:
        """Draws."""


@pytest.fixture
def registry() -> Registry:
    """200 functions."""
    registry = Registry()
    for subject in SUBJECTS:
        for verb in VERBS:
            registry.register_function(tool_named(f"{verb}_{subject}", f"Will {verb} the {subject} of a conference."))
    return registry


def names(snapshot: Any) -> list[str]:
    return [tool.name for tool in snapshot.tools]


def test_few_tools_stay_as_they_are() -> None:
    registry = Registry()
    registry.register_function(tool_named("one", "One."))
    snapshot = registry.snapshot()
    assert select_tools(snapshot, "anything") is snapshot
    register_find_tools(registry)
    assert names(registry.snapshot()) == ["one", FIND_TOOLS]
    assert names(select_tools(registry.snapshot(), "anything")) == ["one"]


def test_the_limit_is_kept_with_and_without_a_finder(registry: Registry) -> None:
    assert len(select_tools(registry.snapshot(), "print the invoice").tools) == 128
    register_find_tools(registry)
    selected = select_tools(registry.snapshot(), "print the invoice")
    assert len(selected.tools) == 128
    assert selected.tool(FIND_TOOLS) is not None
    assert selected.instances == registry.snapshot().instances
    assert len(select_tools(registry.snapshot(), "").tools) == 128
    assert len(select_tools(registry.snapshot(), "日本 \" ' * OR NEAR(").tools) == 128


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("print the invoice", "print_invoice"),
        ("please cancel our hotels", "cancel_hotel"),
        ("MERGE sponsors", "merge_sponsor"),
        ("which trains can be compared", "compare_train"),
    ],
)
def test_what_fits_is_offered(registry: Registry, text: str, expected: str) -> None:
    snapshot = registry.snapshot()
    assert find_tools(snapshot, text)[0].name == expected
    assert expected in names(select_tools(snapshot, text, limit=12))


def test_labels_and_aliases_of_instances_count(registry: Registry) -> None:
    chart = Chart()
    registry.register_instance(chart, label="Attendance", aliases=["head count"])
    snapshot = registry.snapshot()
    for text in ("show me the attendance", "what is the head count"):
        assert {"draw", "rearrange_panel"} <= set(names(select_tools(snapshot, text, limit=20)))


def test_the_order_is_that_of_the_screen(registry: Registry) -> None:
    snapshot = registry.snapshot()
    selected = names(select_tools(snapshot, "sort the visa and the badge"))
    assert selected == [name for name in names(snapshot) if name in set(selected)]


def test_tools_without_a_target_are_kept() -> None:
    panels = []
    for number in range(30):
        cls = type(f"Panel{number}", (), {"act": ai_tool(name=f"act{number}")(_method(number))})
        panels.append(cls())
    only = Registry()
    for number, panel in enumerate(panels):
        only.register_instance(panel, label=f"Panel {number}")
    only.register_function(tool_named("undo", "Takes the last change back."))
    assert "undo" in names(select_tools(only.snapshot(), "panel number 3", limit=10))
    assert "act3" in names(select_tools(only.snapshot(), "panel number 3", limit=10))


def _method(number: int) -> Callable[[Any], int]:
    def act(self: Any) -> int:  # noqa: ARG001 - a method of a class made here
        return number

    act.__doc__ = f"Acts as panel number {number}."
    return act


def test_what_was_found_is_offered_next(registry: Registry) -> None:
    register_find_tools(registry)
    snapshot = registry.snapshot()
    text, query = "print the invoice", "split a poster in two"
    first = select_tools(snapshot, text, limit=12)
    assert first.tool("split_poster") is None

    call = registry.bind(first, FIND_TOOLS, json.dumps({"query": query}))
    found: Any = registry.invoke(call)
    assert found[0]["name"] == "split_poster"
    assert found[0]["description"] == "Will split the poster of a conference."
    assert FIND_TOOLS not in [each["name"] for each in found]

    second = select_tools(registry.snapshot(), text, limit=12, queries=[query])
    assert second.tool("split_poster") is not None
    assert len(second.tools) == 12
    assert registry.invoke(registry.bind(second, "split_poster", "")) == "split_poster"


def test_a_query_must_say_something(registry: Registry) -> None:
    register_find_tools(registry)
    for query in ("", "x" * 201):
        with pytest.raises(ArgumentsError, match="query"):
            registry.bind(registry.snapshot(), FIND_TOOLS, json.dumps({"query": query}))
    assert registry.invoke(registry.bind(registry.snapshot(), FIND_TOOLS, '{"query": "?!"}')) == []
