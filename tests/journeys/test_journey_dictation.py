"""Dictation in the real window: asked once, then speech is text until it is ended."""

from __future__ import annotations

import json

import pytest
from journey_kit import RECORDINGS, Person
from PySide6.QtWidgets import QPlainTextEdit
from speaking_kit import Speaker, speaker

from app.agent.messages import Utterance
from app.desk.assembly import Desk
from app.desk.headless import Options, hear_files
from app.desk.options import DeskOptions
from app.pages.conferences import ConferencesPage

__all__ = ["speaker"]


def begin(person: Person, said: str = "dictate the abstract") -> None:
    """Begins dictation the way a person does."""
    ended = len(person.ends())
    person.types(said)
    (proposal,) = person.sees_proposals(1)
    person.approves(proposal)
    person.sees_the_end(ended + 1)
    assert person.desk.dictation.active


def dictate(person: Person, text: str, language: str = "en") -> None:
    """Gives the text of an utterance where the recogniser would."""
    person.desk.voice.utterance_heard.emit(Utterance(text, text, source="voice", language=language))


def clear_abstract(person: Person) -> None:
    field(person).setPlainText("")


def field(person: Person) -> QPlainTextEdit:
    edit = person.page.form.editor("abstract").widget
    assert isinstance(edit, QPlainTextEdit)
    return edit


def test_it_is_asked_once_and_ends_by_typing(person: Person) -> None:
    person.types("dictate the abstract")
    (proposal,) = person.sees_proposals(1)
    assert (proposal.tool, proposal.title, proposal.target) == ("dictate", "Dictate into", "Abstract")
    person.approves(proposal)
    person.sees_the_end()
    assert person.status == "Dictating into Abstract"
    person.types("stop dictation")
    person.sees_the_end(2)
    assert not person.desk.dictation.active
    assert person.status == "Ready"


@pytest.mark.speech
def test_a_recording_of_it_on_the_command_line_proposes_it(capsys: pytest.CaptureFixture[str], qapp: object) -> None:
    assert qapp
    options = Options("Contributions", True, False, True, None, None, None, None, None)
    assert hear_files([RECORDINGS / "dictate-abstract-rms.flac", RECORDINGS / "stop-dictation-rms.flac"], options) == 0
    begin, stop = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    (proposal,) = begin["proposals"]
    assert (proposal["tool"], proposal["target"], proposal["policy"]) == ("dictate", "Abstract", "confirm")
    assert [each["tool"] for each in stop["proposals"]] == ["stop_dictation"], "not the start that it sounds like"
    assert stop["message"] == "Nothing is being dictated."


@pytest.mark.speech
def test_speech_fills_the_field_live_until_it_is_stopped(speaker: Speaker) -> None:
    speaker.says("dictate-abstract-slt.flac")
    (proposal,) = speaker.sees_proposals(1)
    assert (proposal.tool, proposal.target) == ("dictate", "Abstract")
    speaker.says("approve-joe.flac")
    speaker.sees_the_end()
    assert speaker.desk.dictation.active
    clear_abstract(speaker)
    layout = field(speaker).document().firstBlock().layout

    speaker.holds_the_key()
    speaker.microphone.play("passage-rms.flac")
    speaker.until(lambda: bool(layout().preeditAreaText()))
    assert layout().preeditAreaText().startswith("We")
    assert speaker.fields["Abstract"] == "", "provisional words became the value"
    speaker.until(lambda: speaker.microphone.silent)
    speaker.releases_the_key()
    written = "We build programs that listen to people\nThey ask before they act."
    speaker.until(lambda: speaker.fields["Abstract"] == written)
    assert layout().preeditAreaText() == ""

    speaker.says("correct-slt.flac")
    speaker.until(lambda: speaker.fields["Abstract"] == written.replace("programs", "Windows"))
    speaker.says("spell-nato-rms.flac")
    speaker.until(lambda: str(speaker.fields["Abstract"]).endswith("act. Jane"))
    speaker.says("scratch-that-awb.flac")
    speaker.until(lambda: str(speaker.fields["Abstract"]).endswith("act."))
    speaker.says("stop-dictation-rms.flac")
    speaker.until(lambda: speaker.status == "Ready")
    assert speaker.proposals() == [speaker.proposals()[0]], "something that was dictated was proposed"


def test_each_passage_is_one_entry_of_the_undo_log(person: Person) -> None:
    begin(person)
    clear_abstract(person)
    dictate(person, "We build things that listen.")
    dictate(person, "And they answer")
    dictate(person, "to people.")
    assert person.fields["Abstract"] == "We build things that listen. And they answer to people."
    undo = person.desk.undo
    assert undo.undo() == "Dictated “to people.”"
    assert person.fields["Abstract"] == "We build things that listen. And they answer"
    undo.undo()
    undo.undo()
    assert person.fields["Abstract"] == ""
    undo.redo()
    assert person.fields["Abstract"] == "We build things that listen."


