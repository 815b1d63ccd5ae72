"""One door to spoken and typed values: text in, JSON of the target's type out, or a sentence about what it takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.snapshot import ValueType
from app.agent.values.addresses import spoken_email, spoken_phone, spoken_url
from app.agent.values.choices import FAR, NEAR, spoken_boolean, spoken_choice, spoken_choices, strings
from app.agent.values.dates import spoken_date
from app.agent.values.numbers import near_number, spoken_number
from app.agent.values.texts import spoken_long_text, spoken_text
from app.agent.values.times import spoken_time

_LISTED = 12


@dataclass(frozen=True, slots=True)
class ValueReading:
    """A value as its field takes it.

    Attributes:
        value: JSON of the field's type: an integer for `integer`, ISO text for dates, a list for `choices`.
        quality: Between 0 and 1: 1 where the words say exactly this, less where they only sound like it.
    """

    value: Json
    quality: float = 1.0


def parse_value(
    text: str,
    value_type: ValueType,
    state: Mapping[str, Json],
    *,
    language: str = "en",
    today: date | None = None,
) -> Json:
    """The value that a text says for a field of that type.

    Arguments:
        text: What was said or typed. An empty text clears a field that isn't required.
        value_type: The field's type.
        state: The field's state: `choices`, `synonyms`, `minimum`, `maximum`, `unit`, `required` are used.
        language: ISO 639-1 code of the words.
        today: What "tomorrow" counts from; the computer's date by default.

    Raises:
        ToolError: The field doesn't take this. The message says in one sentence what it takes.
    """
    return read_value(text, value_type, state, language=language, today=today).value


def read_value(
    text: str,
    value_type: ValueType,
    state: Mapping[str, Json],
    *,
    language: str = "en",
    today: date | None = None,
    lenient: bool = False,
) -> ValueReading:
    """As `parse_value`, with how well the words fit.

    Arguments:
        lenient: Take choices and numbers that sound only a little like what was heard; `quality` says how little.

    Raises:
        ToolError: The field doesn't take this.
    """
    if not text.strip():
        return _cleared(value_type, state)
    reading = _read(text, value_type, state, language, today or date.today(), lenient)  # noqa: DTZ011 - a person's own day
    if reading is None:
        raise ToolError(f"{_accepted(value_type, state)} is needed here, not “{text.strip()}”.")
    return reading


def _read(
    text: str, value_type: ValueType, state: Mapping[str, Json], language: str, today: date, lenient: bool
) -> ValueReading | None:
    match value_type:
        case "text":
            return ValueReading(spoken_text(text, language))
        case "long_text":
            return ValueReading(spoken_long_text(text, language))
        case "integer" | "number":
            return _number(text, value_type, state, language, lenient)
        case "date":
            day = spoken_date(text, language, today)
            return None if day is None else ValueReading(day.isoformat())
        case "time":
            moment = spoken_time(text, language)
            return None if moment is None else ValueReading(moment.isoformat("minutes"))
        case "email":
            return _sure(spoken_email(text, language))
        case "url":
            address = spoken_url(text, language)
            return None if address is None else ValueReading(address)
        case "phone":
            number = spoken_phone(text, language)
            return None if number is None else ValueReading(number)
        case "choice":
            return _sure(spoken_choice(text, state, language, FAR if lenient else NEAR))
        case "choices":
            return _sure(spoken_choices(text, state, language))
        case "boolean":
            answer = spoken_boolean(text, language)
            return None if answer is None else ValueReading(answer)


def _sure(found: tuple[Json, float] | None) -> ValueReading | None:
    return None if found is None else ValueReading(*found)


def _number(
    text: str, value_type: ValueType, state: Mapping[str, Json], language: str, lenient: bool
) -> ValueReading | None:
    unit = state.get("unit")
    unit = unit if isinstance(unit, str) else ""
    number, quality = spoken_number(text, language, unit), 1.0
    if number is None and lenient:
        number, quality = near_number(text, language, unit) or (None, 0.0)
    if number is None or (value_type == "integer" and not number.is_integer()):
        return None
    lowest, highest = _bound(state, "minimum"), _bound(state, "maximum")
    if (lowest is not None and number < lowest) or (highest is not None and number > highest):
        return None
    return ValueReading(int(number) if number.is_integer() else number, quality)


def _bound(state: Mapping[str, Json], key: str) -> float | None:
    value = state.get(key)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _cleared(value_type: ValueType, state: Mapping[str, Json]) -> ValueReading:
    choices = strings(state.get("choices"))
    if state.get("required") or value_type == "boolean" or (value_type == "choice" and choices and "" not in choices):
        raise ToolError(f"This can't be empty: {_accepted(value_type, state, capital=False)} is needed.")
    return ValueReading([] if value_type == "choices" else "")


def _accepted(value_type: ValueType, state: Mapping[str, Json], *, capital: bool = True) -> str:
    sentence = {
        "text": "some text",
        "long_text": "some text",
        "integer": "a whole number",
        "number": "a number",
        "date": "a date with day and month, such as “3 May 2027”,",
        "time": "a time of day, such as “9:30”,",
        "email": "an e-mail address, such as “jane@example.com”,",
        "url": "a web address, such as “example.com/talks”,",
        "phone": "a phone number",
        "choice": "one of the choices",
        "choices": "one or more of the choices",
        "boolean": "yes or no",
    }[value_type]
    lowest, highest = _bound(state, "minimum"), _bound(state, "maximum")
    if value_type in ("integer", "number"):
        if lowest is not None and highest is not None:
            sentence += f" from {lowest:g} to {highest:g}"
        elif lowest is not None or highest is not None:
            sentence += f" of at least {lowest:g}" if lowest is not None else f" of at most {highest:g}"
    choices = [choice for choice in strings(state.get("choices")) if choice]
    if value_type in ("choice", "choices") and choices:
        more = ", ..." if len(choices) > _LISTED else ""
        sentence = f"{sentence} ({', '.join(choices[:_LISTED])}{more})"
    return sentence[0].upper() + sentence[1:] if capital else sentence
