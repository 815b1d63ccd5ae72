"""What a tool looks like on the screen now: its targets, and the choices that the state allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from app.agent.choices import CHOICES_MARK, choices_in
from app.agent.frozen import FrozenDict, freeze_object
from app.agent.json_types import Json
from app.agent.schema import TARGET
from app.agent.schema_clean import STRICT_ENUM_LIMIT
from app.agent.schema_walk import mapped
from app.agent.snapshot import ToolView
from app.agent.tools import Tool


def offer(tool: Tool, targets: tuple[str, ...], state: Mapping[str, Json] | None) -> ToolView:
    """Makes the view of a tool.

    Args:
        tool: The tool.
        targets: Handles of the instances it can act on; none for a function.
        state: State of the one instance, or the screen's for a function: `Choices` become enums of it. None where
            there are several instances: their choices are in the state of each, and checked when a call is bound.
    """
    schema = tool.arguments.schema
    if tool.has_choices:
        schema = freeze_object(_with_choices(schema, state or {}))
    if len(targets) > 1:
        schema = _with_target(schema, targets)
    return ToolView(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        parameters=schema,
        policy=tool.options.policy,
        phrases=tool.options.phrases,
        examples=tool.options.examples,
        targets=targets,
        strict=tool.arguments.strict and len(targets) <= STRICT_ENUM_LIMIT,
    )


def _with_target(schema: FrozenDict, targets: tuple[str, ...]) -> FrozenDict:
    # Frozen by hand: a walk over thousands of handles would be most of the cost of a snapshot.
    which = FrozenDict(type="string", enum=targets, description="Handle of the one that is meant.")
    properties = FrozenDict({TARGET: which, **cast("FrozenDict", schema["properties"])})
    required = (TARGET, *cast("tuple[str, ...]", schema.get("required", ())))
    return FrozenDict({**schema, "properties": properties, "required": required})


def _with_choices(schema: Mapping[str, Any], state: Mapping[str, Json]) -> dict[str, Any]:
    """Copies a schema; the mark of `Choices` becomes an enum, or nothing where there are no choices."""
    copy = mapped(schema, lambda part: _with_choices(part, state))
    key = copy.pop(CHOICES_MARK, None)
    legal = choices_in(state, key) if key is not None else ()
    return {**copy, "enum": legal} if legal else copy
