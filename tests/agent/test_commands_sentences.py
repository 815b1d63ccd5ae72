"""The table of sentences, typed: each must propose what it says, on the page it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from command_driver import Driver
from command_screens import screen

_TABLE: dict[str, list[list[Any]]] = yaml.safe_load(
    (Path(__file__).parent / "commands_en.yaml").read_text(encoding="utf-8")
)
_CASES = [(page, row[0], row[1:]) for page, rows in _TABLE.items() for row in rows]


@pytest.fixture(scope="module")
def driver() -> Driver:
    return Driver(screen)


@pytest.mark.parametrize(("page", "text", "wanted"), _CASES, ids=[f"{page}: {text}" for page, text, _ in _CASES])
def test_sentence_proposes_what_the_table_says(driver: Driver, page: str, text: str, wanted: list[list[Any]]) -> None:
    assert driver.say(page, text) == wanted
