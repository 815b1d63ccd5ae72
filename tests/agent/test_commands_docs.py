"""docs/commands.md: its tables are what the commands propose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_driver import Driver
from command_screens import screen

from app.agent.json_types import Json

_DOCUMENT = Path(__file__).parents[2] / "docs" / "commands.md"
_ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in _DOCUMENT.read_text(encoding="utf-8").splitlines()
    if line.startswith("| Con") or line.startswith("| Spe")
]


@pytest.fixture(scope="module")
def driver() -> Driver:
    return Driver(screen)


def test_both_tables_are_found() -> None:
    assert {len(row) for row in _ROWS} == {3, 4}


@pytest.mark.parametrize("row", _ROWS, ids=[" ".join(row[:2]) for row in _ROWS])
def test_example_proposes_what_the_document_says(driver: Driver, row: tuple[str, ...]) -> None:
    page, said, *score, proposed = row
    actions = driver.hear(page, (said, float(score[0]))) if score else driver.say(page, said)
    assert "; ".join(map(_written, actions)) == ("" if proposed == "nothing" else proposed)


def _written(action: list[Json]) -> str:
    tool, *rest = action
    if tool in ("fill", "choose", "open_item"):
        return f'{tool} {rest[0]} "{rest[1]}"'
    return " ".join(str(part) for part in [tool, *rest])


def test_question_of_the_document_is_asked(driver: Driver) -> None:
    driver.hear("Conferences", ("change the city to Austin", -0.33), ("Change the city to Boston.", -0.37))
    asked = re.sub(r"\s+", " ", _DOCUMENT.read_text(encoding="utf-8"))
    assert f'"{driver.end.text}"' in asked
