"""Speak, type, approve, reject, edit, undo, cancel: on the real window, down to the changed row."""

from __future__ import annotations

import pytest
from journey_kit import Person
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest

from app.agent.events import AnswerUnderstood, RunFailed, RunFinished
from app.desk.assembly import Desk
from app.desk.options import DeskOptions
from app.pages.speakers import SpeakersPage

TALK = "Fine-grained voice control for your app"


@pytest.mark.speech
def test_speak_approve_by_voice_and_undo_by_voice(person: Person) -> None:
    person.speaks("accept-and-save-joe.flac")
    first, second = person.sees_proposals(2)
    assert (first.title, first.target, first.before, first.after) == ("Choose", "Status", "Draft", "Accepted")
    assert (second.title, second.target) == ("Click", "Save")
    assert person.fields["Status"] == "Draft"

    person.speaks("approve-joe.flac")
    end = person.sees_the_end()
    assert isinstance(end, RunFinished)
    assert end.message == f"Status is Accepted. “{TALK}” is saved."
    assert person.fields["Status"] == "Accepted"
    assert person.row("contribution", TALK).fields["status"] == "Accepted"

    person.speaks("undo-that-slt.flac")
    person.until(lambda: len(person.ends()) == 2 or bool(person.waiting()))
    for proposal in person.waiting():  # asked about where the reading was unsure
        person.approves(proposal)
    person.sees_the_end(2)
    assert person.fields["Status"] == "Draft"
    assert person.row("contribution", TALK).fields["status"] == "Draft"


def test_type_and_approve_with_the_mouse(person: Person) -> None:
    person.types("set the status to accepted and save")
    for proposal in person.sees_proposals(2):
        person.approves(proposal)
    person.sees_the_end()
    assert person.row("contribution", TALK).fields["status"] == "Accepted"


def test_reject_one_and_approve_the_other(person: Person) -> None:
    person.types("set the duration to 45 and the level to advanced")
    first, second = person.sees_proposals(2)
    person.rejects(first)
    person.approves(second)
    person.sees_the_end()
    assert (person.fields["Duration"], person.fields["Level"]) == (30, "Advanced")
    assert person.row("contribution", TALK).fields["level"] == "Intermediate", "nothing was saved"


def test_reject_all_changes_nothing(person: Person) -> None:
    person.types("set the status to accepted and save")
    person.sees_proposals(2)
    person.types("reject all")
    end = person.sees_the_end()
    assert isinstance(end, RunFinished)
    assert person.fields["Status"] == "Draft"
    assert any(isinstance(event, AnswerUnderstood) and event.applied for event in person.events)


def test_edit_an_argument_before_approving(person: Person) -> None:
    person.types("set the title to voice control for all")
    (proposal,) = person.sees_proposals(1)
    person.desk.panel.edited.emit(proposal.id, {"value": "Voice control for everyone"})
    person.until(lambda: person.waiting()[0].after == "Voice control for everyone")
    person.approves(person.waiting()[0])
    person.sees_the_end()
    assert person.fields["Title"] == "Voice control for everyone"


@pytest.mark.parametrize(
    ("page", "text", "label"),
    [
        ("Contributions", "set the duration to banana", "Duration"),
        ("Conferences", "set the starts on to Berlin", "Starts on"),
    ],
)
def test_a_value_that_its_field_refuses_is_said_in_the_card_and_changes_nothing(
    person: Person, page: str, text: str, label: str
) -> None:
    person.desk.open_page(page)
    before = dict(person.fields)
    person.types(text)
    (proposal,) = person.sees_proposals(1)
    assert (proposal.status, proposal.target) == ("refused", label)
    assert proposal.error
    person.types("reject all")
    person.sees_the_end()
    assert dict(person.fields) == before


def test_a_chain_goes_on_on_the_page_it_opens(person: Person) -> None:
    person.types("go to speakers and click new speaker and set the name to Jane Doe")
    person.until(lambda: isinstance(person.desk.window.page, SpeakersPage))
    for proposal in person.sees_proposals(2):
        person.approves(proposal)
    person.sees_the_end()
    assert person.fields["Name"] == "Jane Doe"


def test_undo_restores_field_and_row_as_one(person: Person) -> None:
    person.types("set the status to accepted and save")
    for proposal in person.sees_proposals(2):
        person.approves(proposal)
    person.sees_the_end()
    person.types("undo that")
    person.sees_the_end(2)
    assert person.fields["Status"] == "Draft"
    assert person.row("contribution", TALK).fields["status"] == "Draft"
    person.types("redo")
    person.sees_the_end(3)
    assert person.row("contribution", TALK).fields["status"] == "Accepted"


