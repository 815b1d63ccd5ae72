"""The table of sentences, typed: each must propose what it says, on the page it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from command_driver import Driver
from command_screens import screen

_LANGUAGES = ("en", "de", "es")
_TABLES = ("commands", "commands_said")


def _cases(table_name: str, language: str) -> list[tuple[str, str, str, list[list[Any]]]]:
    path = Path(__file__).parent / f"{table_name}_{language}.yaml"
    table: dict[str, list[list[Any]]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return [(language, page, row[0], row[1:]) for page, rows in table.items() for row in rows]


_CASES = [case for name in _TABLES for language in _LANGUAGES for case in _cases(name, language)]


@pytest.fixture(scope="module")
def drivers() -> dict[str, Driver]:
    return {language: Driver(screen, language) for language in _LANGUAGES}


@pytest.mark.parametrize(("language", "page", "text", "wanted"), _CASES, ids=[f"{c[0]} {c[1]}: {c[2]}" for c in _CASES])
def test_sentence_proposes_what_the_table_says(
    drivers: dict[str, Driver], language: str, page: str, text: str, wanted: list[list[Any]]
) -> None:
    assert drivers[language].say(page, text) == wanted


def test_unknown_language_is_read_as_english() -> None:
    assert Driver(screen, "fi").say("Contributions", "click save") == [["click", "Save"]]
