"""The target of what has been said so far: found from beginnings, and never guessed."""

from __future__ import annotations

import pytest
from command_screens import screen

from app.agent.commands.foresight import Foreseer


@pytest.fixture(scope="module")
def foreseer() -> Foreseer:
    return Foreseer()


@pytest.mark.parametrize(
    ("heard", "label"),
    [
        ("Set the level", "Level"),
        ("Set the level to", "Level"),
        ("Set the level to begin", "Level"),
        ("Set the level to beginner.", "Level"),
        ("change the duration", "Duration"),
        ("set the title to voice", "Title"),
        ("dictate the abstract", "Abstract"),
        ("save", "Save"),
        ("set the level to beginner and save", "Save"),
        ("Set", ""),
        ("Set the", ""),
        ("Go to", ""),
        ("", ""),
        ("approve", ""),
        ("the train to the coast leaves at noon", ""),
        ("hello there my friend", ""),
    ],
)
def test_the_target_is_known_as_soon_as_it_is_named(foreseer: Foreseer, heard: str, label: str) -> None:
    snapshot = screen("Contributions")
    view = snapshot.instance_of(foreseer.target(snapshot, heard, "en"))
    assert (view.label if view else "") == label
