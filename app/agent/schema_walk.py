"""Walks JSON schemas: where other schemas stand in one, and references between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_SCHEMA_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SCHEMA_MAPS = ("properties", "$defs", "patternProperties", "dependentSchemas")
_SCHEMAS = ("items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else", "contentSchema")


def mapped(schema: Mapping[str, Any], change: Callable[[Mapping[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """Copies a schema with each schema directly within it replaced by what `change` gives for it."""
    copy = dict(schema)
    for key in _SCHEMA_LISTS:
        if key in copy:
            copy[key] = [change(part) for part in copy[key]]
    for key in _SCHEMA_MAPS:
        if key in copy:
            copy[key] = {name: change(part) for name, part in copy[key].items()}
    for key in _SCHEMAS:
        if isinstance(copy.get(key), Mapping):
            copy[key] = change(copy[key])
    return copy


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


def without_references(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Copies a schema with references written out: small servers know none, and small models read over them.

    Those that are recursive stay, and objects that are used more than once. What stands beside a reference (a
    description, a default) goes before what the definition says.
    """
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    uses = Counter(name for part in parts(schema) if (name := _reference(part)))
    written_out = {
        name
        for name, definition in definitions.items()
        if (uses[name] == 1 or "properties" not in definition) and not _reaches(name, name, definitions)
    }

    def write_out(part: Mapping[str, Any]) -> dict[str, Any]:
        copy = mapped(part, write_out)
        name = _reference(part)
        if name in written_out:
            del copy["$ref"]
            return {**write_out(definitions[name]), **copy}
        # Several servers refuse a reference that has neighbours.
        return {"anyOf": [{"$ref": copy.pop("$ref")}], **copy} if name and len(copy) > 1 else copy

    plain = write_out({key: value for key, value in schema.items() if key != "$defs"})
    kept = {name: write_out(part) for name, part in definitions.items() if name not in written_out}
    return {**plain, "$defs": kept} if kept else plain


def depth(schema: Mapping[str, Any], definitions: Mapping[str, Any], within: tuple[str, ...] = ()) -> int:
    """Levels of objects with properties; a definition within itself counts once."""
    name = _reference(schema)
    if name in within:
        return 0
    if name:
        return depth(definitions[name], definitions, (*within, name))
    below: list[int] = []

    def measure(part: Mapping[str, Any]) -> dict[str, Any]:
        below.append(depth(part, definitions, within))
        return {}

    mapped({key: value for key, value in schema.items() if key != "$defs"}, measure)
    return max(below, default=0) + ("properties" in schema)


def _reference(schema: Mapping[str, Any]) -> str:
    reference = schema.get("$ref", "")
    return reference.removeprefix("#/$defs/") if isinstance(reference, str) else ""


def _reaches(start: str, goal: str, definitions: Mapping[str, Any], seen: frozenset[str] = frozenset()) -> bool:
    next_names = {name for part in parts(definitions[start]) if (name := _reference(part))} - seen
    return goal in next_names or any(_reaches(name, goal, definitions, seen | next_names) for name in next_names)
