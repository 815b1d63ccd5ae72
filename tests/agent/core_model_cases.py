"""The table of signatures, second part: text with a meaning, models and constraints."""

from __future__ import annotations

import datetime
import decimal
import ipaddress
import pathlib
import re
import uuid
from collections.abc import Iterator
from typing import Annotated

from core_case import (
    ABSENT,
    CAT,
    DOG,
    FOLDER,
    INTEGER,
    NULL,
    NUMBER,
    POINT,
    TALK,
    TEXT,
    Case,
    list_of,
    object_of,
    one_of,
)
from core_types import (
    Address,
    Aliased,
    Cat,
    Dog,
    Folder,
    Line,
    Open,
    Pair,
    Pet,
    Point,
    Range,
    Slot,
    Square,
    Tags,
    Talk,
)
from pydantic import AwareDatetime, Field, HttpUrl, NonNegativeInt, StringConstraints


def model_cases() -> Iterator[Case]:
    """Types that take more than a plain value."""
    yield from _special_text()
    yield from _models()
    yield from _constraints()


def _special_text() -> Iterator[Case]:
    date, day = datetime.date(2024, 5, 3), {"type": "string", "format": "date"}
    yield Case("date", datetime.date, day, [("2024-05-03", date)], ["3 May", "2024-13-01", None])
    yield Case("date-default", datetime.date, day, [(ABSENT, date)], ["x"], default=date, strict=False)
    yield Case(
        "datetime",
        datetime.datetime,
        {"type": "string", "format": "date-time"},
        [("2024-05-03T10:00:00", datetime.datetime(2024, 5, 3, 10))],  # noqa: DTZ001 - naive is what is tested
        ["soon"],
    )
    yield Case(
        "datetime-aware",
        AwareDatetime,
        {"type": "string", "format": "date-time"},
        [("2024-05-03T10:00:00Z", datetime.datetime(2024, 5, 3, 10, tzinfo=datetime.UTC))],
        ["2024-05-03T10:00:00"],
    )
    yield Case(
        "time", datetime.time, {"type": "string", "format": "time"}, [("10:30", datetime.time(10, 30))], ["25:00"]
    )
    yield Case(
        "duration",
        datetime.timedelta,
        {"type": "string", "format": "duration"},
        [("PT45M", datetime.timedelta(minutes=45))],
        ["long"],
    )
    one = uuid.UUID(int=1)
    yield Case("uuid", uuid.UUID, {"type": "string", "format": "uuid"}, [(str(one), one)], ["1"])
    yield Case(
        "decimal",
        decimal.Decimal,
        one_of(NUMBER, TEXT),
        [("1.10", decimal.Decimal("1.10")), (2, decimal.Decimal(2))],
        ["x", None],
    )
    yield Case("bytes", bytes, {"type": "string", "format": "binary"}, [("é", "é".encode())], [1], strict=False)
    yield Case(
        "path", pathlib.Path, {"type": "string", "format": "path"}, [("a/b", pathlib.Path("a/b"))], [1], strict=False
    )
    yield Case(
        "url",
        HttpUrl,
        {"type": "string", "format": "uri", "minLength": 1, "maxLength": 2083},
        [("https://example.org/a", HttpUrl("https://example.org/a"))],
        ["example", "ftp://example.org"],
        strict=False,
    )
    yield Case(
        "ip-address",
        ipaddress.IPv4Address,
        {"type": "string", "format": "ipv4"},
        [("127.0.0.1", ipaddress.IPv4Address("127.0.0.1"))],
        ["1.2.3"],
    )
    yield Case(
        "pattern", re.Pattern, {"type": "string", "format": "regex"}, [("a+", re.compile("a+"))], ["("], strict=False
    )


