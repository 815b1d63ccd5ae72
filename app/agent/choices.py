"""Legal values that come from an instance's state: `Annotated[str, Choices("pages")]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from app.agent.json_types import Json

CHOICES_MARK = "x-choices"
"""Where a tool's own schema names the key; an offered schema has an `enum` there, or nothing."""

_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Choices:
    """Marks a text parameter (or the items of a list) whose legal values are `state[key]`, a list of strings.

    For a tool without an instance the values come from the screen's mapping. A value that differs only in capitals is
    taken as the choice it means. A direct call of the method is not checked.
    """

    key: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_after_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {**handler(schema), CHOICES_MARK: self.key}

    def _check(self, value: Any, info: core_schema.ValidationInfo[Any]) -> Any:
        if not isinstance(info.context, Mapping) or not isinstance(value, str):
            return value
        legal = choices_in(info.context, self.key)
        if value in legal:
            return value
        same = [choice for choice in legal if choice.casefold() == value.casefold()]
        if len(same) == 1:
            return same[0]
        raise ValueError(f"must be one of: {listed(legal)}" if legal else "there is nothing to choose from now")


def choices_in(state: Mapping[str, Json], key: str) -> tuple[str, ...]:
    """The choices under that key of a state; none where there is no such list."""
    values = state.get(key)
    if not isinstance(values, Sequence) or isinstance(values, str):
        return ()
    return tuple(value for value in values if isinstance(value, str))


def listed(words: Sequence[str]) -> str:
    """Words as a list in a sentence, cut after twelve."""
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(words[:_SHOWN]) + more
