"""Dates as they are spoken: "the third of May twenty twenty seven", "next Friday", "in two weeks"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from typing import Any

from app.agent.values.numbers import digits
from app.agent.values.words import any_of, drop, value_words

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMERIC = re.compile(r"(\d{1,2})([./\-])(\d{1,2})\2(\d{4})")
_SPLIT_YEAR = re.compile(r"\b(19|20|21)[ ,]+(\d\d)\b")
_TWICE_TWENTY = re.compile(r"\b(20[2-9])0 (?:2?)(\d)\b")
"""What a recogniser writes for "twenty twenty seven": 2020 7, 2020-27."""


def spoken_date(text: str, language: str, today: date) -> date | None:
    """The date that the text says, or None where it says anything less than a day.

    A day without a year is the next one from `today` on. A bare month, number or name is no date.
    """
    said = text.strip().strip(".,!?").casefold()
    if match := _ISO.fullmatch(said):
        return _date(int(match[1]), int(match[2]), int(match[3]))
    if match := _NUMERIC.fullmatch(said):
        return _numeric(int(match[1]), int(match[3]), int(match[4]), match[2], language)
    words: Mapping[str, Any] = value_words(language)["dates"]
    numbered = _words_of(digits(_words_of(said), language))
    return _relative(numbered, words, today) or _absolute(numbered, words, language, today)


def _words_of(text: str) -> str:
    """The text without punctuation; accents stay, as the words of dates have them."""
    return " ".join(re.sub(r"[^\w\s]", " ", text.replace("'", "").replace("’", "")).split())


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _numeric(first: int, second: int, year: int, separator: str, language: str) -> date | None:
    # English readers differ about 5/3: where both orders make a date, neither is guessed.
    if separator == "." or language != "en" or first > 12 or first == second:
        return _date(year, second, first)
    return _date(year, first, second) if second > 12 else None


def _relative(said: str, words: Mapping[str, Any], today: date) -> date | None:
    bare = drop(said, words["skip"])
    for days, key in ((0, "today"), (1, "tomorrow"), (2, "day_after_tomorrow"), (-1, "yesterday")):
        if said in words[key] or bare in (drop(phrase, words["skip"]) for phrase in words[key]):
            return today + timedelta(days=days)
    return _weekday(bare, words, today) or _in_some_time(said, words, today)


def _weekday(bare: str, words: Mapping[str, Any], today: date) -> date | None:
    parts = bare.split()
    names: list[str] = words["weekdays"]
    found = [part for part in parts if part in names]
    if len(found) != 1:
        return None
    others = [part for part in parts if part not in found]
    ahead = (names.index(found[0]) - today.weekday()) % 7
    monday = today - timedelta(days=today.weekday())
    if not others or (len(others) == 1 and others[0] in words["this"]):
        return today + timedelta(days=ahead or 7)
    if others[0] in words["next"] and (len(others) == 1 or others[1:] == words["week"][:1]):
        # "Next Friday" said on a Monday is the Friday of the week after, as a calendar has it.
        return monday + timedelta(days=7 + names.index(found[0]))
    return None


def _in_some_time(said: str, words: Mapping[str, Any], today: date) -> date | None:
    units: Mapping[str, list[str]] = words["units"]
    unit_of = {word: unit for unit, names in units.items() for word in names}
    text, sign = said, 1
    if any_of(words["from_now"]).search(said):
        text = drop(said, words["from_now"])
    elif any_of(words["ago"]).search(said):
        text, sign = drop(said, words["ago"]), -1
    elif said.split()[:1] and said.split()[0] in words["in"]:
        text = " ".join(said.split()[1:])
    elif said.split()[:1] and said.split()[0] in words["next"]:
        text = "1 " + " ".join(said.split()[1:])
    else:
        return None
    parts = [part for part in text.split() if part]
    if len(parts) == 1:
        parts.insert(0, "1")
    amount = "1" if parts and parts[0] in words["one"] else (parts[0] if parts else "")
    if len(parts) != 2 or not amount.isdigit() or parts[1] not in unit_of:
        return None
    count = sign * int(amount)
    unit = unit_of[parts[1]]
    if unit in ("day", "week"):
        return today + timedelta(days=count * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "year" else 1)
    year, month = divmod(months, 12)
    return _date(year, month + 1, min(today.day, calendar.monthrange(year, month + 1)[1])) if 0 < year < 9999 else None


def _absolute(said: str, words: Mapping[str, Any], language: str, today: date) -> date | None:
    # Imported here: it takes 0.2 s, and most sentences hold no date.
    from dateparser.date import DateDataParser

    text = _SPLIT_YEAR.sub(r"\1\2", _TWICE_TWENTY.sub(r"\1\2", said))
    edge = next((key for key in ("end_of", "start_of") if any_of(words[key]).search(text)), "")
    if edge:
        text = "1 " + drop(text, words[edge])
    suffixes = "|".join(re.escape(suffix) for suffix in words["ordinal_suffixes"])
    text = drop(re.sub(rf"(?<=\d)(?:{suffixes})(?!\w)", "", text), words["skip"])
    if len(re.findall(r"\d+", text)) > 2:
        return None
    parser = DateDataParser(
        languages=[language],
        settings={
            "REQUIRE_PARTS": ["day", "month"],
            "PARSERS": ["absolute-time"],
            "DATE_ORDER": "DMY",
            "PREFER_DATES_FROM": "future",
            # The day before, so that today itself counts as coming.
            "RELATIVE_BASE": datetime.combine(today - timedelta(days=1), time()),
        },
    )
    found = parser.get_date_data(text).date_obj
    if found is None or not any(letter.isalpha() for letter in text):
        return None
    day = date(found.year, found.month, found.day)
    if edge == "end_of":
        day = day.replace(day=calendar.monthrange(day.year, day.month)[1])
    return day
