"""What a person changes in Settings, in the whole program: another speech model at once, and what is always allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from journey_kit import Person
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from app.agent.proposal import Proposal
from app.pages.settings_page import SettingsPage
from app.panel.link_button import LinkButton
from app.store.grants import Grants
from app.voice.models import find_model, models_folder

OTHER = "other.en"


def opens_settings(person: Person) -> SettingsPage:
    person.desk.open_page("Settings")
    page = person.desk.window.page
    assert isinstance(page, SettingsPage)
    return page


def allows_always(person: Person, proposal: Proposal) -> None:
    links = person.card(proposal).findChildren(LinkButton)
    person.clicks(next(each for each in links if each.text() == "Always allow"))


@pytest.mark.speech
def test_another_model_hears_the_next_utterance_without_a_restart(person: Person, tmp_path: Path) -> None:
    models_folder().mkdir(parents=True)
    (models_folder() / OTHER).symlink_to(find_model("tiny.en"), target_is_directory=True)
    kept = tmp_path / "kept"
    kept.mkdir()
    page = opens_settings(person)
    page.kept.keep_in(str(kept))
    combo = page.editor("voice.model").widget
    assert isinstance(combo, QComboBox)
    person.until(lambda: combo.findText(OTHER) >= 0)
    combo.setCurrentText(OTHER)
    rows = page.speech_models.rows
    person.until(lambda: OTHER in rows and rows[OTHER].mark.text() == "In use")
    person.until(lambda: person.desk.voice.listening.state.activity == "idle")
    person.speaks("conferences-joe.flac")
    person.sees_the_end()
    assert person.desk.window.page_name == "Conferences"
    person.until(lambda: bool(list(kept.glob("*.json"))))  # written last
    (record,) = kept.glob("*.json")
    assert len(list(kept.glob("*.flac"))) == 1
    assert f'"speech_model": "{OTHER}"' in record.read_text(encoding="utf-8")
    # One that is not on this machine: it is said, and the way back is open.
    opens_settings(person)
    (models_folder() / OTHER).unlink()
    person.desk.voice.configure(person.desk.settings.voice.model_copy(update={"model": "small"}))
    person.until(lambda: person.desk.voice.listening.state.activity == "unavailable")
    assert "greenroom models get small" in person.desk.voice.listening.state.reason
    person.until(lambda: "tiny.en" in rows)
    person.clicks(rows["tiny.en"].buttons["Use"])
    person.until(lambda: person.desk.voice.listening.state.activity == "idle")


def test_what_was_allowed_always_is_asked_again_when_it_is_revoked(person: Person) -> None:
    grants = Grants(person.desk.database)
    page = opens_settings(person)
    person.desk.open_page("Contributions")
    person.types("set the status to accepted")
    (proposal,) = person.sees_proposals(1)
    allows_always(person, proposal)
    person.sees_the_end()
    assert [grant.label for grant in grants.list()] == ["Choose Status on Contributions"]
    person.types("set the status to rejected")
    person.sees_the_end(2)
    assert person.fields["Status"] == "Rejected"
    opens_settings(person)
    (button,) = page.grants.revoke_buttons
    person.clicks(button)
    assert grants.list() == ()
    person.desk.open_page("Contributions")
    person.types("set the status to draft")
    person.sees_proposals(1)
    assert person.fields["Status"] == "Rejected"


def test_a_request_is_read_in_settings_while_they_are_open(person: Person) -> None:
    page = opens_settings(person)
    QTest.keyClick(page.show_activity, Qt.Key.Key_Space)
    tree = page.activity.tree
    person.until(lambda: page.activity.status.text().startswith("No requests yet"))
    person.types("the colour of the sky")
    person.until(lambda: tree.topLevelItemCount() == 1)
    first = tree.topLevelItem(0)
    assert first is not None
    assert first.text(1) == "Not understood"
    assert first.text(0).endswith("Typed")


def test_larger_text_is_larger_everywhere_at_once_and_undone(person: Person) -> None:
    page = opens_settings(person)
    texts = (page.findChildren(QLabel)[0], page.editor("voice.rate").widget, person.desk.panel.input.box)

    def points() -> list[float]:
        return [widget.font().pointSizeF() for widget in texts]

    before = points()
    combo = page.editor("appearance.text_size").widget
    assert isinstance(combo, QComboBox)
    combo.setCurrentText("Largest")
    person.until(lambda: points() == pytest.approx([1.4 * size for size in before]))
    person.desk.undo.undo()
    person.until(lambda: points() == pytest.approx(before))
