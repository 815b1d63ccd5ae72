"""From the JSON text of a call to validated values, with the place of whatever is wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails, PydanticSerializationError, to_json

from app.agent.errors import ArgumentsError
from app.agent.frozen import freeze
from app.agent.json_types import Json
from app.agent.schema import Arguments

_SHOWN_ERRORS = 6
_SHOWN_TEXT = 300


def parse_arguments(text: str | None) -> dict[str, Any]:
    """Parses the JSON object that a backend gave as arguments; no text is `{}`. Nothing is repaired.

    Raises:
        ArgumentsError: Not exactly one JSON object; says where the text stops being one.
    """
    if text is None or not text.strip():
        return {}
    try:
        value = json.loads(text, object_pairs_hook=_unique_keys, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno} of {len(text)} characters"
        if error.msg == "Extra data":
            raise ArgumentsError(f"The arguments go on after their end, at {at}: give one JSON object.") from error
        raise ArgumentsError(f"The arguments are not complete JSON, at {at}: {error.msg}.") from error
    except RecursionError:
        raise ArgumentsError("The arguments are nested too deeply.") from None
    except ValueError as error:  # A number with thousands of digits.
        raise ArgumentsError(f"The arguments are not acceptable JSON: {str(error)[:_SHOWN_TEXT]}.") from error
    if isinstance(value, dict):
        return value
    if isinstance(value, str):
        raise ArgumentsError("The arguments are a JSON string: give the JSON object itself, not encoded twice.")
    raise ArgumentsError(f"The arguments must be one JSON object, not {_JSON_NAMES[type(value)]}.")


_JSON_NAMES: Mapping[type, str] = {
    list: "an array",
    type(None): "null",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


def validate(arguments: Arguments, given: Mapping[str, Any], state: Mapping[str, Json]) -> dict[str, Any]:
    """Validates arguments into keyword arguments with the right Python types.

    Args:
        arguments: What the tool takes.
        given: The JSON object, without the target.
        state: Where `Choices` finds the legal values.

    Raises:
        ArgumentsError: Names each place and what was wrong there.
    """
    _refuse_schema(arguments, given)
    try:
        return arguments.adapter.validate_json(
            # By way of text: values that come as JSON are read by JSON's rules (an ISO date is a date).
            json.dumps(given),
            context=state,
            extra="forbid" if arguments.forbid_extras else None,
        )
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
        if found[0]["type"] == "json_invalid":  # What Python's parser takes and JSON doesn't: half a character.
            raise ArgumentsError(f"The arguments are not acceptable: {_message(found[0])}.") from error
        raise ArgumentsError(_sentence(found)) from error
    except RecursionError:
        raise ArgumentsError("The arguments are nested too deeply.") from None


def json_form(arguments: Arguments, values: Mapping[str, Any]) -> dict[str, Any]:
    """The validated values as JSON that validates into the same values again.

    Raises:
        ArgumentsError: A value has no JSON form.
    """
    try:
        dumped: dict[str, Any] = arguments.adapter.dump_python(
            dict(values), mode="json", by_alias=True, round_trip=True, warnings="error"
        )
        to_json(dumped, inf_nan_mode="constants")
    except (PydanticSerializationError, ValidationError) as error:
        raise ArgumentsError(f"An argument has no JSON form: {str(error)[:_SHOWN_TEXT]}.") from error
    return dumped


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ArgumentsError(f"{twice[:_SHOWN_TEXT]}: given more than once.")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ArgumentsError(f"The arguments are not JSON: {name} is not a JSON number.")


def _refuse_schema(arguments: Arguments, given: Mapping[str, Any]) -> None:
    properties = arguments.schema["properties"]
    if not isinstance(properties, Mapping) or not properties:
        return
    if "properties" not in properties and isinstance(given.get("properties"), dict):
        raise ArgumentsError("The arguments look like the tool's schema: give values instead.")
    for name, value in given.items():
        if isinstance(value, dict) and value and freeze(value) == properties.get(name):
            raise ArgumentsError(f"{name[:_SHOWN_TEXT]}: this is the schema of the argument: give a value instead.")


def _sentence(errors: list[ErrorDetails]) -> str:
    lines = [f"{_place(error['loc'])}: {_message(error)}" for error in errors[:_SHOWN_ERRORS]]
    if len(errors) > _SHOWN_ERRORS:
        lines.append(f"and {len(errors) - _SHOWN_ERRORS} more")
    return "; ".join(lines) + "."


def _place(location: tuple[int | str, ...]) -> str:
    place = ""
    for part in location:
        place += f"[{part}]" if isinstance(part, int) else f"{'.' if place else ''}{part}"
    return place[:_SHOWN_TEXT] or "arguments"


def _message(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return "missing"
    if error["type"] == "extra_forbidden":
        return "there is no such argument"
    message = error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return (message[:1].lower() + message[1:])[:_SHOWN_TEXT]
