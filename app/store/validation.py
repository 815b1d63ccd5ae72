"""Checks the values of a form before they are stored, and says for each field what it accepts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import TypeAlias
from urllib.parse import urlsplit

from app.store.errors import InvalidFieldsError
from app.store.fields import Field, KindInfo
from app.store.json_types import Json

Clean: TypeAlias = "str | int | bool | date | tuple[str, ...] | None"
"""A value as a column takes it."""

_EMAIL = re.compile(r"[^@\s]+@[^@\s.]+(\.[^@\s.]+)+")
_TEXTS = ("text", "long_text", "email", "url")


class _RefusedError(Exception):
    """The value does not fit; the message is what follows the field's label."""


def clean(info: KindInfo, changes: Mapping[str, Json], current: Mapping[str, Json] | None) -> dict[str, Clean]:
    """Turns the values given into what the columns take.

    Args:
        info: The kind of record.
        changes: Field key to value. Of a new record, what is missing takes its initial value.
        current: The values stored now, or None for a new record.

    Raises:
        InvalidFieldsError: At least one value does not fit its field. All of them are named.
    """
    given = changes if current is not None else {**info.initial(), **changes}
    cleaned: dict[str, Clean] = {}
    errors: dict[str, str] = {}
    known = {each.key: each for each in info.fields}
    for key, value in given.items():
        field = known.get(key)
        if field is None:
            errors[key] = f"There is no field {key!r} in a {info.noun}."
            continue
        try:
            cleaned[key] = _clean_value(field, value)
            _check_editable(info, field, cleaned[key], current)
        except _RefusedError as refused:
            errors[key] = f"{field.label} {refused}"
    if not errors:
        errors = _order_of_dates(info, cleaned, current or {})
    if errors:
        raise InvalidFieldsError(errors)
    return cleaned


def to_json(value: Clean) -> Json:
    """A column's value as `Record.fields` shows it: dates as ISO text."""
    return value.isoformat() if isinstance(value, date) else value


def from_json(field: Field, value: Json) -> Clean:
    """The column's value for one that `to_json` gave, unchecked."""
    if field.value_type == "date" and isinstance(value, str):
        return date.fromisoformat(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(str(each) for each in value)
    assert value is None or isinstance(value, str | int)
    return value


def _clean_value(field: Field, value: Json) -> Clean:
    cleaned = _convert(field, value)
    if field.required and cleaned in ("", None, ()):
        raise _RefusedError("is needed.")
    return cleaned


def _convert(field: Field, value: Json) -> Clean:
    if field.value_type in _TEXTS:
        return _text(field, value)
    if field.value_type == "choices":
        return _choices(field, value)
    if field.value_type == "boolean":
        if not isinstance(value, bool):
            raise _RefusedError("is either on or off.")
        return value
    if value is None or value == "":
        return None
    if field.value_type == "integer":
        return _integer(field, value)
    if field.value_type == "date":
        return _date(value)
    if not isinstance(value, str) or (field.choices and value not in field.choices):
        raise _RefusedError(f"is one of: {', '.join(field.choices)}." if field.choices else "takes one of the list.")
    return str(value)


def _text(field: Field, value: Json) -> str:
    if not isinstance(value, str):
        raise _RefusedError("takes text.")
    if "\0" in value or any("\ud800" <= character <= "\udfff" for character in value):
        # PostgreSQL refuses the first, UTF-8 the second.
        raise _RefusedError("has a character that can't be stored.")
    if field.value_type == "long_text":
        return value
    line = " ".join(value.splitlines()).strip()
    if field.value_type == "email" and line and not _EMAIL.fullmatch(line):
        raise _RefusedError("takes an address such as name@example.com.")
    if field.value_type == "url" and line and not _is_web_address(line):
        raise _RefusedError("takes an address such as https://example.com.")
    return line


def _is_web_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host) and not re.search(r"\s", text)


def _integer(field: Field, value: Json) -> int:
    low, high = field.minimum, field.maximum
    if isinstance(value, bool) or not isinstance(value, int):
        raise _RefusedError(f"takes a whole number{f' of {field.unit}' if field.unit else ''}, such as 45.")
    if (low is not None and value < low) or (high is not None and value > high):
        raise _RefusedError(f"is between {low} and {high} {field.unit}".rstrip() + ".")
    return value


def _date(value: Json) -> date:
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d{2}-\d{2}", value, re.ASCII):
        try:
            return date.fromisoformat(value)
        except ValueError:
            pass
    raise _RefusedError("takes a date, such as 2027-05-03.")


def _choices(field: Field, value: Json) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence) or not all(isinstance(each, str) for each in value):
        raise _RefusedError("takes a list.")
    kept: dict[str, str] = {}
    for each in value:
        text = str(each) if field.references else _text(field, each)
        if text:
            kept.setdefault(text if field.references else text.casefold(), text)
    return tuple(kept.values())


def _check_editable(info: KindInfo, field: Field, value: Clean, current: Mapping[str, Json] | None) -> None:
    if field.editable == "always" or (field.editable == "once" and current is None):
        return
    stored = current[field.key] if current is not None else field.initial
    if to_json(value) != stored:
        raise _RefusedError(f"can't be changed: it keeps what the {info.noun} was made with.")


def _order_of_dates(info: KindInfo, cleaned: Mapping[str, Clean], current: Mapping[str, Json]) -> dict[str, str]:
    """Refuses an end before the start, where this change brings it about."""
    if info.kind != "conference" or not {"starts_on", "ends_on"} & cleaned.keys():
        return {}
    start, end = (str(to_json(cleaned[k]) if k in cleaned else current.get(k)) for k in ("starts_on", "ends_on"))
    if "None" in (start, end) or start <= end:
        return {}
    return {"ends_on": f"{info.field('ends_on').label} is before {info.field('starts_on').label}."}
