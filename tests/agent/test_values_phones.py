"""How words sound: what a recogniser may take for what."""

from __future__ import annotations

import pytest

from app.agent.values.phones import alike, sounds_of


@pytest.mark.parametrize(
    ("words", "sounds"),
    [
        ("save the talk", "sevDVtOk"),
        ("date", "det"),
        ("data", "datV"),
        ("night", "nYt"),
        ("action", "akSVn"),
        ("page", "pej"),
        ("message", "mEsIj"),
        ("wanted 16", "qAntIdqVnsIks"),
        ("", ""),
        ("ü !", ""),
    ],
)
def test_sounds(words: str, sounds: str) -> None:
    assert sounds_of(words).replace("ü", "") == sounds


@pytest.mark.parametrize(
    ("heard", "nearer", "farther"),
    [
        ("top", "talk", "date"),
        ("stock", "talk", "table"),
        ("this card changes", "discard changes", "these changes"),
        ("fisher", "fischer", "fission"),
        ("safe", "save", "same"),
        ("two years", "tears", "two days"),
    ],
)
def test_nearer_to_the_ear(heard: str, nearer: str, farther: str) -> None:
    assert alike(heard, nearer) > alike(heard, farther)
    assert 0 <= alike(heard, farther) < 1
    assert alike(heard, heard) == 1


def test_nothing_is_like_nothing() -> None:
    assert alike("", "save") == alike("save", "") == 0
