"""What tools return and raise, in words: true, bounded, without addresses, paths and secrets."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import pathlib
import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, SecretStr
from PySide6.QtCore import QDate, QDateTime, QObject, QPoint, QRect, QSize, QTime, QUrl
from PySide6.QtGui import QColor, QKeySequence

from app.agent.errors import TargetError, ToolError
from app.agent.results import ERROR_LIMIT, RESULT_LIMIT, describe_error, describe_result

BOUND = RESULT_LIMIT + 100


class Level(enum.Enum):
    HIGH = "High"
    PAIR = (1, 2)


class Flag(enum.IntFlag):
    A = 1
    B = 2


@dataclasses.dataclass
class Talk:
    title: str
    at: datetime.date
    hidden: str = dataclasses.field(default="x", repr=False)


class Model(BaseModel):
    name: str
    key: SecretStr = SecretStr("hunter22")


class Plain:
    pass


class WithText:
    def __str__(self) -> str:
        return "a talk at 0x7f3b12345678"


class Failing:
    def __str__(self) -> str:
        raise RuntimeError("no text")


class FailingError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class FailingSequence(list[int]):
    def __iter__(self) -> Iterator[int]:
        raise OSError("read failed")


def numbers() -> Iterator[int]:
    number = 0
    while True:
        yield number
        number += 1


def breaking() -> Iterator[int]:
    yield 1
    raise ValueError("broken")


async def awaited() -> None: ...


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "Done. There is no result."),
        (0, "0"),
        ("", "Empty text (0 characters)."),
        (" \n", "Empty text (2 characters)."),
        (False, "false"),
        (True, "true"),
        ("It is saved.", "It is saved."),
        ([], "[]"),
        ({}, "{}"),
        (1.5, "1.5"),
        (float("nan"), "nan"),
        ([float("inf")], '["inf"]'),
        (datetime.datetime(2024, 5, 3, 10, 0), "2024-05-03T10:00:00"),  # noqa: DTZ001 - naive is one case
        (datetime.date(2024, 5, 3), "2024-05-03"),
        (datetime.time(10, 30), "10:30:00"),
        (datetime.timedelta(minutes=45), "0:45:00"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (decimal.Decimal("1.10"), "1.10"),
        ({3, 1, 2}, "[1, 2, 3]"),
        (frozenset(), "[]"),
        ((1, "a"), '[1, "a"]'),
        (b"abc", "abc"),
        (b"\xff\x00", "(2 bytes of binary data)"),
        (b"", "(0 bytes of binary data)"),
        (pathlib.Path("/home/someone/talk.pdf"), "talk.pdf"),
        (pathlib.Path("/"), "(a folder)"),
        (Level.HIGH, "High"),
        (Level.PAIR, "PAIR"),
        (Flag.A | Flag.B, "A|B"),
        (Talk("a", datetime.date(2024, 5, 3)), '{"title": "a", "at": "2024-05-03"}'),
        (Model(name="é"), '{"name": "é", "key": "**********"}'),
        ({"a": {1: {Level.HIGH: None}}}, '{"a": {"1": {"\\"High\\"": null}}}'),
        (Plain(), "(Plain, which has no text form)"),
        ([object()], '["(object, which has no text form)"]'),
        (WithText(), "a talk"),
        (Failing(), "(Failing that can't be read: RuntimeError: no text)"),
        (FailingSequence([1]), "(FailingSequence that can't be read: OSError: read failed)"),
        (breaking(), '[1, "(then it failed: ValueError: broken)"]'),
        (Plain, "(the class Plain)"),
        (QDate(2024, 5, 3), "2024-05-03"),
        (QDate(), "(no date or time)"),
        (QTime(10, 30), "10:30:00"),
        (QDateTime(2024, 5, 3, 10, 0, 0), "2024-05-03T10:00:00"),
        (QPoint(1, 2), "x 1, y 2"),
        (QSize(3, 4), "width 3, height 4"),
        (QRect(1, 2, 3, 4), "x 1, y 2, width 3, height 4"),
        (QColor("red"), "#ff0000"),
        (QUrl("https://example.org/a"), "https://example.org/a"),
        (QKeySequence("Ctrl+S"), "Ctrl+S"),
        (QObject(), "(QObject)"),
        ([QDate(2024, 5, 3)], '["2024-05-03"]'),
        ("\ud800", "\\ud800"),
    ],
)
def test_values(value: object, expected: str) -> None:
    assert describe_result(value) == expected


def test_a_generator_without_end() -> None:
    text = describe_result(numbers())
    assert text.startswith("[0, 1, 2,")
    assert text.endswith('49, "… (there is more)"]')


def test_work_that_was_not_awaited() -> None:
    assert describe_result(awaited()) == "Nothing was done: the work was to be awaited, and was not."


@pytest.mark.parametrize(
    "value",
    [
        "x" * 1_000_000,
        b"x" * 1_000_000,
        list(range(1_000_000)),
        set(range(100_000)),
        {str(number): number for number in range(100_000)},
        {"x" * 1_000_000: 1},
        10**5000,
        [[[[[[[[[["deep"]]]]]]]]]],
        [[[[list(range(50))] * 50] * 50] * 50] * 50,
    ],
    ids=["text", "bytes", "list", "set", "dict", "key", "integer", "deep", "wide"],
)
def test_large_values_are_cut_and_say_so(value: object) -> None:
    text = describe_result(value)
    assert len(text) <= BOUND
    assert re.search(r"cut|more|not shown|bits", text)


def test_a_value_that_contains_itself() -> None:
    loop: list[Any] = [1]
    loop.append({"again": loop})
    assert describe_result(loop) == '[1, {"again": "(contains itself)"}]'
    assert describe_result([Level.HIGH, [1], [1]]) == '["High", [1], [1]]'


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(), st.lists))
def test_never_fails_and_is_always_sendable(value: object) -> None:
    text = describe_result(value)
    assert text
    assert text.encode()
    assert len(text) <= BOUND


@pytest.mark.parametrize("value", [Plain(), [Plain()], lambda: 1, print, [].append, iter([Plain()]), WithText()])
def test_no_addresses(value: object) -> None:
    assert "0x" not in describe_result(value)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ValueError("too long"), "ValueError: too long"),
        (ValueError(), "ValueError"),
        (KeyError("title"), "KeyError: 'title' is missing"),
        (ToolError("The field takes whole numbers."), "The field takes whole numbers."),
        (TargetError("Save can't be used: it is disabled."), "Save can't be used: it is disabled."),
        (FileNotFoundError(2, "No such file", "/home/someone/my talks/a b.pdf"), "[Errno 2] No such file: 'a b.pdf'"),
        (OSError("can't open /usr/lib/python3/x.so: denied"), "OSError: can't open x.so: denied"),
        (OSError(r"can't open C:\Users\me\talk.pdf"), "OSError: can't open talk.pdf"),
        (OSError("can't open ~/talks/a.pdf"), "OSError: can't open a.pdf"),
        (ValueError("see https://example.org/a/b, and/or 1/2"), "ValueError: see https://example.org/a/b, and/or 1/2"),
        (ValueError("<Plain object at 0x7f1212121212>"), "ValueError: <Plain object>"),
        (ValueError("key sk-abcdefghijklmnopqrstuvwxyz refused"), "ValueError: key [hidden] refused"),
        (FailingError(), "FailingError"),
    ],
)
def test_errors(error: Exception, expected: str) -> None:
    assert describe_error(error).removeprefix("FileNotFoundError: ") == expected


def test_a_long_error_is_cut() -> None:
    assert len(describe_error(ValueError("x" * 1_000_000))) <= ERROR_LIMIT + 100
