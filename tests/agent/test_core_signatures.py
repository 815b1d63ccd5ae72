"""Each signature gives the schema it must, takes what it must and refuses the rest, in every docstring style."""

from __future__ import annotations

import json
from typing import Any

import pytest
from core_case import ABSENT, Case
from core_cases import plain_cases
from core_model_cases import model_cases
from core_types import made

from app.agent.errors import ArgumentsError
from app.agent.frozen import thaw
from app.agent.registry import Registry

CASES = [*plain_cases(), *model_cases()]
EACH = pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])


def test_the_table_is_long_enough() -> None:
    assert len({case.name for case in CASES}) == len(CASES) >= 60


@EACH
@pytest.mark.parametrize("style", ["google", "numpy", "sphinx", "none"])
def test_schema(case: Case, style: str) -> None:
    tool, _ = made(case.annotation, case.default, style)
    schema = thaw(tool.arguments.schema)
    shown = schema["properties"]["x"]
    if style == "none":
        shown.pop("description", None)
    else:
        assert shown.pop("description") == "What it is about, in two lines."
        if "$ref" in case.shown:  # A reference may have no neighbours.
            assert shown.keys() == {"anyOf"}
            (schema["properties"]["x"],) = shown["anyOf"]
    assert ("default" in shown) is not case.required
    shown.pop("default", None)
    expected: dict[str, Any] = {
        "type": "object",
        "properties": {"x": case.shown},
        "required": ["x"] if case.required else [],
        "additionalProperties": False,
    }
    if case.definitions is not None:
        expected["$defs"] = case.definitions
    assert schema == expected
    assert tool.arguments.strict is case.strict
    assert tool.description == "Does it."
    assert "const" not in json.dumps(schema)


def arguments(value: Any) -> str:
    return "{}" if value is ABSENT else json.dumps({"x": value})


@EACH
def test_takes(case: Case) -> None:
    tool, function = made(case.annotation, case.default)
    registry = Registry()
    registry.register_function(function)
    snapshot = registry.snapshot()
    for value, expected in case.takes:
        call = registry.bind(snapshot, tool.name, arguments(value))
        got = registry.invoke(call)
        assert got == expected
        assert type(got) is type(expected)
        # The arguments are JSON, and the call is the same after it has been stored as JSON.
        again = registry.bind(snapshot, tool.name, json.dumps(call.arguments, allow_nan=False))
        assert again == call


@EACH
def test_refuses(case: Case) -> None:
    tool, function = made(case.annotation, case.default)
    registry = Registry()
    registry.register_function(function)
    for value in case.refuses:
        with pytest.raises(ArgumentsError, match=r"^x[.\[:]"):
            registry.bind(registry.snapshot(), tool.name, arguments(value))


@EACH
def test_default_of_the_schema_is_what_the_function_gets(case: Case) -> None:
    tool, function = made(case.annotation, case.default)
    if case.required:
        return
    registry = Registry()
    registry.register_function(function)
    schema = thaw(tool.arguments.schema)
    call = registry.bind(registry.snapshot(), tool.name, arguments(schema["properties"]["x"]["default"]))
    assert registry.invoke(call) == case.default
