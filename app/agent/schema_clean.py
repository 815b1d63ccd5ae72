"""Makes pydantic's JSON schemas small and plain enough for every server, and says what fits strict mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.agent.choices import CHOICES_MARK

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
_SCHEMA_LISTS = ("anyOf", "allOf", "prefixItems")
_SCHEMA_MAPS = ("properties", "$defs", "patternProperties", "dependentSchemas")
_SCHEMAS = ("items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else")


def clean_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Copies a schema without titles; `const` becomes a one-value `enum`, `oneOf` becomes `anyOf`.

    Objects with named properties refuse others unless their model allows them. `discriminator` is left out: the
    one-value enums of the alternatives say the same in words that every server knows.
    """
    clean: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "discriminator"):
            continue
        if key == "const":
            clean["enum"] = [value]
        elif key in ("oneOf", *_SCHEMA_LISTS):
            clean["anyOf" if key == "oneOf" else key] = [clean_schema(part) for part in value]
        elif key in _SCHEMA_MAPS:
            clean[key] = {name: clean_schema(part) for name, part in value.items()}
        elif key in _SCHEMAS and isinstance(value, Mapping):
            clean[key] = clean_schema(value)
        else:
            clean[key] = value
    if clean.get("type") == "object" and "properties" in clean:
        clean.setdefault("additionalProperties", False)
    return lone_reference(clean)


def lone_reference(schema: dict[str, Any]) -> dict[str, Any]:
    """Moves a reference that has neighbours into an `anyOf` of one: several servers refuse `$ref` with neighbours."""
    if "$ref" not in schema or len(schema) == 1:
        return schema
    rest = {key: value for key, value in schema.items() if key != "$ref"}
    return {"anyOf": [{"$ref": schema["$ref"]}], **rest}


def parts(schema: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The schema and each schema within it. References are not followed: their targets are in `$defs`."""
    yield schema
    for key in _SCHEMA_LISTS:
        for part in schema.get(key, ()):
            yield from parts(part)
    for key in _SCHEMA_MAPS:
        for part in schema.get(key, {}).values():
            yield from parts(part)
    for key in _SCHEMAS:
        if isinstance(schema.get(key), Mapping):
            yield from parts(schema[key])


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
        and _depth(schema, schema.get("$defs", {})) <= _STRICT_DEPTH
    )


def _part_is_strict(part: Mapping[str, Any]) -> bool:
    if not part.keys() <= _STRICT_KEYWORDS or not ({"type", "anyOf", "$ref", "enum"} & part.keys()):
        return False
    if part.get("type") == "object" and (
        part.get("additionalProperties") is not False
        or set(part.get("required", ())) != set(part.get("properties", ()))
    ):
        return False
    if part.get("type") == "array" and "items" not in part:
        return False
    return part.get("format", "date") in _STRICT_FORMATS and len(part.get("enum", ())) <= STRICT_ENUM_LIMIT


def _depth(schema: Mapping[str, Any], definitions: Mapping[str, Any], within: tuple[str, ...] = ()) -> int:
    """Levels of objects; a reference to a definition that is being entered counts as none (recursion is allowed)."""
    name = schema.get("$ref", "").rpartition("/")[2]
    if name:
        return 0 if name in within else _depth(definitions.get(name, {}), definitions, (*within, name))
    inner = [part for key in ("anyOf", "allOf") for part in schema.get(key, ())]
    inner += [schema[key] for key in ("items",) if isinstance(schema.get(key), Mapping)]
    inner += list(schema.get("properties", {}).values())
    below = max((_depth(part, definitions, within) for part in inner), default=0)
    return below + (1 if "properties" in schema else 0)
