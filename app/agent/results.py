"""What a tool returned or raised, as text for a model: true, bounded, without addresses of memory, paths or secrets."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import inspect
import itertools
import json
import pathlib
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from pydantic import BaseModel

from app.agent.errors import ToolError
from app.agent.guards import redact
from app.agent.qt_values import describe_qt

RESULT_LIMIT = 4000
"""Characters of a result that a model reads."""

ERROR_LIMIT = 500
"""Characters of an error."""

_READ = 2 * RESULT_LIMIT
"""Characters of a text that are searched for what must be hidden; more than is ever shown of it."""

_ITEMS = 50
_DEPTH = 6
_PARTS = 1000
_INTEGER_BITS = 1024
_ADDRESS = re.compile(r"(\s+at)?\s*\(?\b0x[0-9a-fA-F]{4,}\)?")
_QUOTED_PATH = re.compile(r"""(['"])(?:file://)?(?:[A-Za-z]:[\\/]|\\\\|~?/)[^'"\n]*?([^'"\\/\n]*)\1""")
_PATH = re.compile(r"""(?<![\w/:.<])(?:file://|[A-Za-z]:\\|~?/)(?:[^\s'"\\/:<>]+[\\/])+([^\s'"\\/:<>]*)""")


def describe_result(value: object) -> str:
    """Says what a tool returned. Text stays text; other values are JSON where they have a JSON form.

    A generator is run for its first fifty items. Never raises because of the value.
    """
    if value is None:
        return "Done. There is no result."
    if isinstance(value, str):
        return _bounded(value, RESULT_LIMIT) if value.strip() else f"Empty text ({len(value)} characters)."
    plain = _Plain().of(value)
    text = plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
    return _bounded(text, RESULT_LIMIT)


def describe_error(error: BaseException) -> str:
    """Says what went wrong: the sentence of a `ToolError`; of any other exception its type and its message."""
    try:
        message = _hide(f"{error} is missing" if isinstance(error, KeyError) else str(error))
    except Exception:  # noqa: BLE001 - an exception whose text can't be made still has a type.
        message = ""
    if len(message) > ERROR_LIMIT:
        message = f"{message[:ERROR_LIMIT]}…"
    if isinstance(error, ToolError):
        return message
    name = type(error).__name__
    return f"{name}: {message}" if message else name


def _hide(text: str) -> str:
    text = redact(_sendable(text[:_READ]))
    text = _QUOTED_PATH.sub(r"\1\2\1", text)
    text = _PATH.sub(r"\1", text)
    return _ADDRESS.sub("", text).strip()


def _bounded(text: str, limit: int) -> str:
    return _sendable(text if len(text) <= limit else f"{text[:limit]}… (cut: {len(text)} characters in all)")


def _sendable(text: str) -> str:
    # A lone surrogate can't be sent: it is shown as what it is.
    return text.encode("utf-8", "backslashreplace").decode()


class _Plain:
    """Turns one result into JSON; whatever has no JSON form becomes words, and so does what is too much."""

    def __init__(self) -> None:
        self._left = _PARTS

    def of(self, value: object, depth: int = _DEPTH, within: tuple[int, ...] = ()) -> Any:
        """The value as JSON, at most `depth` levels of it; `within` are the ids of what it is a part of."""
        self._left -= 1
        if value is None or isinstance(value, bool):
            return value
        simple = _simple(value)
        if simple is not None:
            return simple
        if id(value) in within:
            return "(contains itself)"
        if depth == 0 or self._left <= 0:
            return f"({_class_name(value)}, not shown)"
        return self._compound(value, depth - 1, (*within, id(value)))

    def _compound(self, value: object, depth: int, within: tuple[int, ...]) -> Any:
        try:
            if isinstance(value, BaseModel):
                parts: Mapping[Any, Any] = {name: getattr(value, name) for name in type(value).model_fields}
                return self._mapping({**parts, **(value.model_extra or {})}, depth, within)
            if dataclasses.is_dataclass(value) and not isinstance(value, type):
                fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.repr}
                return self._mapping(fields, depth, within)
            if isinstance(value, Mapping):
                return self._mapping(value, depth, within)
            if isinstance(value, Set):
                members = sorted(value, key=repr) if len(value) <= _ITEMS else value
                return self._items(iter(members), len(value), depth, within)
            if isinstance(value, Sequence):
                return self._items(iter(value), len(value), depth, within)
            if inspect.iscoroutine(value):
                value.close()
                return "Nothing was done: the work was to be awaited, and was not."
            if isinstance(value, Iterator):
                return self._items(value, None, depth, within)
            return describe_qt(value) or _object(value)
        except Exception as error:  # noqa: BLE001 - the value's own code failed; that is what the model is told.
            return f"({_class_name(value)} that can't be read: {describe_error(error)})"

    def _mapping(self, value: Mapping[Any, Any], depth: int, within: tuple[int, ...]) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        for key, part in itertools.islice(value.items(), _ITEMS):
            name = key if isinstance(key, str) else json.dumps(self.of(key, 1, within), ensure_ascii=False)
            shown[_bounded(name, ERROR_LIMIT)] = self.of(part, depth, within)
        if len(value) > _ITEMS:
            shown["…"] = f"{len(value) - _ITEMS} more"
        return shown

    def _items(self, items: Iterator[Any], count: int | None, depth: int, within: tuple[int, ...]) -> list[Any]:
        shown: list[Any] = []
        try:
            shown.extend(self.of(item, depth, within) for item in itertools.islice(items, _ITEMS))
            if count is None and next(items, shown) is not shown:
                shown.append("… (there is more)")
        except Exception as error:  # noqa: BLE001 - what came before the failure is still true.
            shown.append(f"(then it failed: {describe_error(error)})")
        if count is not None and count > _ITEMS:
            shown.append(f"… ({count - _ITEMS} more)")
        if inspect.isgenerator(items):
            items.close()
        return shown


def _simple(value: object) -> Any:
    """Values without parts; None where it isn't one."""
    match value:
        case enum.Enum():
            return value.value if isinstance(value.value, str) else str(value.name or value.value)
        case str():
            return _bounded(value, RESULT_LIMIT)
        case int():
            return value if value.bit_length() <= _INTEGER_BITS else f"(a number of {value.bit_length()} bits)"
        case float():
            return value if value == value and abs(value) != float("inf") else str(value)
        case datetime.datetime() | datetime.date() | datetime.time():
            return value.isoformat()
        case datetime.timedelta():
            return str(value)
        case uuid.UUID() | decimal.Decimal() | complex():
            return str(value)
        case pathlib.PurePath():
            return value.name or "(a folder)"
        case bytes() | bytearray() | memoryview():
            return _binary(bytes(value))
        case type():
            return f"(the class {value.__name__})"
    return None


def _binary(value: bytes) -> str:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    if text.isprintable() and text:
        return _bounded(text, RESULT_LIMIT)
    return f"({len(value)} bytes of binary data)"


def _object(value: object) -> str:
    """An object without a serialiser: its own text if its class gives one, else the name of its class."""
    cls = type(value)
    if cls.__str__ is object.__str__ and cls.__repr__ is object.__repr__:
        return f"({_class_name(value)}, which has no text form)"
    return _hide(str(value))


def _class_name(value: object) -> str:
    return type(value).__name__
