"""Which item of a list is meant."""

from __future__ import annotations

import pytest

from app.agent.errors import ToolError
from app.widgets.matching import find_item

TALKS = [
    "Fine-grained voice control for your app",
    "Agents that ask first",
    "Whisper on small machines",
    "Whisper live",
]


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("Agents that ask first", 1),
        ("agents that ask first.", 1),
        ("fine grained voice control for your app", 0),
        ("voice control", 0),
        ("small machines", 2),
        ("agents that asked first", 1),
        ("Whisper Live", 3),
    ],
)
def test_enough_of_a_name_is_enough(said: str, row: int) -> None:
    assert find_item(said, TALKS) == row


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("whisper", "Several items are called that: “Whisper on small machines”, “Whisper live”"),
        ("the weather in Lagos", "There is no “the weather in Lagos” here. Nearest:"),
        ("  ", "Say the name"),
        ("age", "There is no “age” here"),
    ],
)
def test_what_is_not_clear_is_said(said: str, message: str) -> None:
    with pytest.raises(ToolError) as refused:
        find_item(said, TALKS)
    assert message in str(refused.value)


def test_the_very_name_wins_over_the_same_words() -> None:
    assert find_item("C", ["c", "C", "C#"]) == 1


def test_an_empty_list_is_said_to_be() -> None:
    with pytest.raises(ToolError, match="The list is empty"):
        find_item("anything", [])


def test_many_of_the_same_name_are_counted() -> None:
    with pytest.raises(ToolError, match="and 2 more"):
        find_item("talk", [f"talk {number}" for number in range(5)])
