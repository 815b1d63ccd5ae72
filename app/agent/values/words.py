"""Words for values in one language, read from the data files; and the normal form that words are compared in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

import yaml

from app.resources import grammar_dir

_OUTER = re.compile(r"^\W+|[^\w%]+$")
_BETWEEN = re.compile(r"[\s\-–—‐_/]+")


def without_accents(text: str) -> str:
    """Letters without their accents, and "ss" for a sharp s."""
    letters = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Lower case, no accents, no apostrophes, no punctuation round words, single spaces."""
    bare = without_accents(text).casefold().replace("'", "").replace("’", "")
    words = (_OUTER.sub("", word) for word in _BETWEEN.split(bare))
    return " ".join(word for word in words if word)


@cache
def value_words(language: str) -> Mapping[str, Any]:
    """The word lists of a language; English where there is no file for it."""
    path = grammar_dir() / f"values-{language}.yaml"
    if not path.is_file():
        path = grammar_dir() / "values-en.yaml"
    return MappingProxyType(yaml.safe_load(path.read_text(encoding="utf-8")))


def section(language: str, name: str) -> Mapping[str, Any]:
    """A part of the word lists of a language; the English one where the language has none."""
    words: Mapping[str, Any] = value_words(language).get(name) or value_words("en")[name]
    return words


@cache
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(r"(?<!\w)(?:" + "|".join(re.escape(word) for word in longest_first) + r")(?!\w)")


def any_of(words: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of the phrases, as whole words."""
    return _pattern(tuple(words))


def drop(text: str, words: Iterable[str]) -> str:
    """The text without those words."""
    return " ".join(any_of(words).sub(" ", text).split())
