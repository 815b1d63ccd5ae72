"""One line of the table of signatures, and the schemas that several lines share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from core_types import NO_DEFAULT

ABSENT: Any = object()
"""Stands for an argument that is left out."""


@dataclass(frozen=True)
class Case:
    """One signature `tool(x: annotation = default)`.

    Attributes:
        shown: Schema of `x`, without description and default.
        takes: JSON value -> the Python value that the function must get.
        refuses: JSON values, each with the place that the message must name.
        definitions: `$defs`.
    """

    name: str
    annotation: Any
    shown: dict[str, Any]
    takes: Sequence[tuple[Any, Any]]
    refuses: Sequence[Any] = ()
    default: Any = NO_DEFAULT
    strict: bool = True
    definitions: Mapping[str, Any] | None = None

    @property
    def required(self) -> bool:
        return self.default is NO_DEFAULT


TEXT = {"type": "string"}
INTEGER = {"type": "integer"}
NUMBER = {"type": "number"}
NULL = {"type": "null"}


def one_of(*alternatives: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": list(alternatives)}


def object_of(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def list_of(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}


TALK = object_of({"title": TEXT, "minutes": {"type": "integer", "default": 30}}, "title")
POINT = object_of({"x": INTEGER, "y": {"type": "integer", "default": 0}}, "x")
CAT = object_of({"kind": {"type": "string", "enum": ["cat"]}, "lives": INTEGER}, "kind", "lives")
DOG = object_of({"kind": {"type": "string", "enum": ["dog"]}, "tricks": list_of(TEXT)}, "kind", "tricks")
FOLDER = object_of({"name": TEXT, "inside": list_of({"$ref": "#/$defs/Folder"}, default=[])}, "name")
TREE = {"anyOf": [{"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}}, INTEGER]}
