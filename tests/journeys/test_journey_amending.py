""" "No, I meant ...": the last proposal is replaced, or what was done is taken back first; by voice, too."""

from __future__ import annotations

from secrets import token_hex

import pytest
from journey_kit import Person
from PySide6.QtWidgets import QLabel
from speaking_kit import Speaker, speaker

from app.agent.messages import Utterance
from app.desk.remembered_words import clear_corrections, list_corrections
from app.pages.settings_page import SettingsPage

__all__ = ["speaker"]


@pytest.mark.speech
def test_what_was_meant_replaces_the_proposal_that_waits(speaker: Speaker) -> None:
    speaker.says("level-slt.flac")
    (wrong,) = speaker.sees_proposals(1)
    assert (wrong.target, wrong.after) == ("Level", "Beginner")
    speaker.says("meant-level-rms.flac")
    speaker.until(lambda: [p.after for p in speaker.waiting()] == ["Advanced"])
    assert next(p for p in speaker.proposals() if p.id == wrong.id).status == "rejected"
    speaker.approves(speaker.waiting()[0])
    speaker.until(lambda: speaker.fields["Level"] == "Advanced")


def test_what_was_done_is_taken_back_in_a_step_of_its_own(person: Person) -> None:
    before = person.fields["Title"]
    person.types("set the title to eating carrots")
    (first,) = person.sees_proposals(1)
    person.approves(first)
    person.sees_the_end()
    person.types("no, I meant eating parrots")
    undo, fill = person.sees_proposals(2)
    assert (undo.tool, fill.tool, fill.target, fill.arguments) == ("undo", "fill", "Title", {"value": "eating parrots"})
    assert person.fields["Title"] == "eating carrots", "something was done that nobody approved"
    person.approves(undo)
    person.until(lambda: person.fields["Title"] == before)
    person.until(lambda: [p.tool for p in person.waiting()] == ["fill"])
    person.approves(person.waiting()[0])
    person.sees_the_end(2)
    assert person.fields["Title"] == "eating parrots"
    person.types("undo that")
    person.sees_the_end(3)
    assert person.fields["Title"] == before


def test_a_change_by_hand_since_is_not_undone(person: Person) -> None:
    person.types("set the level to beginner")
    (first,) = person.sees_proposals(1)
    person.approves(first)
    person.sees_the_end()
    person.page.book.edit(person.page.key, "title", "Typed by hand")
    person.types("no, I meant advanced")
    (fill,) = person.sees_proposals(1)
    person.approves(fill)
    person.sees_the_end(2)
    assert (person.fields["Level"], person.fields["Title"]) == ("Advanced", "Typed by hand")


def test_a_correction_is_remembered_listed_and_cleared(person: Person, capsys: pytest.CaptureFixture[str]) -> None:
    person.types("set the title to eating carrots")
    person.sees_proposals(1)
    person.types("no, I meant eating parrots")
    person.until(lambda: [p.after for p in person.waiting()] == ["eating parrots"])
    person.approves(person.waiting()[0])
    person.sees_the_end(2)
    list_corrections(as_json=False)
    assert capsys.readouterr().out == "Contributions/Title: heard “eating carrots”, meant “eating parrots”\n"
    clear_corrections()
    list_corrections(as_json=True)
    assert capsys.readouterr().out.endswith("{}\n")


def test_a_correction_is_listed_in_settings_forgotten_there_and_no_longer_asked_about(person: Person) -> None:
    person.types("set the title to eating carrots")
    person.sees_proposals(1)
    person.types("no, I meant eating parrots")
    person.until(lambda: [p.after for p in person.waiting()] == ["eating parrots"])
    person.approves(person.waiting()[0])
    person.sees_the_end(2)
    says(person, "set the title to eating carrots")
    person.sees_the_end(3)
    assert "Title “eating carrots” 1 or Title “eating parrots” 2?" in person.reads

    section = opens_settings(person).corrections
    person.until(lambda: len(section.forget_buttons) == 1)
    assert "“eating carrots” → “eating parrots”" in [each.text() for each in section.findChildren(QLabel)]
    person.types("forget eating carrots")
    (forget,) = person.sees_proposals(1)
    assert forget.effect == "Forgets that “eating carrots” meant “eating parrots”."
    person.approves(forget)
    person.sees_the_end(4)
    assert section.forget_buttons == []
    assert "Nothing is remembered." in section.status.text()

    person.desk.open_page("Contributions")
    says(person, "set the title to eating carrots")
    (plain,) = person.sees_proposals(1)
    assert plain.after == "eating carrots"
    person.rejects(plain)
    person.sees_the_end(5)
    person.desk.undo.undo()
    says(person, "set the title to eating carrots")
    person.sees_the_end(6)
    assert [each.message for each in person.ends() if "1 or Title" in each.message][1:], "it was not asked again"


def says(person: Person, text: str) -> None:
    """Says words that are heard as they are: what was put right before counts for speech only."""
    person.desk.bridge.submit(Utterance(token_hex(8), text, (), "voice"))


def opens_settings(person: Person) -> SettingsPage:
    person.desk.open_page("Settings")
    page = person.desk.window.page
    assert isinstance(page, SettingsPage)
    return page
