"""A person in front of the real window: speaks recordings, types, presses buttons, and looks at fields and rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTextEdit, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from app.agent.events import CallDecided, CallFinished, CallProposed, Event, RunFailed, RunFinished
from app.agent.json_types import Json
from app.agent.proposal import Proposal
from app.desk.assembly import Desk
from app.pages.record_page import RecordPage
from app.panel.card import ProposalCard
from app.store.fields import Kind
from app.store.records import Record

RECORDINGS = Path(__file__).resolve().parent.parent / "audio"
LONG_MS = 60_000
"""Only a failing test waits that long: the speech model may have to be loaded first, on a slow machine."""


class Person:
    """Does what a person does, and sees what a person sees."""

    def __init__(self, desk: Desk, qtbot: QtBot) -> None:
        self.desk = desk
        self.qtbot = qtbot
        self.events: list[Event] = []
        desk.bridge.happened.connect(self.events.append)

    # -- acting

    def speaks(self, recording: str) -> None:
        """Speaks: the recording goes into the path of the microphone, after the device."""
        self.desk.voice.listening.feed_file(RECORDINGS / recording)

    def types(self, text: str) -> None:
        """Types into the panel's box and presses Enter."""
        box = self.desk.panel.input.box
        box.setFocus()
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return)

    def clicks(self, button: QWidget) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def approves(self, proposal: Proposal) -> None:
        self.clicks(self.button(proposal, "Approve"))

    def cancels(self) -> None:
        """Clicks Cancel, beside the status."""
        buttons = self.desk.panel.findChildren(QToolButton)
        self.clicks(next(each for each in buttons if each.text() == "Cancel" and each.isVisible()))

    def rejects(self, proposal: Proposal) -> None:
        self.clicks(self.button(proposal, "Reject"))

    # -- looking

    def button(self, proposal: Proposal, text: str) -> QPushButton:
        return next(each for each in self.card(proposal).findChildren(QPushButton) if each.text() == text)

    def card(self, proposal: Proposal) -> ProposalCard:
        card = self.desk.panel.card(proposal.id)
        assert card is not None, f"no card for {proposal}"
        return card

    def proposals(self) -> list[Proposal]:
        """The newest form of every proposal so far, in order."""
        newest: dict[str, Proposal] = {}
        for event in self.events:
            if isinstance(event, CallProposed | CallDecided | CallFinished):
                newest[event.proposal.id] = event.proposal
        return list(newest.values())

    def waiting(self) -> list[Proposal]:
        return [p for p in self.proposals() if p.status in ("waiting", "refused")]

    def sees_proposals(self, count: int) -> list[Proposal]:
        """Waits until that many actions wait to be approved, and the panel says so."""
        self.until(lambda: len(self.waiting()) == count and self.status == "Waiting for you")
        return self.waiting()

    def sees_the_end(self, runs: int = 1) -> RunFinished | RunFailed:
        """Waits until that many runs have ended."""
        self.until(lambda: len(self.ends()) >= runs)
        return self.ends()[-1]

    def ends(self) -> list[RunFinished | RunFailed]:
        return [event for event in self.events if isinstance(event, RunFinished | RunFailed)]

    @property
    def status(self) -> str:
        return self.desk.panel.status_words

    @property
    def reads(self) -> str:
        """All the text that is to be seen in the panel."""
        labels = [each.text() for each in self.desk.panel.findChildren(QLabel) if each.isVisible()]
        blocks = [each.toPlainText() for each in self.desk.panel.findChildren(QTextEdit) if each.isVisible()]
        return "\n".join([*labels, *blocks]).replace("\u200b", "")

    def until(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=LONG_MS)

    @property
    def page(self) -> RecordPage:
        page = self.desk.window.page
        assert isinstance(page, RecordPage)
        return page

    @property
    def fields(self) -> Mapping[str, Json]:
        """The form as it shows, by label."""
        fields = self.page.current_state()["fields"]
        assert isinstance(fields, Mapping)
        return fields

    def row(self, kind: Kind, title: str) -> Record:
        """The stored record of that title."""
        return next(record for record in self.desk.services.store.list(kind) if record.title == title)
