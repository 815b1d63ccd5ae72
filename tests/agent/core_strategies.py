"""Draws signatures, and arguments for any schema that they give."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, Optional

from core_types import Address, Cat, Colour, Dog, Folder, Level, Line, Pet, Point, Range, Size, Slot, Talk, Tree
from hypothesis import strategies as st
from pydantic import Field, create_model

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
INTEGERS = st.integers(-(2**40), 2**40)

LEAVES = st.sampled_from(
    [
        str, int, float, bool, None, Any, Level, Size, Colour, Literal["a", "b"], Literal["one"], Literal[1, "x", None],
        datetime.date, datetime.datetime, datetime.time, datetime.timedelta, uuid.UUID,
        Talk, Slot, Folder, Point, Line, Range, Address, Pet, Cat | Dog, Tree,
        Annotated[int, Field(ge=1, le=9)], Annotated[str, Field(min_length=1, max_length=4)],
    ]
)  # fmt: skip


def _wrapped(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(list.__class_getitem__),
        inner.map(lambda part: dict.__class_getitem__((str, part))),
        inner.map(lambda part: tuple.__class_getitem__((part, int))),
        inner.map(Optional.__getitem__),
        st.tuples(inner, inner).map(lambda pair: create_model("Drawn", left=(pair[0], ...), right=(pair[1], ...))),
    )


ANNOTATIONS = st.recursive(LEAVES, _wrapped, max_leaves=4)
SIGNATURES = st.dictionaries(st.sampled_from(["a", "schema", "json", "_x", "self_", "class_"]), ANNOTATIONS, max_size=3)


def function_with(signature: Mapping[str, Any], called: Callable[[Mapping[str, Any]], None]) -> Callable[..., Any]:
    """A function with those keyword parameters, which hands over what it was called with."""
    namespace: dict[str, Any] = {"called": called}
    names = list(signature)
    handed_over = ", ".join(f"{name}={name}" for name in names)
    source = f"def drawn({', '.join(names)}):\n    'Takes what was drawn.'\n    called(dict({handed_over}))"
    exec(source, namespace)
    function: Callable[..., Any] = namespace["drawn"]
    function.__annotations__ = dict(signature)
    return function


_FORMATS: Mapping[str, st.SearchStrategy[Any]] = {
    "date": st.dates().map(datetime.date.isoformat),
    "date-time": st.datetimes(timezones=st.none() | st.just(datetime.UTC)).map(datetime.datetime.isoformat),
    "time": st.times().map(datetime.time.isoformat),
    "duration": st.integers(0, 10**6).map(lambda seconds: f"PT{seconds}S"),
    "uuid": st.uuids().map(str),
}


def values_of(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> st.SearchStrategy[Any]:
    """JSON values that fit a schema as the tools give it."""
    if "$ref" in schema:
        return values_of(definitions[schema["$ref"].removeprefix("#/$defs/")], definitions, depth + 1)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([values_of(part, definitions, depth) for part in schema["anyOf"]])
    match schema.get("type"):
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema.get("minimum", -(2**40)), schema.get("maximum", 2**40))
        case "number":
            return st.floats(allow_nan=False, allow_infinity=False)
        case "string" if "format" in schema:
            return _FORMATS[schema["format"]]
        case "string":
            least, most = schema.get("minLength", 0), schema.get("maxLength", 8)
            return st.text(st.characters(exclude_categories=["Cs"]), min_size=least, max_size=most)
        case "array":
            return _arrays(schema, definitions, depth)
        case "object":
            return _objects(schema, definitions, depth)
    return TEXT | INTEGERS | st.lists(TEXT, max_size=2)


def _arrays(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "prefixItems" in schema:
        return st.tuples(*[values_of(part, definitions, depth) for part in schema["prefixItems"]]).map(list)
    if depth > 3:
        return st.just([])
    return st.lists(st.deferred(lambda: values_of(schema["items"], definitions, depth + 1)), max_size=2)


def _objects(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int) -> st.SearchStrategy[Any]:
    if "properties" not in schema:
        if depth > 3:
            return st.just({})
        extra = schema["additionalProperties"]
        return st.dictionaries(
            TEXT, st.deferred(lambda: values_of(extra if isinstance(extra, Mapping) else {}, definitions, depth + 1)),
            max_size=2,
        )  # fmt: skip
    drawn = {name: values_of(part, definitions, depth) for name, part in schema["properties"].items()}
    required = set(schema.get("required", ()))
    return st.fixed_dictionaries(
        {name: value for name, value in drawn.items() if name in required},
        optional={name: value for name, value in drawn.items() if name not in required},
    )
