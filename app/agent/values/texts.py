"""Free text: what the recogniser wrote, without the full stop it adds; and dictation of long text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from app.agent.values.spelling import spelled
from app.agent.values.words import any_of, value_words

_QUOTED = re.compile(r'["“„«](?P<inner>[^"“”„«»]*)["”“»]\.?')


def spoken_text(text: str, language: str) -> str:
    """One line of text: outer quotes and one trailing full stop go, all else stays as it was heard."""
    letters = spelled(text, language)
    if letters is not None:
        return letters
    said = " ".join(text.split())
    said = _without_spoken_quotes(said, language)
    if match := _QUOTED.fullmatch(said):
        return match["inner"].strip()
    if said.endswith(".") and not said.endswith(".."):
        said = said[:-1]
    return said.strip(" ,")


def spoken_long_text(text: str, language: str) -> str:
    """Several lines of text: "new line", "new paragraph" and the names of punctuation marks are carried out."""
    letters = spelled(text, language)
    if letters is not None:
        return letters
    words: Mapping[str, Any] = value_words(language)["texts"]
    said = text.strip()
    for mark, names in words["punctuation"].items():
        said = re.sub(rf"[ ,]*{_spoken(names)}[.,]?", mark, said, flags=re.IGNORECASE)
    for breaks, key in (("\n\n", "new_paragraph"), ("\n", "new_line")):
        said = re.sub(rf"[ ,]*{_spoken(words[key])}[.,]?\s*", breaks, said, flags=re.IGNORECASE)
    return re.sub(r"(\n|[.?!] )([a-zà-ÿ])", lambda match: match[1] + match[2].upper(), said)


def _spoken(names: list[str]) -> str:
    return any_of(names).pattern


def _without_spoken_quotes(said: str, language: str) -> str:
    words: Mapping[str, Any] = value_words(language)["texts"]
    opening = rf"^{_spoken(words['quote'])}[,:]?\s+"
    closing = rf"[\s,]+{_spoken(words['unquote'])}\.?$"
    if not re.search(opening, said, re.IGNORECASE):
        return said
    inner = re.sub(closing, "", re.sub(opening, "", said, flags=re.IGNORECASE), flags=re.IGNORECASE)
    return inner.strip(" ,")
