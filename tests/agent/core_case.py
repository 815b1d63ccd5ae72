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
TALK = {
    "type": "object",
    "properties": {"title": TEXT, "minutes": {"type": "integer", "default": 30}},
    "required": ["title"],
    "additionalProperties": False,
}
CAT = {
    "type": "object",
    "properties": {"kind": {"type": "string", "enum": ["cat"]}, "lives": INTEGER},
    "required": ["kind", "lives"],
    "additionalProperties": False,
}
DOG = {
    "type": "object",
    "properties": {"kind": {"type": "string", "enum": ["dog"]}, "tricks": {"type": "array", "items": TEXT}},
    "required": ["kind", "tricks"],
    "additionalProperties": False,
}
POINT = {
    "type": "object",
    "properties": {"x": INTEGER, "y": {"type": "integer", "default": 0}},
    "required": ["x"],
    "additionalProperties": False,
}
FOLDER = {
    "type": "object",
    "properties": {
        "name": TEXT,
        "inside": {"type": "array", "items": {"$ref": "#/$defs/Folder"}, "default": []},
    },
    "required": ["name"],
    "additionalProperties": False,
}
TREE = {"anyOf": [{"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}}, INTEGER]}


def one_of(*alternatives: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": list(alternatives)}


def object_of(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


def list_of(items: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "array", "items": items, **more}