def test_each_passage_is_read_in_the_language_it_was_heard_in(person: Person) -> None:
    begin(person)
    clear_abstract(person)
    dictate(person, "Wir bauen Programme Komma die zuhören.", "de")
    dictate(person, "They ask before they act.")
    dictate(person, "Korrigiere Programme zu buchstabiere Anton Berta", "de")
    dictate(person, "borra eso", "es")
    assert person.fields["Abstract"] == "Wir bauen ab, die zuhören."
    dictate(person, "Diktat beenden", "de")
    assert not person.desk.dictation.active


def test_command_words_in_a_text_stay_text(person: Person) -> None:
    begin(person)
    clear_abstract(person)
    dictate(person, "Set the status to accepted and save.")
    dictate(person, "Please scratch that idea.")
    dictate(person, "Approve.")
    assert person.fields["Abstract"] == "Set the status to accepted and save. Please scratch that idea. Approve."
    assert person.fields["Status"] == "Draft"
    assert len(person.proposals()) == 1


def test_scratch_that_takes_back_passage_by_passage_and_nothing_else(person: Person) -> None:
    begin(person)
    before = person.fields["Abstract"]
    dictate(person, "One.")
    dictate(person, "Two.")
    dictate(person, "scratch that")
    assert person.fields["Abstract"] == f"{before} One."
    dictate(person, "Scratch that.")
    assert person.fields["Abstract"] == before
    dictate(person, "Scratch that.")
    assert person.fields["Abstract"] == before
    assert "There is no dictated passage to take back." in person.reads
    person.desk.undo.undo()
    assert person.fields["Abstract"] == f"{before} One."


def test_what_is_not_there_is_not_corrected_and_that_is_said(person: Person) -> None:
    begin(person)
    before = person.fields["Abstract"]
    dictate(person, "correct xylophone to trombone")
    assert person.fields["Abstract"] == before
    assert "“xylophone” is not in the text. Nothing was changed." in person.reads


def test_text_after_stop_dictation_is_written_and_dictation_ends(person: Person) -> None:
    begin(person)
    clear_abstract(person)
    dictate(person, "That is all. Stop dictation.")
    assert person.fields["Abstract"] == "That is all."
    assert not person.desk.dictation.active


def test_escape_ends_it_wherever_the_keyboard_is(speaker: Speaker) -> None:
    begin(speaker)
    speaker.presses_escape()
    speaker.until(lambda: speaker.status == "Ready")
    begin(speaker)
    before = speaker.fields["Abstract"]
    speaker.holds_the_key()
    speaker.presses_escape()
    assert not speaker.desk.dictation.active
    speaker.releases_the_key()
    assert speaker.fields["Abstract"] == before


def test_another_page_or_record_ends_it(person: Person) -> None:
    begin(person)
    person.desk.open_page("Conferences")
    assert isinstance(person.page, ConferencesPage)
    assert person.status == "Ready"
    begin(person, "dictate the notes")
    notes = person.fields["Notes"]
    person.page.list.select(person.page.book.order()[1])
    dictate(person, "This belongs to the other conference.")
    assert not person.desk.dictation.active
    assert person.fields["Notes"] != notes or "belongs" not in str(person.fields["Notes"])


def test_the_focused_long_field_needs_no_name(person: Person) -> None:
    field(person).setFocus()
    begin(person, "start dictation")
    assert person.proposals()[-1].target == "Abstract"


def test_a_dictated_text_that_is_not_saved_survives_closing_the_window(person: Person) -> None:
    begin(person)
    clear_abstract(person)
    dictate(person, "Kept as a draft.")
    person.page.close_down()
    second = Desk(DeskOptions())
    try:
        successor = Person(second, person.qtbot)
        assert successor.fields["Abstract"] == "Kept as a draft."
    finally:
        second.close()
        second.deleteLater()


@pytest.mark.speech
def test_the_target_is_outlined_before_the_key_is_released(speaker: Speaker) -> None:
    highlight = speaker.desk.highlight
    speaker.holds_the_key()
    speaker.microphone.play("level-slt.flac")
    speaker.until(lambda: highlight.target is not None)
    assert highlight.target is speaker.page.form.editor("level").widget
    assert speaker.desk.voice.listening.state.activity == "listening"
    assert speaker.proposals() == []
    speaker.until(lambda: speaker.microphone.silent)
    speaker.releases_the_key()
    (proposal,) = speaker.sees_proposals(1)
    assert (proposal.target, proposal.after) == ("Level", "Beginner")
    assert highlight.target is speaker.page.form.editor("level").widget


@pytest.mark.speech
def test_the_outline_goes_when_what_is_said_is_thrown_away(speaker: Speaker) -> None:
    highlight = speaker.desk.highlight
    speaker.holds_the_key()
    speaker.microphone.play("level-slt.flac")
    speaker.until(lambda: highlight.target is not None)
    speaker.presses_escape()
    assert highlight.target is None
    speaker.releases_the_key()
    assert speaker.events == []
