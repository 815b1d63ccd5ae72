"""A dialog in front of the window is answered by voice, and what lies behind it can't be touched meanwhile."""

from __future__ import annotations

from journey_kit import Person
from PySide6.QtWidgets import QApplication

from app.agent.events import RunFinished

TALK = "Fine-grained voice control for your app"


def says(person: Person, text: str) -> None:
    """Says it: the panel lies behind the dialog, so nobody can type there."""
    person.desk.bridge.submit_text(text)


def says_and_approves(person: Person, text: str, runs: int) -> RunFinished:
    says(person, text)
    person.sees_proposals(1)
    says(person, "approve")
    end = person.sees_the_end(runs)
    assert isinstance(end, RunFinished)
    return end


def test_a_talk_is_submitted_by_voice_through_the_dialog_and_undone(person: Person) -> None:
    store = person.desk.services.store
    before = len(store.list("submission"))
    says_and_approves(person, "submit to conference", 1)
    person.until(lambda: QApplication.activeModalWidget() is not None)

    says(person, "set the title to something else")
    end = person.sees_the_end(2)
    assert isinstance(end, RunFinished)
    assert person.waiting() == [], "the form behind the dialog was offered"

    says_and_approves(person, "choose Sample Days as the conference", 3)
    says_and_approves(person, "click submit", 4)
    person.until(lambda: QApplication.activeModalWidget() is None)
    assert len(store.list("submission")) == before + 1
    submission = store.list("submission")[-1]
    assert submission.fields["contribution"] == person.row("contribution", TALK).id

    says(person, "undo that")
    person.until(lambda: len(store.list("submission")) == before)


def test_a_proposal_that_waits_when_a_dialog_opens_is_not_carried_out_behind_it(person: Person) -> None:
    person.types("set the status to accepted")
    (proposal,) = person.sees_proposals(1)
    person.clicks(person.page.submit)  # type: ignore[attr-defined] # the button of the Contributions page
    person.until(lambda: QApplication.activeModalWidget() is not None)
    dialog = QApplication.activeModalWidget()
    says(person, "approve")
    end = person.sees_the_end()
    assert isinstance(end, RunFinished)
    assert (end.outcome, person.fields["Status"]) == ("failed", "Draft")
    assert "dialog" in end.message.lower()
    assert proposal.target == "Status"
    assert dialog is not None
    dialog.close()
