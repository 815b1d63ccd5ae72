"""How dictated words go on from the text before them: spaces, capitals, punctuation marks, lines."""

from __future__ import annotations

import re

from app.agent.values.texts import spoken_long_text
from app.agent.values.words import any_of, plain, section, value_words

_ENDS_SENTENCE = re.compile(r"(^|[.?!…][\"”’)]*\s*|\n\s*)$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


def addition(heard: str, before: str, language: str) -> str:
    """What has to stand after `before` when `heard` was dictated: with the space between them, if one belongs there."""
    said = _with_marks(heard.strip(), language)
    begins = _ENDS_SENTENCE.search(before) is not None
    said = said[:1].upper() + said[1:] if begins else _going_on(said, language)
    return gap(before, said) + said


def gap(before: str, added: str) -> str:
    """The space that belongs between a text and what is added to it."""
    if not before or before[-1].isspace() or not added or added[0].isspace() or added[0] in ",.;:?!)":
        return ""
    return " "


def _with_marks(said: str, language: str) -> str:
    """Carries out the names of marks; the mark that the recogniser put before such a name goes."""
    names = [name for mark in value_words(language)["texts"]["punctuation"].values() for name in mark]
    said = re.sub(rf"[.,;:?!]\s+(?={any_of(names).pattern})", " ", said, flags=re.IGNORECASE)
    return spoken_long_text(said, language).lstrip(" ")


def _going_on(said: str, language: str) -> str:
    """Takes the capital from a first word that has it only because the recogniser begins so."""
    first = _FIRST_WORD.match(said)
    if first and plain(first[0]) in section(language, "dictation")["small"]:
        return said[:1].lower() + said[1:]
    return said
