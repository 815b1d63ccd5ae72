"""The table of signatures, first part: plain types, enums and collections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from core_case import ABSENT, INTEGER, NULL, NUMBER, TEXT, TREE, Case, list_of, one_of
from core_types import Colour, Level, Minutes, Mixed, Names, Size, Tree


def plain_cases() -> Iterator[Case]:
    """Types that any tool uses."""
    yield from _plain_types()
    yield from _choices_of_values()
    yield from _collections()


def _plain_types() -> Iterator[Case]:
    yield Case("text", str, TEXT, [("a", "a"), ("", ""), ("é\n", "é\n")], [1, None, ["a"], {}, True])
    yield Case("text-default", str, TEXT, [("a", "a"), (ABSENT, "d")], [1, None], default="d", strict=False)
    yield Case("integer", int, INTEGER, [(3, 3), ("3", 3), (-1, -1), (3.0, 3)], ["x", 3.5, None, [3], ""])
    yield Case("integer-default", int, INTEGER, [(ABSENT, 7), (1, 1)], ["x"], default=7, strict=False)
    yield Case("number", float, NUMBER, [(1.5, 1.5), (2, 2.0), ("1e2", 100.0)], ["x", None, {}])
    yield Case("number-default", float, NUMBER, [(ABSENT, 0.5)], ["x"], default=0.5, strict=False)
    yield Case("boolean", bool, {"type": "boolean"}, [(True, True), (False, False), ("yes", True)], ["maybe", None, 2])
    yield Case("boolean-default", bool, {"type": "boolean"}, [(ABSENT, False)], ["x"], default=False, strict=False)
    yield Case("optional", str | None, one_of(TEXT, NULL), [("a", "a"), (None, None)], [1, ABSENT])
    yield Case(
        "optional-none", str | None, one_of(TEXT, NULL), [(ABSENT, None), ("a", "a")], [1], default=None, strict=False
    )
    yield Case(
        "optional-value",
        int | None,
        one_of(INTEGER, NULL),
        [(ABSENT, 4), (None, None)],
        ["x"],
        default=4,
        strict=False,
    )
    yield Case("union", int | str, one_of(INTEGER, TEXT), [(1, 1), ("1", "1")], [None, [1]])
    yield Case(
        "union-none", int | str | None, one_of(INTEGER, TEXT, NULL), [(ABSENT, None)], [[]], default=None, strict=False
    )
    yield Case("union-list", list[int] | str, one_of(list_of(INTEGER), TEXT), [([1], [1]), ("a", "a")], [1, None])
    yield Case("null", None, NULL, [(None, None)], [0, ""])
    yield Case("anything", Any, {}, [(1, 1), ({"a": [None]}, {"a": [None]})], [ABSENT], strict=False)
    yield Case("new-type", Minutes, INTEGER, [(5, 5)], ["x"])


def _choices_of_values() -> Iterator[Case]:
    level = {"type": "string", "enum": ["Beginner", "Advanced"]}
    yield Case("enum", Level, level, [("Advanced", Level.ADVANCED)], ["ADVANCED", "advanced", 1, None])
    yield Case("enum-default", Level, level, [(ABSENT, Level.ADVANCED)], ["x"], default=Level.ADVANCED, strict=False)
    yield Case("enum-optional", Level | None, one_of(level, NULL), [(ABSENT, None)], ["x"], default=None, strict=False)
    yield Case("enum-integer", Size, {"type": "integer", "enum": [1, 2]}, [(2, Size.LARGE)], [3, "LARGE"])
    yield Case("enum-text", Colour, {"type": "string", "enum": ["red", "blue"]}, [("red", Colour.RED)], ["green"])
    yield Case(
        "enum-mixed", Mixed, {"type": ["integer", "string"], "enum": [1, "two"]}, [("two", Mixed.TWO)], [2, "three"]
    )
    yield Case("literal", Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}, [("a", "a")], ["c", 1, None])
    yield Case("literal-one", Literal["only"], {"type": "string", "enum": ["only"]}, [("only", "only")], ["other"])
    yield Case("literal-integers", Literal[1, 2], {"type": "integer", "enum": [1, 2]}, [(1, 1)], [3, "x"])
    yield Case(
        "literal-default",
        Literal["a", "b"],
        {"type": "string", "enum": ["a", "b"]},
        [(ABSENT, "b")],
        ["c"],
        default="b",
        strict=False,
    )
    yield Case(
        "literal-none", Literal["a", None], {"type": ["string", "null"], "enum": ["a", None]}, [(None, None)], ["b"]
    )
    yield Case(
        "literal-mixed",
        Literal["a", 1, True],
        {"type": ["string", "integer", "boolean"], "enum": ["a", 1, True]},
        [("a", "a"), (1, 1)],
        [2, "b"],
    )


def _collections() -> Iterator[Case]:
    yield Case("list", list[str], list_of(TEXT), [(["a"], ["a"]), ([], [])], ["a", [1], None, {"a": 1}])
    yield Case("list-default", list[int], list_of(INTEGER), [(ABSENT, [])], ["x"], default=[], strict=False)
    yield Case("list-any", list, list_of({}), [([1, "a"], [1, "a"])], ["a"], strict=False)
    yield Case("list-of-lists", list[list[int]], list_of(list_of(INTEGER)), [([[1]], [[1]])], [[1], [["x"]]])
    yield Case("set", set[str], list_of(TEXT, uniqueItems=True), [(["a", "a"], {"a"})], ["a"], strict=False)
    yield Case(
        "frozenset", frozenset[int], list_of(INTEGER, uniqueItems=True), [([1], frozenset({1}))], ["x"], strict=False
    )
    yield Case(
        "tuple",
        tuple[int, str],
        {"type": "array", "prefixItems": [INTEGER, TEXT], "minItems": 2, "maxItems": 2},
        [([1, "a"], (1, "a"))],
        [[1], [1, "a", 2], ["a", 1]],
        strict=False,
    )
    yield Case("tuple-any-length", tuple[int, ...], list_of(INTEGER), [([1, 2], (1, 2)), ([], ())], [["x"]])
    yield Case(
        "dict",
        dict[str, int],
        {"type": "object", "additionalProperties": INTEGER},
        [({"a": 1}, {"a": 1})],
        [{"a": "x"}, []],
        strict=False,
    )
    yield Case(
        "dict-any",
        dict[str, Any],
        {"type": "object", "additionalProperties": True},
        [({"a": [1]}, {"a": [1]})],
        ["a"],
        strict=False,
    )
    yield Case(
        "dict-of-enum",
        dict[Level, int],
        {
            "type": "object",
            "additionalProperties": INTEGER,
            "propertyNames": {"type": "string", "enum": ["Beginner", "Advanced"]},
        },
        [({"Beginner": 1}, {Level.BEGINNER: 1})],
        [{"Expert": 1}],
        strict=False,
    )
    yield Case("sequence", Sequence[str], list_of(TEXT), [(["a"], ["a"])], [[1]])
    yield Case(
        "mapping",
        Mapping[str, int],
        {"type": "object", "additionalProperties": INTEGER},
        [({"a": 1}, {"a": 1})],
        [{"a": "x"}],
        strict=False,
    )
    yield Case("alias-type", Names, list_of(TEXT), [(["a"], ["a"])], ["a"])
    yield Case(
        "alias-recursive",
        Tree,
        {"$ref": "#/$defs/Tree"},
        [({"a": {"b": 1}}, {"a": {"b": 1}})],
        [{"a": {"b": "x"}}, "x"],
        strict=False,
        definitions={"Tree": TREE},
    )