def _models() -> Iterator[Case]:
    yield Case(
        "model",
        Talk,
        TALK,
        [({"title": "a"}, Talk(title="a")), ({"title": "a", "minutes": "5"}, Talk(title="a", minutes=5))],
        [{}, {"title": 1}, {"title": "a", "speaker": "b"}, "a", None],
        strict=False,
    )
    yield Case("model-default", Talk, TALK, [(ABSENT, Talk(title="d"))], [{}], default=Talk(title="d"), strict=False)
    yield Case(
        "model-optional",
        Talk | None,
        one_of({"description": "A talk.", **TALK}, NULL),
        [(None, None), ({"title": "a"}, Talk(title="a"))],
        [{}],
        default=None,
        strict=False,
    )
    yield Case(
        "model-nested",
        Slot,
        object_of(
            {"talk": {"description": "A talk.", **TALK}, "room": {**one_of(TEXT, NULL), "default": None}}, "talk"
        ),
        [({"talk": {"title": "a"}, "room": "b"}, Slot(talk=Talk(title="a"), room="b"))],
        [{"talk": {}}, {"talk": {"title": "a", "x": 1}}, {"room": "b"}],
        strict=False,
    )
    yield Case(
        "model-recursive",
        Folder,
        {"$ref": "#/$defs/Folder"},
        [({"name": "a", "inside": [{"name": "b"}]}, Folder(name="a", inside=[Folder(name="b")]))],
        [{"name": "a", "inside": [{}]}, {"name": "a", "inside": [{"name": "b", "x": 1}]}],
        strict=False,
        definitions={"Folder": FOLDER},
    )
    yield Case(
        "model-list", list[Cat], list_of(CAT), [([{"kind": "cat", "lives": 9}], [Cat(kind="cat", lives=9)])], [[{}]]
    )
    dog = Dog(kind="dog", tricks=["sit"])
    yield Case(
        "discriminated",
        Pet,
        one_of(CAT, DOG),
        [({"kind": "dog", "tricks": ["sit"]}, dog), ({"kind": "cat", "lives": 1}, Cat(kind="cat", lives=1))],
        [{"kind": "fish"}, {"kind": "cat", "tricks": []}, {"lives": 1}],
    )
    yield Case(
        "discriminated-list", list[Pet], list_of(one_of(CAT, DOG)), [([{"kind": "dog", "tricks": ["sit"]}], [dog])]
    )
    yield Case("union-of-models", Cat | Dog, one_of(CAT, DOG), [({"kind": "dog", "tricks": ["sit"]}, dog)], [{}])
    yield Case(
        "model-open",
        Open,
        {**object_of({"name": TEXT}, "name"), "additionalProperties": True},
        [({"name": "a", "more": 1}, Open.model_validate({"name": "a", "more": 1}))],
        [{}],
        strict=False,
    )
    yield Case(
        "model-alias",
        Aliased,
        object_of({"firstName": TEXT}, "firstName"),
        [({"firstName": "a"}, Aliased(firstName="a"))],
        [{"first_name": "a"}],
    )
    yield Case(
        "model-computed", Square, object_of({"side": INTEGER}, "side"), [({"side": 2}, Square(side=2))], [{"area": 4}]
    )
    yield Case("model-root", Tags, list_of(TEXT), [(["a"], Tags(["a"]))], ["a"])
    yield Case(
        "dataclass",
        Point,
        POINT,
        [({"x": 1}, Point(1)), ({"x": 1, "y": 2}, Point(1, 2))],
        [{}, {"x": 1, "z": 2}],
        strict=False,
    )
    yield Case(
        "dataclass-nested",
        Line,
        {"type": "object", "properties": {"points": list_of(POINT)}, "additionalProperties": False},
        [({"points": [{"x": 1}]}, Line([Point(1)])), ({}, Line())],
        [{"points": [{}]}],
        strict=False,
    )
    yield Case(
        "dataclass-pydantic",
        Range,
        object_of({"low": INTEGER, "high": INTEGER}, "low", "high"),
        [({"low": 1, "high": 2}, Range(1, 2))],
        [{"low": 1}],
    )
    yield Case(
        "typed-dict",
        Address,
        object_of({"city": TEXT, "country": TEXT}, "city"),
        [({"city": "a"}, {"city": "a"})],
        [{"country": "b"}, {"city": "a", "zip": "c"}],
        strict=False,
    )
    yield Case(
        "named-tuple",
        Pair,
        {"type": "array", "prefixItems": [INTEGER, TEXT], "minItems": 2, "maxItems": 2},
        [([1, "a"], Pair(1, "a"))],
        [[1]],
        strict=False,
    )


def _constraints() -> Iterator[Case]:
    yield Case(
        "between", Annotated[int, Field(ge=1, le=9)], {**INTEGER, "minimum": 1, "maximum": 9}, [(1, 1), (9, 9)], [0, 10]
    )
    yield Case("positive-or-zero", NonNegativeInt, {**INTEGER, "minimum": 0}, [(0, 0)], [-1])
    yield Case(
        "matching", Annotated[str, Field(pattern="^a+$")], {**TEXT, "pattern": "^a+$"}, [("aa", "aa")], ["b", ""]
    )
    yield Case(
        "length",
        Annotated[str, Field(min_length=2, max_length=3)],
        {**TEXT, "minLength": 2, "maxLength": 3},
        [("ab", "ab")],
        ["a", "abcd"],
        strict=False,
    )
    yield Case("step", Annotated[int, Field(multiple_of=5)], {**INTEGER, "multipleOf": 5}, [(10, 10)], [7])
    yield Case(
        "tidied", Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True)], TEXT, [(" A ", "a")], [1]
    )
    yield Case("not-empty", Annotated[list[int], Field(min_length=1)], list_of(INTEGER, minItems=1), [([1], [1])], [[]])
    yield Case(
        "items-positive",
        list[Annotated[int, Field(gt=0)]],
        list_of({**INTEGER, "exclusiveMinimum": 0}),
        [([1], [1])],
        [[0]],
    )
    yield Case("not-coerced", Annotated[int, Field(strict=True)], INTEGER, [(3, 3)], ["3", 3.0])
    yield Case(
        "examples",
        Annotated[int, Field(examples=[45])],
        {**INTEGER, "examples": [45]},
        [(45, 45)],
        ["x"],
        strict=False,
    )
