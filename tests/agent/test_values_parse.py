"""Values as people say them, by the type of the field they go into."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.snapshot import ValueType
from app.agent.values import parse_value, read_value

MONDAY = date(2026, 11, 30)
MINUTES: Mapping[str, Json] = {"unit": "minutes", "minimum": 1, "maximum": 600}
FORMAT: Mapping[str, Json] = {"choices": ["Talk", "Workshop", "Lightning talk", "Keynote"]}
LEVEL: Mapping[str, Json] = {"choices": ["Beginner", "Intermediate", "Advanced"], "synonyms": {"Beginner": ["easy"]}}
STATUS: Mapping[str, Json] = {"choices": ["Draft", "Submitted", "Accepted", "Rejected", "Withdrawn"]}

ACCEPTED: list[tuple[ValueType, Mapping[str, Json], str, Json]] = [
    ("integer", MINUTES, "forty five", 45),
    ("integer", MINUTES, "45 minutes", 45),
    ("integer", MINUTES, "forty-five minutes.", 45),
    ("integer", MINUTES, "40 5", 45),
    ("integer", MINUTES, "too", 2),
    ("integer", MINUTES, "for", 4),
    ("integer", MINUTES, "to", 2),
    ("integer", MINUTES, "to forty", 40),
    ("integer", MINUTES, "about 20", 20),
    ("integer", MINUTES, "an hour", 60),
    ("integer", MINUTES, "half an hour", 30),
    ("integer", MINUTES, "an hour and a half", 90),
    ("integer", MINUTES, "one hour thirty", 90),
    ("integer", MINUTES, "1 hour and 15 minutes", 75),
    ("integer", MINUTES, "a hundred and twenty", 120),
    ("integer", MINUTES, "one oh five", 105),
    ("integer", {}, "seven twenty two", 722),
    ("integer", {}, "ninety percent", 90),
    ("integer", {}, "one hundred percent", 100),
    ("integer", {}, "100%", 100),
    ("integer", {}, "two thousand and twenty seven", 2027),
    ("integer", {}, "1,000", 1000),
    ("number", {}, "one point five", 1.5),
    ("number", {}, "minus five", -5),
    ("number", {}, "-2.5", -2.5),
    ("date", {}, "the third of May twenty twenty seven", "2027-05-03"),
    ("date", {}, "third of May 2027", "2027-05-03"),
    ("date", {}, "the 3rd of May 2027.", "2027-05-03"),
    ("date", {}, "3 May 20, 27", "2027-05-03"),
    ("date", {}, "May 3rd, 2027", "2027-05-03"),
    ("date", {}, "Monday, 3 May 2027", "2027-05-03"),
    ("date", {}, "2027-05-03", "2027-05-03"),
    ("date", {}, "3.5.2027", "2027-05-03"),
    ("date", {}, "13/05/2027", "2027-05-13"),
    ("date", {}, "3 May", "2027-05-03"),
    ("date", {}, "31 December", "2026-12-31"),
    ("date", {}, "today", "2026-11-30"),
    ("date", {}, "tomorrow", "2026-12-01"),
    ("date", {}, "the day after tomorrow", "2026-12-02"),
    ("date", {}, "Friday", "2026-12-04"),
    ("date", {}, "this Friday", "2026-12-04"),
    ("date", {}, "next Friday", "2026-12-11"),
    ("date", {}, "friday next week", "2026-12-11"),
    ("date", {}, "in two weeks", "2026-12-14"),
    ("date", {}, "in a week", "2026-12-07"),
    ("date", {}, "a week from today", "2026-12-07"),
    ("date", {}, "two weeks ago", "2026-11-16"),
    ("date", {}, "in three months", "2027-02-28"),
    ("date", {}, "next month", "2026-12-30"),
    ("date", {}, "end of June", "2027-06-30"),
    ("time", {}, "half past nine", "09:30"),
    ("time", {}, "quarter to ten", "09:45"),
    ("time", {}, "9:30", "09:30"),
    ("time", {}, "nine thirty", "09:30"),
    ("time", {}, "nine p.m.", "21:00"),
    ("time", {}, "noon", "12:00"),
    ("email", {}, "jane at example dot com", "jane@example.com"),
    ("email", {}, "Jane@example.com.", "jane@example.com"),
    ("email", {}, "jane at example.com", "jane@example.com"),
    ("email", {}, "janeatexample.com", "jane@example.com"),
    ("email", {}, "jane underscore doe at my dash site dot co dot uk", "jane_doe@my-site.co.uk"),
    ("url", {}, "example dot com slash talks", "example.com/talks"),
    ("url", {}, "Example.org.", "example.org"),
    ("url", {}, "https colon slash slash example dot com", "https://example.com"),
    ("phone", {}, "plus four nine one five one double five", "+4915155"),
    ("phone", {}, "0049 151 22", "004915122"),
    ("choice", FORMAT, "lightning talk", "Lightning talk"),
    ("choice", FORMAT, "a workshop", "Workshop"),
    ("choice", FORMAT, "work shop", "Workshop"),
    ("choice", FORMAT, "Lightning tall.", "Lightning talk"),
    ("choice", LEVEL, "in advance", "Advanced"),
    ("choice", LEVEL, "easy", "Beginner"),
    ("choice", STATUS, "excepted", "Accepted"),
    ("choice", STATUS, "with drawn", "Withdrawn"),
    ("choices", {"choices": ["python", "voice", "testing"]}, "Python and voice", ["python", "voice"]),
    ("choices", {}, "one thing, another", ["one thing", "another"]),
    ("boolean", {}, "Yes.", True),
    ("boolean", {}, "off", False),
    ("text", {}, "Voice control for everyone.", "Voice control for everyone"),
    ("text", {}, "Who are we?", "Who are we?"),
    ("text", {}, "“Hello there”", "Hello there"),
    ("text", {}, "quote hello unquote", "hello"),
    (
        "long_text",
        {},
        "Hello there. New line. second line comma and more new paragraph third full stop",
        "Hello there.\nSecond line, and more\n\nThird.",
    ),
    ("long_text", {}, "the new lining and the period after it", "the new lining and the period after it"),
    ("text", {}, "", ""),
    ("date", {}, "", ""),
    ("choices", {}, "", []),
]

REFUSED: list[tuple[ValueType, Mapping[str, Json], str, str]] = [
    ("integer", MINUTES, "banana", "whole number from 1 to 600"),
    ("integer", MINUTES, "seven twenty two", "whole number from 1 to 600"),
    ("integer", MINUTES, "2.5", "whole number"),
    ("integer", {"minimum": 5}, "minus five", "at least 5"),
    ("date", {}, "Berlin", "a date with day and month"),
    ("date", {}, "May", "a date with day and month"),
    ("date", {}, "15", "a date with day and month"),
    ("date", {}, "2027", "a date with day and month"),
    ("date", {}, "05/03/2027", "a date with day and month"),
    ("date", {}, "the 31st of June", "a date with day and month"),
    ("date", {}, "3 May banana 2027", "a date with day and month"),
    ("time", {}, "banana", "a time of day"),
    ("time", {}, "25:00", "a time of day"),
    ("email", {}, "at one dot me and John", "an e-mail address"),
    ("email", {}, "jane", "an e-mail address"),
    ("url", {}, "hello", "a web address"),
    ("url", {}, "That is not a valid number. Please try again.", "a web address"),
    ("phone", {}, "call me", "a phone number"),
    ("choice", STATUS, "accepted and saved", "Draft, Submitted, Accepted"),
    ("choice", STATUS, "not clear to me", "Draft, Submitted, Accepted"),
    ("choice", FORMAT, "banana", "Talk, Workshop"),
    ("choice", FORMAT, "", "can't be empty"),
    ("choices", {"choices": ["a", "b"]}, "a and zebra", "one or more"),
    ("boolean", {}, "perhaps", "yes or no"),
    ("text", {"required": True}, " ", "can't be empty"),
]


@pytest.mark.parametrize(("value_type", "state", "said", "value"), ACCEPTED, ids=lambda part: str(part)[:40])
def test_value_is_read_as_it_is_said(value_type: ValueType, state: Mapping[str, Json], said: str, value: Json) -> None:
    assert parse_value(said, value_type, state, today=MONDAY) == value


@pytest.mark.parametrize(("value_type", "state", "said", "wanted"), REFUSED, ids=lambda part: str(part)[:40])
def test_refusal_says_what_is_accepted(
    value_type: ValueType, state: Mapping[str, Json], said: str, wanted: str
) -> None:
    with pytest.raises(ToolError) as refusal:
        parse_value(said, value_type, state, today=MONDAY)
    assert wanted.casefold() in str(refusal.value).casefold()
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize(
    ("language", "value_type", "said", "value"),
    [
        ("de", "integer", "fünfundvierzig Minuten", 45),
        ("de", "integer", "zwei Stunden", 120),
        ("de", "number", "drei Komma fünf", 3.5),
        ("de", "date", "der dritte Mai zweitausendsiebenundzwanzig", "2027-05-03"),
        ("de", "date", "nächsten Freitag", "2026-12-11"),
        ("de", "date", "in zwei Wochen", "2026-12-14"),
        ("de", "date", "übermorgen", "2026-12-02"),
        ("de", "date", "3.5.2027", "2027-05-03"),
        ("de", "time", "halb zehn", "09:30"),
        ("de", "time", "neun Uhr dreißig", "09:30"),
        ("de", "email", "jane at beispiel punkt de", "jane@beispiel.de"),
        ("de", "boolean", "ja", True),
        ("de", "long_text", "Erste Zeile. Neue Zeile. zweite Komma dritte", "Erste Zeile.\nZweite, dritte"),
        ("es", "integer", "cuarenta y cinco minutos", 45),
        ("es", "integer", "media hora", 30),
        ("es", "date", "tres de mayo de dos mil veintisiete", "2027-05-03"),
        ("es", "date", "el próximo viernes", "2026-12-11"),
        ("es", "date", "pasado mañana", "2026-12-02"),
        ("es", "time", "las diez menos cuarto", "09:45"),
        ("es", "time", "las nueve y media de la noche", "21:30"),
        ("es", "email", "jane arroba ejemplo punto com", "jane@ejemplo.com"),
        ("es", "boolean", "sí", True),
    ],
)
def test_german_and_spanish_values(language: str, value_type: ValueType, said: str, value: Json) -> None:
    assert parse_value(said, value_type, {"unit": "minutes"}, language=language, today=MONDAY) == value


def test_homophones_are_numbers_in_number_fields_only() -> None:
    assert parse_value("too", "text", {}) == "too"
    assert parse_value("at one dot me and John", "text", {}) == "at one dot me and John"


def test_address_with_its_at_inside_a_word_is_less_sure() -> None:
    squeezed = read_value("janeatexample.com", "email", {})
    spoken = read_value("jane at example dot com", "email", {})
    assert squeezed.value == spoken.value
    assert squeezed.quality < spoken.quality


def test_lenient_reading_takes_the_number_or_choice_that_sounds_most_alike() -> None:
    assert read_value("for the minutes", "integer", MINUTES, lenient=True).value == 40
    assert read_value("begin up", "choice", LEVEL, lenient=True).value == "Beginner"
    with pytest.raises(ToolError):
        read_value("begin up", "choice", LEVEL)
    with pytest.raises(ToolError):
        read_value("banana", "integer", MINUTES, lenient=True)


def test_bare_day_is_the_next_one_from_today_on() -> None:
    assert parse_value("30 November", "date", {}, today=MONDAY) == "2026-11-30"
    assert parse_value("29 November", "date", {}, today=MONDAY) == "2027-11-29"
