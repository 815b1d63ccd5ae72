"""Makes pydantic's JSON schemas small and plain enough for every server, and says what fits strict mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.agent.choices import CHOICES_MARK
from app.agent.schema_walk import depth, mapped, parts

STRICT_ENUM_LIMIT = 250
"""Enums longer than this also have a limit of characters in strict mode (OpenAI, structured outputs)."""

_STRICT_DEPTH = 10
_STRICT_PROPERTIES = 5000
_STRICT_KEYWORDS = frozenset(
    {"type", "enum", "anyOf", "$ref", "$defs", "description", CHOICES_MARK}
    | {"properties", "required", "additionalProperties"}
    | {"items", "minItems", "maxItems", "pattern", "format"}
    | {"multipleOf", "maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"}
)
_STRICT_FORMATS = frozenset({"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"})
_JSON_TYPES: Mapping[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def clean_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Copies a schema without titles; `const` becomes a one-value `enum`, `oneOf` becomes `anyOf`.

    Objects with named properties refuse others unless their model allows them. Enums say their type. `discriminator`
    is left out: the one-value enums of the alternatives say the same in words that every server knows.
    """
    clean = mapped(schema, clean_schema)
    # A title is a text here; a property named so is within `properties`.
    for key in ("title", "discriminator"):
        clean.pop(key, None)
    if "const" in clean:
        clean["enum"] = [clean.pop("const")]
    if "oneOf" in clean:
        clean["anyOf"] = clean.pop("oneOf")
    if "type" not in clean and all(type(value) in _JSON_TYPES for value in clean.get("enum", [()])):
        types = list(dict.fromkeys(_JSON_TYPES[type(value)] for value in clean["enum"]))
        clean["type"] = types[0] if len(types) == 1 else types
    if clean.get("type") == "object" and "properties" in clean:
        clean.setdefault("additionalProperties", False)
    return clean


def allows_extras(schema: Mapping[str, Any]) -> bool:
    """Whether some object in it has named properties and takes others as well."""
    return any("properties" in part and part.get("additionalProperties", False) is not False for part in parts(schema))


def has_choices(schema: Mapping[str, Any]) -> bool:
    """Whether `Choices` is used somewhere in it."""
    return any(CHOICES_MARK in part for part in parts(schema))


def mentions_secret(schema: Mapping[str, Any]) -> bool:
    """Whether some value in it is write-only, as pydantic's secrets are."""
    return any(part.get("writeOnly") is True for part in parts(schema))


def is_strict(schema: Mapping[str, Any]) -> bool:
    """Whether the schema fits the strict mode of structured outputs, as OpenAI documents it."""
    everything = list(parts(schema))
    return (
        all(_part_is_strict(part) for part in everything)
        and sum(len(part.get("properties", ())) for part in everything) <= _STRICT_PROPERTIES
        and depth(schema, schema.get("$defs", {})) <= _STRICT_DEPTH
    )


def _part_is_strict(part: Mapping[str, Any]) -> bool:
    if not part.keys() <= _STRICT_KEYWORDS or not ({"type", "anyOf", "$ref"} & part.keys()):
        return False
    if part.get("type") == "object" and (
        part.get("additionalProperties") is not False
        or set(part.get("required", ())) != set(part.get("properties", ()))
    ):
        return False
    if part.get("type") == "array" and "items" not in part:
        return False
    return part.get("format", "date") in _STRICT_FORMATS and len(part.get("enum", ())) <= STRICT_ENUM_LIMIT
