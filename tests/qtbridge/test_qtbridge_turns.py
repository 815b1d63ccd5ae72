"""Pieces of work are done in order, each in a turn of its own, and what they changed is painted in between."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QObject, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.qtbridge.gui_thread import GuiThread
from app.qtbridge.turns import Turns

T = TypeVar("T")

HEAVY_S = 0.002
"""Less than one card takes, and more than a turn waits for before it ends."""


def take_time() -> None:
    """Takes its time, as building a card does."""
    until = time.perf_counter() + HEAVY_S
    while time.perf_counter() < until:
        pass


def heavy(done: list[T], what: T) -> Callable[[], None]:
    """A piece of work that takes its time, and notes itself first."""

    def piece() -> None:
        done.append(what)
        take_time()

    return piece


class Painted(QWidget):
    """Notes when it is painted."""

    def __init__(self, order: list[str]) -> None:
        super().__init__()
        self._order = order

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        self._order.append("painted")


@pytest.fixture
def turns() -> Iterator[Turns]:
    owner = QObject()
    yield Turns(owner)
    owner.deleteLater()


def test_heavy_pieces_are_done_in_order_with_a_turn_for_others_in_between(turns: Turns, qtbot: QtBot) -> None:
    order: list[str] = []

    beat = QTimer(turns)
    beat.timeout.connect(lambda: order.append("beat"))
    beat.start(0)
    names = [str(number) for number in range(6)]
    for name in names:
        turns.add(heavy(order, name))
    qtbot.waitUntil(lambda: names[-1] in order)
    beat.stop()
    assert [each for each in order if each != "beat"] == names
    places = [order.index(name) for name in names]
    # One turn in which what was changed is painted, and one for whatever came in meanwhile.
    assert all(after - before > 2 for before, after in pairwise(places))


def test_what_a_piece_changed_is_painted_before_the_next(turns: Turns, qtbot: QtBot) -> None:
    order: list[str] = []
    widget = Painted(order)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitExposed(widget)
    qtbot.waitUntil(lambda: "painted" in order)
    order.clear()

    def change() -> None:
        order.append("changed")
        widget.update()
        take_time()

    for _ in range(3):
        turns.add(change)
    qtbot.waitUntil(lambda: order.count("painted") == 3)
    assert order == ["changed", "painted"] * 3


def test_pieces_that_take_no_time_share_a_turn(turns: Turns) -> None:
    done: list[int] = []
    number_of_turns = 0
    for number in range(500):
        turns.add(partial(done.append, number))
    while len(done) < 500:
        before = len(done)
        QCoreApplication.processEvents()
        number_of_turns += len(done) > before
    assert done == list(range(500))
    assert number_of_turns < 100


def test_what_is_added_within_a_piece_comes_after_it(turns: Turns, qtbot: QtBot) -> None:
    done: list[str] = []

    def first() -> None:
        turns.add(lambda: done.append("second"))
        done.append("first")

    turns.add(first)
    qtbot.waitUntil(lambda: len(done) == 2)
    assert done == ["first", "second"]


def test_a_piece_that_fails_does_not_keep_the_others(turns: Turns, qtbot: QtBot) -> None:
    done: list[str] = []

    def fail() -> None:
        raise ValueError("broken")

    with qtbot.captureExceptions() as raised:
        turns.add(fail)
        turns.add(lambda: done.append("next"))
        qtbot.waitUntil(lambda: done == ["next"])
    assert [kind for kind, _error, _trace in raised] == [ValueError]


def test_at_the_end_all_that_waits_is_done_at_once(turns: Turns) -> None:
    done: list[int] = []

    turns.add(heavy(done, 0))
    turns.add(heavy(done, 1))
    assert not done
    turns.finish()
    turns.add(heavy(done, 2))
    assert done == [0, 1, 2]


def test_what_another_thread_wants_done_stands_in_line_with_the_rest(qtbot: QtBot) -> None:
    """A card is shown before its action is carried out, and both are not done in one turn."""
    order: list[str] = []
    gui = GuiThread()

    def show() -> None:
        order.append("show")
        take_time()

    beat = QTimer(gui)
    beat.timeout.connect(lambda: order.append("beat"))
    beat.start(0)
    gui.turns.add(show)
    done = gui.post(lambda: order.append("act"))
    qtbot.waitUntil(done.done)
    beat.stop()
    assert [each for each in order if each != "beat"] == ["show", "act"]
    assert order.index("act") - order.index("show") > 2
    gui.close()
