"""The code in docs/widgets.md runs, and the example is operated by typing."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk_calls import Desk
from doc_blocks import run_blocks
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.agent.events import CallProposed, Event, RunFailed, RunFinished
from app.agent.proposal import Decision, Proposal

ROOT = Path(__file__).parents[2]


class Nothing:
    """A change of nothing."""

    text = "Nothing"

    def undo(self) -> None:
        """Takes nothing back."""

    def redo(self) -> None:
        """Does nothing again."""


def test_the_blocks_of_the_document_run(window: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run_blocks(ROOT / "docs" / "widgets.md", {"window": window, "change": Nothing()}, monkeypatch)
    stars, registry, undo = names["stars"], names["registry"], names["undo"]
    assert isinstance(stars, QWidget)
    qtbot.addWidget(stars)
    stars.show()
    desk = Desk(registry, undo)  # type: ignore[arg-type]
    desk.call("fill", "Rating", value="five")
    assert desk.state("Rating")["value"] == 5
    desk.undo.undo()
    assert desk.state("Rating")["value"] == 3


def test_the_example_is_operated_by_typing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    from guest_list import Assistant, GuestList

    window = GuestList()
    qtbot.addWidget(window)
    assistant = Assistant(window)
    window.show()
    events: list[Event] = []
    assistant.bridge.happened.connect(events.append)

    def ended() -> bool:
        return bool(events) and isinstance(events[-1], RunFinished | RunFailed)

    def waiting() -> list[Proposal]:
        last = {each.proposal.id: each.proposal for each in events if isinstance(each, CallProposed)}
        return [proposal for proposal in last.values() if proposal.status == "waiting"]

    assistant.panel.text_submitted.emit("set the name to Jane Doe, turn vegetarian on and click add")
    qtbot.waitUntil(lambda: len(waiting()) == 3)
    assert window.guests.count() == 0, "nothing is done before it is approved"
    for proposal in waiting():
        assistant.bridge.decide(Decision(proposal.id, "approve"))
    qtbot.waitUntil(ended)
    assert window.guests.item(0).text() == "Jane Doe (1, vegetarian)"
    events.clear()
    assistant.panel.text_submitted.emit("undo that")
    qtbot.waitUntil(ended)
    assert window.name.text() == ""
    assert not window.vegetarian.isChecked()
    assistant.bridge.shutdown()
