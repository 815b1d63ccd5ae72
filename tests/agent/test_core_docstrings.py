"""Docstrings that are read the short way say the same as read by griffe; all others go to griffe."""

from __future__ import annotations

import inspect

import pytest

from app.agent.docstrings import _read_any, _read_plain, read_docstring
from app.agent.tools import marks_of
from app.pages.app_tools import AppTools
from app.widgets.numbers import NumbersOverlay
from app.widgets.operations import Choosable, Clickable, Fillable, Openable, Scrollable, Switchable

CLASSES = (AppTools, NumbersOverlay, Choosable, Clickable, Fillable, Openable, Scrollable, Switchable)

PLAIN = (
    "Does it.",
    "Does it.\n\n    And says so: twice.\n    On two lines.\n    ",
    "Does it.\n\n    Args:\n        one: The first,\n            and on.\n        two: Second: a number.\n    ",
    "Does it.\n\n    More of it.\n\n    Args:\n        value: 12:30, or so.\n",
)

OTHERS = (
    "Does it.\n\n    Args:\n        one (int): The first.\n    ",
    "Does it.\n\n    Args:\n        one: The first.\n\n    Returns:\n        What it did.\n    ",
    "Does it.\n\n    Args:\n        one: The first.\n\n            With a second paragraph.\n    ",
    "Does it.\n\n    Note:\n        Something.\n    ",
    "Does it.\n\n    Parameters\n    ----------\n    one : int\n        The first.\n    ",
    "Does it.\n\n    :param one: The first.\n    ",
    "Args:\n    one: The first.",
    "",
)


def test_the_tools_of_the_program_are_read_the_short_way() -> None:
    for cls in CLASSES:
        for owner, attribute, _options in marks_of(cls):
            text = vars(owner)[attribute].__doc__
            assert text
            assert read_docstring(text) == _read_any(text)
            assert _read_plain(inspect.cleandoc(text)) is not None, attribute


@pytest.mark.parametrize("text", [*PLAIN, *OTHERS])
def test_both_ways_say_the_same(text: str) -> None:
    assert read_docstring(text) == _read_any(text)


@pytest.mark.parametrize("text", OTHERS)
def test_what_is_not_plain_is_left_to_griffe(text: str) -> None:
    assert _read_plain(text) is None
