"""Full rounds of the garbage collector come when nobody waits for the program, and only then."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desk import quiet_collections
from app.desk.quiet_collections import QuietCollections


@pytest.fixture
def full_rounds() -> Iterator[list[str]]:
    """The thread of each full round, as they come."""
    threads: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            threads.append(threading.current_thread().name)

    gc.callbacks.append(note)
    yield threads
    gc.callbacks.remove(note)


class Program:
    """Says whether it is busy, and counts how often it was asked."""

    def __init__(self) -> None:
        self.is_busy = False
        self.asked = 0

    def busy(self) -> bool:
        self.asked += 1
        return self.is_busy


@pytest.fixture
def program() -> Program:
    return Program()


@pytest.fixture
def quiet(qapp: QApplication, program: Program, monkeypatch: pytest.MonkeyPatch) -> Iterator[QuietCollections]:
    """Two hundred times as fast as in the program."""
    assert qapp is QApplication.instance()
    monkeypatch.setattr(quiet_collections, "_SETTLED_MS", 40)
    monkeypatch.setattr(quiet_collections, "_QUIET_MS", 8)
    quiet = QuietCollections(program.busy)
    yield quiet
    quiet.close()


def make_objects() -> None:
    """Enough for many full rounds."""
    kept = [[number] for number in range(400_000)]
    assert kept


def test_none_begins_by_itself(quiet: QuietCollections, full_rounds: list[str]) -> None:
    assert quiet
    gc.collect()
    full_rounds.clear()
    thread = threading.Thread(target=make_objects)
    thread.start()
    make_objects()
    thread.join()
    assert full_rounds == []


def test_what_is_there_at_the_start_is_left_out_from_then_on(quiet: QuietCollections, qtbot: QtBot) -> None:
    quiet.begin()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)


def test_a_round_waits_until_nothing_is_under_way(
    quiet: QuietCollections, full_rounds: list[str], program: Program, qtbot: QtBot
) -> None:
    quiet.begin()
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    full_rounds.clear()
    program.is_busy = True
    quiet.put_off()
    make_objects()
    asked = program.asked
    qtbot.waitUntil(lambda: program.asked > asked + 1)
    assert full_rounds == []
    program.is_busy = False
    quiet.put_off()
    qtbot.waitUntil(lambda: full_rounds == ["MainThread"])


def test_at_the_end_the_collector_is_as_it_was(qapp: QApplication) -> None:
    assert qapp is QApplication.instance()
    before = gc.get_threshold()
    quiet = QuietCollections(lambda: False)
    assert gc.get_threshold() != before
    gc.freeze()
    quiet.close()
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_nothing_begins_again_after_the_end(quiet: QuietCollections, full_rounds: list[str], qtbot: QtBot) -> None:
    quiet.begin()
    qtbot.waitUntil(lambda: bool(full_rounds))
    quiet.close()
    quiet.put_off()
    assert not quiet._timer.isActive()
