"""Numbers as they are spoken: "forty five", "seven twenty two", "ninety percent", "an hour and a half"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from text_to_num import alpha2digit

from app.agent.values.sound import nearness
from app.agent.values.words import any_of, drop, plain, value_words

_NEAR = 0.7
_MARGIN = 0.04
_ONLY_SOUND = 0.9

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_GROUPED = re.compile(r"(?<=\d)[, ](?=\d{3}(?!\d))")
_COMMA_DECIMAL = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")


def digits(text: str, language: str) -> str:
    """The text with its number words as digits ("forty five minutes" -> "45 minutes")."""
    return str(alpha2digit(text, language, 0))


def minute_words(language: str) -> Sequence[str]:
    """The words for minutes, in normal form."""
    words: Sequence[str] = value_words(language)["numbers"]["minute"]
    return words


def says_unit(text: str, unit: str, language: str) -> bool:
    """Whether a text names a unit; hours and their parts count for minutes."""
    words: Mapping[str, Any] = value_words(language)["numbers"]
    if plain(unit) not in words["minute"]:
        return bool(unit) and bool(any_of([plain(unit)]).search(plain(text)))
    said = any_of([*words["minute"], *words["hour"], *words["parts_of_hour"]])
    return bool(said.search(text.casefold()))


def spoken_number(text: str, language: str, unit: str = "") -> float | None:
    """The number that the text says, or None where it says anything else.

    Arguments:
        text: What was said, such as "forty five minutes".
        language: ISO 639-1 code.
        unit: The field's own unit; hours are turned into minutes where it is minutes.
    """
    words: Mapping[str, Any] = value_words(language)["numbers"]
    said = _grouped(text.strip().casefold(), language)
    if said.startswith("-"):
        return _negated(spoken_number(said[1:], language, unit))
    said = said.replace("-", " ")
    bare = " ".join(re.sub(r"(?<!\d)[.,;:!?]+|[.,;:!?]+(?!\d)", " ", said).split())
    bare = bare.replace("%", " ")
    while (parts := bare.partition(" "))[0] in words["filler"]:
        bare = parts[2]
    first, _, rest = bare.partition(" ")
    if first in words["negative"] and rest:
        return _negated(spoken_number(rest, language, unit))
    if plain(unit) in words["minute"] and (minutes := _hours_as_minutes(bare, words, language)) is not None:
        return minutes
    return _joined(drop(bare, [*words["units"], *([plain(unit)] if unit else [])]), words, language)


def near_number(text: str, language: str, unit: str = "") -> tuple[float, float] | None:
    """The number that sounds most like the text, with its nearness, or None ("for the minutes": forty minutes)."""
    words: Mapping[str, Any] = value_words(language)["numbers"]
    said = plain(text)
    ends = ["", *(f" {word}" for word in words["minute"])] if plain(unit) in words["minute"] else [""]
    ranked = sorted(
        ((nearness(said, f"{name}{end}"), -n) for n, name in words["names"].items() for end in ends), reverse=True
    )
    score, number = ranked[0]
    rival = next((other for other, another in ranked if another != number), 0.0)
    return (-float(number), score * _ONLY_SOUND) if score >= _NEAR and score - rival >= _MARGIN else None


def _grouped(text: str, language: str) -> str:
    if language == "en":
        return _GROUPED.sub("", text)
    return _COMMA_DECIMAL.sub(".", re.sub(r"(?<=\d)[. ](?=\d{3}(?!\d))", "", text))


def _decimal(text: str) -> str:
    return _COMMA_DECIMAL.sub(".", text)


def _negated(number: float | None) -> float | None:
    return None if number is None else -number


def _hours_as_minutes(text: str, words: Mapping[str, Any], language: str) -> float | None:
    if text in words["parts_of_hour"]:
        return float(words["parts_of_hour"][text])
    hours = any_of(words["hour"])
    if not hours.search(text):
        return None
    before, after = (part.strip() for part in hours.split(text, maxsplit=1))
    after = drop(after, [*words["and"], *words["minute"]])
    half = bool(any_of(words["half"]).search(before))
    if half and not drop(before, [*words["half"], *words["one"]]):
        return None if after else 30.0
    whole = _joined(drop(before, [*words["half"], *words["and"]]) or "1", words, language)
    if whole is None:
        return None
    minutes = whole * 60 + (30 if half else 0)
    rest = drop(after, words["one"])
    if not rest:
        return minutes
    if rest in words["half"] or rest in words["quarter"]:
        return minutes + (30 if rest in words["half"] else 15)
    extra = _joined(rest, words, language)
    return None if extra is None else minutes + extra


def _joined(text: str, words: Mapping[str, Any], language: str) -> float | None:
    homophones: Mapping[str, str] = words["homophones"]
    tokens = text.split()
    # "to" is two only where nothing else is said; before a number it is the preposition.
    if len(tokens) > 1 and tokens[0] in homophones and tokens[0] in words["prepositions"]:
        tokens = tokens[1:]
    tokens = [homophones.get(token, token) for token in tokens]
    if tokens and tokens[0] in words["one"]:
        tokens[0] = words["one_word"]
    said = [part for part in _decimal(digits(" ".join(tokens), language)).split() if part not in words["and"]]
    if not said or not all(_NUMBER.fullmatch(part) for part in said):
        return None
    if len(said) > 1 and any("." in part or "-" in part for part in said):
        return None
    number, last = said[0], said[0]
    for part in said[1:]:
        # "40 5" is forty-five; "7 22" is seven twenty-two; "4 5" is four five.
        if len(last) == 2 and last.endswith("0") and len(part) == 1:
            number = number[:-1] + part
        else:
            number += part
        last = part
    return float(number)