def test_another_row_selected_meanwhile_is_asked_about_again(person: Person) -> None:
    person.types("set the status to accepted")
    (proposal,) = person.sees_proposals(1)
    book = person.page.book
    other = next(key for key in book.order()[1:] if book.values(key)["status"] == "Draft")
    person.page.list.select(other)  # the same field with the same value, of another record
    person.approves(proposal)
    person.until(lambda: [p.id for p in person.waiting()] not in ([], [proposal.id]))
    assert person.fields["Status"] == "Draft", "the wrong record was changed"
    person.types("no")
    person.sees_the_end()


def test_not_understood_names_the_nearest_commands(person: Person) -> None:
    person.types("please order a large pizza for the whole team")
    end = person.sees_the_end()
    assert isinstance(end, RunFinished)
    assert (end.outcome, person.proposals()) == ("nothing_understood", [])
    assert len(end.suggestions) == 3


@pytest.mark.speech
def test_a_name_that_one_recogniser_mishears_is_heard_by_two(person: Person) -> None:
    person.desk.window.open_page("Conferences")
    person.speaks("city-joe.flac")
    (proposal,) = person.sees_proposals(1)
    assert (proposal.target, proposal.after) == ("City", "Edinburgh")
    person.approves(proposal)
    person.sees_the_end()
    assert person.fields["City"] == "Edinburgh"


@pytest.mark.speech
@pytest.mark.parametrize("recording", ["silence.flac", "white-noise.flac", "fan.flac", "train-joe.flac"])
def test_silence_noise_and_talk_propose_nothing(person: Person, recording: str) -> None:
    heard: list[object] = []
    person.desk.voice.listening.nothing_heard.connect(heard.append)
    person.speaks(recording)
    person.until(lambda: bool(heard) or bool(person.ends()))
    assert person.proposals() == []


def test_a_crash_loses_no_open_question(person: Person) -> None:
    """The window goes without an answer; the next start asks again, and one approval runs once."""
    person.types("set the status to accepted")
    (proposal,) = person.sees_proposals(1)
    assert person.desk.lease is not None
    person.desk.lease.release()  # as the end of its process would; the first window is no more for the person
    second = Desk(DeskOptions())
    try:
        successor = Person(second, person.qtbot)
        second.window.show()
        second.resume()
        (again,) = successor.sees_proposals(1)
        assert again.id == proposal.id
        successor.approves(again)
        successor.sees_the_end()
        assert successor.fields["Status"] == "Accepted"
    finally:
        second.close()
        second.deleteLater()


def test_a_second_window_leaves_the_first_its_open_question(person: Person) -> None:
    person.types("set the status to accepted")
    (proposal,) = person.sees_proposals(1)
    second = Desk(DeskOptions())
    try:
        visitor = Person(second, person.qtbot)
        second.window.show()
        second.resume()
        visitor.types("go to speakers")
        visitor.sees_the_end()
        assert [shown.tool for shown in visitor.proposals()] == ["navigate"]
    finally:
        second.close()
        second.deleteLater()
    person.approves(proposal)
    person.sees_the_end()
    assert person.fields["Status"] == "Accepted"


def test_unsaved_changes_survive_closing_the_window(person: Person) -> None:
    person.types("set the status to accepted")
    (proposal,) = person.sees_proposals(1)
    person.approves(proposal)
    person.sees_the_end()
    person.page.close_down()
    second = Desk(DeskOptions())
    try:
        successor = Person(second, person.qtbot)
        assert successor.fields["Status"] == "Accepted"
        assert successor.row("contribution", TALK).fields["status"] == "Draft"
    finally:
        second.close()
        second.deleteLater()


def test_no_page_of_that_name_fails_in_words(person: Person) -> None:
    person.types("go to the moon")
    end = person.sees_the_end()
    assert not isinstance(end, RunFailed)
    assert person.proposals() == []


def test_ctrl_z_takes_back_the_last_request_and_redo_does_it_again(person: Person) -> None:
    person.types("set the status to accepted and save")
    for proposal in person.sees_proposals(2):
        person.approves(proposal)
    person.sees_the_end()
    person.desk.window.activateWindow()
    person.page.list.setFocus()
    QTest.keyClick(person.desk.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert person.row("contribution", TALK).fields["status"] == "Draft"
    QTest.keySequence(person.desk.window, QKeySequence(QKeySequence.StandardKey.Redo))
    assert person.row("contribution", TALK).fields["status"] == "Accepted"


def test_that_nothing_was_understood_is_said_once(person: Person) -> None:
    person.types("please order a large pizza for the whole team")
    person.sees_the_end()
    words = "I did not understand “please order a large pizza for the whole team”."
    person.until(lambda: words in person.reads)
    assert person.reads.count(words) == 1


def test_ctrl_l_brings_a_closed_panel_back(person: Person) -> None:
    dock = person.desk.panel.parentWidget()
    dock.close()
    assert not person.desk.panel.isVisible()
    person.desk.window.activateWindow()
    QTest.keyClick(person.desk.window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert person.desk.panel.isVisible()
    assert person.desk.panel.input.box.hasFocus()
