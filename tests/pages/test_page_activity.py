"""Recent requests: read from real rows, step by step, with texts only where they were kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from desk_calls import Desk
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from pytestqt.qtbot import QtBot
from sqlalchemy import text

from app.agent.events import (
    CallDecided,
    CallFinished,
    CallProposed,
    Event,
    RunFailed,
    RunFinished,
    TurnAnswered,
    TurnStarted,
    UtteranceReceived,
)
from app.agent.messages import Hypothesis, Utterance
from app.agent.proposal import Proposal
from app.agent.tracing.tracer import Tracer
from app.pages.activity_view import ActivityView
from app.pages.settings_page import SettingsPage
from app.store.database import Database
from app.store.traces import Traces

WORDS = "set the title to Hello"
PROPOSAL = Proposal("p", "r", "c", 1, "fill", "Fill", "g", "Title", {"value": "Hello"})


class Told:
    """Gives a real tracer the events of runs, and keeps what it makes of them."""

    def __init__(self, traces: Traces, *, payloads: bool = False) -> None:
        self._tracer = Tracer(traces.add, payloads=payloads, model="some-model")

    def spoken(self, run: str) -> None:
        """A spoken request that a model understood, approved by voice."""
        heard = Utterance(
            f"u-{run}", WORDS, (Hypothesis(WORDS, -0.1), Hypothesis("set the tile", -0.9)), source="voice"
        )
        now = datetime.now(UTC)
        self._tracer.heard(heard.id, now - timedelta(milliseconds=420), now)
        proposal = replace(PROPOSAL, run_id=run)
        self._take(
            UtteranceReceived(run, heard),
            TurnStarted(run, 1, "openai"),
            TurnAnswered(run, 1, "openai", "tool_calls"),
            CallProposed(run, proposal),
            CallDecided(run, replace(proposal, status="approved"), "voice"),
            CallProposed(run, replace(proposal, status="running")),
            CallFinished(run, replace(proposal, status="done"), "", "Hello", "Title is Hello."),
            RunFinished(run, "finished", "Title is Hello."),
        )

    def failed(self, run: str) -> None:
        """A typed request whose server did not answer."""
        self._take(
            UtteranceReceived(run, Utterance(f"u-{run}", WORDS)),
            TurnStarted(run, 1, "openai"),
            RunFailed(run, "The server does not answer.", "timeout"),
        )

    def _take(self, *events: Event) -> None:
        for event in events:
            self._tracer.take(event)


@pytest.fixture
def traces(database: Database) -> Traces:
    return Traces(database)


@pytest.fixture
def view(settings_page: SettingsPage) -> ActivityView:
    return settings_page.activity


def open_it(desk: Desk, view: ActivityView, qtbot: QtBot) -> None:
    desk.call("click", "Show recent requests")
    qtbot.waitUntil(lambda: view.isVisible() and view.status.text() != "Reading …")


def lines(item: QTreeWidgetItem) -> list[tuple[int, str, str]]:
    """Depth, step and outcome of a run and all below it."""
    found: list[tuple[int, str, str]] = []

    def add(each: QTreeWidgetItem, depth: int) -> None:
        found.append((depth, each.text(0), each.text(1)))
        for row in range(each.childCount()):
            add(below(each, row), depth + 1)

    add(item, 0)
    return found


def run(view: ActivityView, row: int) -> QTreeWidgetItem:
    item = view.tree.topLevelItem(row)
    assert item is not None
    return item


def below(item: QTreeWidgetItem, row: int) -> QTreeWidgetItem:
    child = item.child(row)
    assert child is not None
    return child


def test_nothing_yet_is_said(view: ActivityView, desk: Desk, qtbot: QtBot) -> None:
    open_it(desk, view, qtbot)
    assert view.status.text().startswith("No requests yet.")
    assert view.tree.topLevelItemCount() == 0


def test_a_run_is_a_tree_of_its_steps(view: ActivityView, desk: Desk, traces: Traces, qtbot: QtBot) -> None:
    Told(traces).failed("r1")
    Told(traces).spoken("r2")
    open_it(desk, view, qtbot)
    assert view.tree.topLevelItemCount() == 2
    newest = lines(run(view, 0))
    assert newest[0][1].endswith("Spoken  ·  fill")
    assert newest[0][2] == "Done"
    assert newest[1:] == [
        (1, "Speech to text", "2 readings"),
        (1, "Model some-model", "Done"),
        (1, "Action: fill", "Done"),
        (2, "Waiting for you", "Approved by voice"),
        (2, "Doing it", "Done"),
    ]
    assert below(run(view, 0), 0).text(2) == "420 ms"
    assert lines(run(view, 1))[0][1:][1] == "Failed"
    assert lines(run(view, 1))[1] == (1, "Model some-model", "Failed")


def test_without_texts_none_are_shown_and_it_is_said_why(
    view: ActivityView, desk: Desk, traces: Traces, qtbot: QtBot
) -> None:
    Told(traces).spoken("r1")
    open_it(desk, view, qtbot)
    view.tree.setCurrentItem(run(view, 0))
    told = view.details.toPlainText()
    assert "Its words are not kept." in told
    assert "greenroom.utterance.source: voice" in told
    assert "Hello" not in told + str(lines(run(view, 0)))


def test_texts_that_were_kept_are_shown(view: ActivityView, desk: Desk, traces: Traces, qtbot: QtBot) -> None:
    Told(traces, payloads=True).spoken("r1")
    open_it(desk, view, qtbot)
    assert run(view, 0).text(0).endswith(f"“{WORDS}”")
    assert f"gen_ai.input.messages: {WORDS}" in view.details.toPlainText()
    action = below(run(view, 0), 2)
    view.tree.setCurrentItem(below(action, 1))
    assert '{"value": "Hello"}' in view.details.toPlainText()


def test_a_new_run_comes_on_top_and_what_was_opened_stays_open(
    settings_page: SettingsPage, view: ActivityView, desk: Desk, traces: Traces, qtbot: QtBot
) -> None:
    Told(traces).spoken("r1")
    open_it(desk, view, qtbot)
    first = run(view, 0)
    first.setExpanded(True)
    view.tree.setCurrentItem(below(first, 1))
    Told(traces).failed("r2")
    settings_page.refresh()
    qtbot.waitUntil(lambda: view.tree.topLevelItemCount() == 2)
    assert run(view, 1) is first
    assert first.isExpanded()
    assert view.tree.currentItem() is below(first, 1)
    with traces._database.writing() as session:
        session.execute(text("DELETE FROM spans"))
    desk.call("click", "Read again")
    qtbot.waitUntil(lambda: view.tree.topLevelItemCount() == 0)
    assert view.status.text().startswith("No requests yet.")


def test_a_database_that_fails_is_told(
    view: ActivityView, desk: Desk, database: Database, traces: Traces, qtbot: QtBot
) -> None:
    Told(traces).spoken("r1")
    with database.writing() as session:
        session.execute(text("ALTER TABLE spans RENAME TO gone"))
    open_it(desk, view, qtbot)
    assert view.status.text() == "The database could not do that. Nothing was saved."
    assert view.status.tone == "danger"


def test_one_comes_and_goes_with_the_keyboard(
    settings_page: SettingsPage, view: ActivityView, traces: Traces, qtbot: QtBot
) -> None:
    Told(traces).spoken("r1")
    settings_page.show_activity.setFocus()
    QTest.keyClick(settings_page.show_activity, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: view.tree.topLevelItemCount() == 1)
    assert view.tree.hasFocus()
    QTest.keyClick(view.tree, Qt.Key.Key_Right)
    assert run(view, 0).isExpanded()
    QTest.keyClick(view.tree, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: settings_page.currentWidget() is not view)
    assert settings_page.show_activity.hasFocus()


def test_the_assistant_sees_nothing_of_it_but_two_buttons(
    view: ActivityView, desk: Desk, traces: Traces, qtbot: QtBot
) -> None:
    Told(traces, payloads=True).spoken("r1")
    open_it(desk, view, qtbot)
    assert desk.labels() == ["Read again", "Back to settings"]
    desk.call("click", "Back to settings")
    assert "Read again" not in desk.labels()
    assert "Show recent requests" in desk.labels()
