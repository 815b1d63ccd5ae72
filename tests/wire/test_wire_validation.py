"""Calls of a model against a real registry: what does not fit comes back with its place, and nothing is guessed."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from sse_server import SseServer, call_delta, calls_chunk, chunk, streamed
from wire_helpers import Ask, turn_request

from app.agent.backends.base import TurnEnd
from app.agent.errors import ToolError
from app.agent.registry import Registry
from app.agent.tools import ai_tool


class Field:
    """A field on the screen of this test."""

    def __init__(self) -> None:
        self.value: object = "old"

    @ai_tool(name="fill")
    def fill(self, value: str) -> None:
        """Fills the field.

        Args:
            value: What to write.
        """
        self.value = value

    @ai_tool(name="count")
    def count(self, number: int) -> None:
        """Sets the number.

        Args:
            number: How many.
        """
        self.value = number


class Screen:
    """A registry with one field, and a way to run what a model answered."""

    def __init__(self, server: SseServer, ask: Ask) -> None:
        self.field = Field()
        self.registry = Registry(screen=dict)
        self.registry.register_instance(self.field, label="Title")
        self._server = server
        self._ask = ask

    async def answers(self, *calls: tuple[str, object]) -> list[str]:
        """Has the model make these calls and runs them. Gives "ok", or why not, for each."""
        deltas = [call_delta(name, arguments, id=f"x{n}", index=n) for n, (name, arguments) in enumerate(calls)]
        self._server.script(streamed(calls_chunk(*deltas), chunk({}, "tool_calls")))
        snapshot = self.registry.snapshot()
        end: TurnEnd = await self._ask(replace(turn_request(), snapshot=snapshot))
        assert len(end.calls) == len(calls)
        results: list[str] = []
        for call in end.calls:
            try:
                self.registry.invoke(self.registry.bind(snapshot, call.name, call.arguments))
                results.append("ok")
            except ToolError as error:
                results.append(str(error))
        return results


@pytest.fixture
def screen(server: SseServer, ask: Ask) -> Screen:
    """A screen with one field."""
    return Screen(server, ask)


@pytest.mark.parametrize(
    "arguments",
    [
        '{"value":"ti',
        '{"value":"a"}{"value":"b"}',
        '"{\\"value\\":\\"a\\"}"',
        "null",
        "[]",
        '["a"]',
        "value=a",
        "{'value': 'a'}",
    ],
)
async def test_8_broken_arguments_are_refused_and_never_repaired(screen: Screen, arguments: str) -> None:
    (told,) = await screen.answers(("fill", arguments))
    assert told != "ok"
    assert "argument" in told.lower()
    assert screen.field.value == "old"


async def test_6_an_object_is_as_good_as_a_text(screen: Screen) -> None:
    assert await screen.answers(("fill", {"value": "new"})) == ["ok"]
    assert screen.field.value == "new"


async def test_17_an_unknown_tool_is_told_which_exist_and_the_good_call_beside_it_runs(screen: Screen) -> None:
    unknown, good = await screen.answers(("fil", '{"value":"x"}'), ("fill", '{"value":"new"}'))
    assert "fill" in unknown
    assert "count" in unknown
    assert good == "ok"
    assert screen.field.value == "new"


@pytest.mark.parametrize(
    ("arguments", "place"),
    [('{"value":"a","more":1}', "more"), ("{}", "value"), ("", "value"), ('{"value":[1]}', "value")],
)
async def test_18_what_is_too_much_or_missing_is_refused_with_its_place(
    screen: Screen, arguments: str, place: str
) -> None:
    (told,) = await screen.answers(("fill", arguments))
    assert re.search(rf"\b{place}\b", told)
    assert screen.field.value == "old"


async def test_18_a_number_as_text_becomes_a_number(screen: Screen) -> None:
    assert await screen.answers(("count", '{"number":"3"}')) == ["ok"]
    assert screen.field.value == 3


async def test_19_the_schema_as_arguments_is_refused(screen: Screen) -> None:
    schema = '{"type":"object","properties":{"value":{"type":"string"}},"required":["value"]}'
    (told,) = await screen.answers(("fill", schema))
    assert "value" in told
    assert screen.field.value == "old"
