"""From a signature to its schema, to arguments that fit it, to the call: the function gets the right Python types."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from core_strategies import SIGNATURES, function_with, values_of
from core_types import Slot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from app.agent.errors import ToolError
from app.agent.frozen import thaw
from app.agent.registry import Registry
from app.agent.tools import ai_tool


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SIGNATURES, st.data())
def test_drawn_arguments_arrive_with_the_right_types(signature: Mapping[str, Any], data: st.DataObject) -> None:
    calls: list[Mapping[str, Any]] = []
    function = ai_tool(function_with(signature, calls.append))
    registry = Registry()
    registry.register_function(function)
    snapshot = registry.snapshot()
    (tool,) = snapshot.tools
    schema = thaw(tool.parameters)
    arguments = data.draw(values_of(schema, schema.get("$defs", {})))

    call = registry.bind(snapshot, tool.name, json.dumps(arguments))
    registry.invoke(call)

    (got,) = calls
    assert got.keys() == signature.keys()
    for name, annotation in signature.items():
        # Strict: a model must be the model, an enum its member, a date a date.
        TypeAdapter(annotation).validate_python(got[name], strict=True)
    # A call that was stored and read again is the same call.
    assert registry.bind(snapshot, tool.name, json.dumps(call.arguments)) == call
    registry.invoke(call)
    assert calls[1] == got


def takes_a_slot(x: Slot, y: int = 1) -> None:
    """Does it."""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda part: st.lists(part) | st.dictionaries(st.text(), part),
)


@settings(max_examples=100, deadline=None)
@given(JSON)
def test_any_json_is_refused_or_fits(value: Any) -> None:
    """Whatever a model sends, the answer is a call with those arguments or an error in words."""
    registry = Registry()
    registry.register_function(ai_tool(takes_a_slot))
    snapshot = registry.snapshot()
    for given_value in (value, {"x": value}, {"x": {"talk": value}}):
        try:
            call = registry.bind(snapshot, "takes_a_slot", json.dumps(given_value))
        except ToolError as error:
            message = str(error)
        else:
            Slot.model_validate(call.arguments["x"])
            continue
        assert message.endswith(".")
        assert len(message) < 3000
