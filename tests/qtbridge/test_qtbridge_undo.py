"""The undo log: one entry an utterance, all of it or nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from app.agent.errors import ToolError
from app.qtbridge.undo import UndoLog


@dataclass
class Step:
    """A change of a dictionary that can be told to refuse."""

    values: dict[str, str]
    key: str
    before: str
    after: str
    refuses: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return f"{self.key} to {self.after}"

    def undo(self) -> None:
        self._set("undo", self.before)

    def redo(self) -> None:
        self._set("redo", self.after)

    def _set(self, what: str, value: str) -> None:
        if what in self.refuses:
            raise ToolError(f"{self.key} can't be changed back.")
        self.values[self.key] = value


@pytest.fixture
def values() -> dict[str, str]:
    return {"title": "a", "status": "draft"}


@pytest.fixture
def log(qapp: QCoreApplication) -> UndoLog:
    assert qapp is not None
    return UndoLog()


def change(values: dict[str, str], log: UndoLog, key: str, after: str, refuses: tuple[str, ...] = ()) -> None:
    step = Step(values, key, values[key], after, list(refuses))
    step.values[key] = after
    log.record(step)


def test_an_utterance_is_one_entry(values: dict[str, str], log: UndoLog) -> None:
    log.begin("1", "set both")
    change(values, log, "title", "b")
    change(values, log, "status", "sent")
    log.end("1")
    assert log.undo() == "set both"
    assert values == {"title": "a", "status": "draft"}
    assert log.redo() == "set both"
    assert values == {"title": "b", "status": "sent"}


def test_changes_made_by_hand_are_entries_of_their_own(values: dict[str, str], log: UndoLog) -> None:
    change(values, log, "title", "b")
    change(values, log, "status", "sent")
    log.undo()
    assert values == {"title": "b", "status": "draft"}
    assert log.undo_text == "title to b"
    assert log.redo_text == "status to sent"


def test_nothing_to_undo_is_said(log: UndoLog) -> None:
    with pytest.raises(ToolError, match="There is nothing to undo"):
        log.undo()
    with pytest.raises(ToolError, match="There is nothing to redo"):
        log.redo()


def test_undoing_within_an_utterance_starts_a_new_entry(values: dict[str, str], log: UndoLog) -> None:
    log.begin("1", "set the title")
    change(values, log, "title", "b")
    log.undo()
    change(values, log, "title", "c")
    log.end("1")
    log.undo()
    assert values["title"] == "a"
    assert not log.undo_text


def test_ending_an_utterance_that_is_not_open_does_nothing(values: dict[str, str], log: UndoLog) -> None:
    log.begin("2", "second")
    log.end("1")
    change(values, log, "title", "b")
    change(values, log, "status", "sent")
    assert log.undo() == "second"
    assert values == {"title": "a", "status": "draft"}


def test_a_failing_change_leaves_the_whole_entry_done(values: dict[str, str], log: UndoLog, qtbot: QtBot) -> None:
    log.begin("1", "both")
    change(values, log, "title", "b", refuses=("undo",))
    change(values, log, "status", "sent")
    log.end("1")
    with qtbot.waitSignal(log.failed) as failed, pytest.raises(ToolError, match="title can't be changed back"):
        log.undo()
    assert failed.args == ["title can't be changed back."]
    assert values == {"title": "b", "status": "sent"}
    assert log.undo_text == "both"


def test_an_entry_that_fails_twice_makes_way(values: dict[str, str], log: UndoLog) -> None:
    change(values, log, "status", "sent")
    change(values, log, "title", "b", refuses=("undo",))
    for _ in range(2):
        with pytest.raises(ToolError):
            log.undo()
    assert log.undo() == "status to sent"
    assert values == {"title": "b", "status": "draft"}


def test_a_redo_that_fails_can_be_tried_again(values: dict[str, str], log: UndoLog) -> None:
    refuses = ["redo"]
    values["title"] = "b"
    log.record(Step(values, "title", "a", "b", refuses))
    log.undo()
    with pytest.raises(ToolError):
        log.redo()
    assert values["title"] == "a"
    refuses.clear()
    log.redo()
    assert values["title"] == "b"


def test_a_fault_in_a_change_is_raised_and_the_log_goes_on(values: dict[str, str], log: UndoLog) -> None:
    broken = Step(values, "title", "a", "b")
    log.record(broken)
    del broken.values  # makes undo() raise AttributeError
    with pytest.raises(AttributeError):
        log.undo()
    change(values, log, "status", "sent")
    log.undo()
    assert values["status"] == "draft"


def test_what_changes_while_undoing_is_not_recorded(values: dict[str, str], log: UndoLog) -> None:
    class Noisy(Step):
        def undo(self) -> None:
            super().undo()
            log.record(Step(values, "status", "draft", "sent"))

    log.record(Noisy(values, "title", "a", "b"))
    log.undo()
    assert not log.undo_text


def test_latest_is_the_change_to_widen(values: dict[str, str], log: UndoLog) -> None:
    assert log.latest() is None
    change(values, log, "title", "b")
    latest = log.latest()
    assert isinstance(latest, Step)
    assert latest.after == "b"
    log.begin("1", "said")
    assert log.latest() is None
    log.end("1")
    assert log.latest() is None, "typing after an utterance is an entry of its own"
