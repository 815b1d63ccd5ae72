"""E-mail addresses, web addresses and phone numbers as they are spoken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from app.agent.values.numbers import digits
from app.agent.values.words import any_of, value_words

_EMAIL = re.compile(r"[\w.+-]+@(?:[\w-]+\.)+[a-z]{2,}")
_URL = re.compile(r"(?:https?://)?(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?")
_SQUEEZED = re.compile(r"(\w{2,}?)(?:at|et)(?:\s+|(?=[a-z]{4,}\.))((?:[\w-]+\.)+[a-z]{2,})")
_PHONE = re.compile(r"\+?\d{3,15}")
_MOST_GAPS = 2
"""Words run together in a web address: "my web site dot com" is one, a sentence with a full stop in it is none."""

SQUEEZED_QUALITY = 0.85
"""An address whose "at" had to be found inside a word: right only where no clearer reading exists."""


def spoken_email(text: str, language: str) -> tuple[str, float] | None:
    """The address and how sure it is, or None ("jane at example dot com" -> jane@example.com)."""
    said = _symbols(text, language)
    if "@" not in said:
        said = any_of(value_words(language)["addresses"]["at"]).sub("@", said, count=1)
    address = re.sub(r"\s+", "", said)
    if _EMAIL.fullmatch(address):
        return address, 1.0
    if "@" not in address and (found := _SQUEEZED.fullmatch(said)):
        address = f"{found[1]}@{found[2]}"
        return (address, SQUEEZED_QUALITY) if _EMAIL.fullmatch(address) else None
    return None


def spoken_url(text: str, language: str) -> str | None:
    """The web address, as said: with a scheme only where one was said ("example dot com slash talks")."""
    words: Mapping[str, Any] = value_words(language)["addresses"]
    said = any_of(words["slash"]).sub("/", any_of(words["colon"]).sub(":", _symbols(text, language)))
    said = re.sub(r"\s*([:/])\s*", r"\1", said)
    address = re.sub(r"\s+", "", said)
    return address if len(said) - len(address) <= _MOST_GAPS and _URL.fullmatch(address) else None


def spoken_phone(text: str, language: str) -> str | None:
    """The number as digits with a leading "+" where one was said ("plus four nine, double five")."""
    words: Mapping[str, Any] = value_words(language)["addresses"]
    said = any_of(words["plus"]).sub("+", text.casefold())
    said = any_of(value_words(language)["numbers"]["zero"]).sub("0", said)
    doubled = any_of(words["double"]).sub("double", said)
    numbers = digits(re.sub(r"[().,/\-]", " ", doubled), language)
    numbers = re.sub(r"double\s*(\d)", r"\1\1", numbers)
    number = re.sub(r"\s+", "", numbers)
    return number if _PHONE.fullmatch(number) else None


def _symbols(text: str, language: str) -> str:
    words: Mapping[str, Any] = value_words(language)["addresses"]
    said = text.strip().rstrip(".,!?").casefold()
    for kind, symbol in (("dot", "."), ("underscore", "_"), ("dash", "-"), ("plus", "+")):
        said = any_of(words[kind]).sub(symbol, said)
    # A recogniser writes "example.com" and "example. com"; only the symbols hold the parts together.
    return re.sub(r"\s*([._+@-])\s*", r"\1", said)
