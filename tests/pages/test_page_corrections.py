"""What is remembered of words put right, in Settings: listed, forgotten one by one or all, and brought back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from desk_calls import Desk
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from app.agent.commands import Corrections
from app.pages.corrections_section import CorrectionsSection
from app.pages.settings_page import SettingsPage

TITLE, CITY = "Contributions/Title", "Conferences/City"


@pytest.fixture
def section(make_page: Callable[[], SettingsPage], corrections: Corrections, qtbot: QtBot) -> CorrectionsSection:
    """The section, with two corrections."""
    corrections.remember(TITLE, "eating carrots", "eating parrots")
    corrections.remember(CITY, "bremerton", "Bremen")
    section = make_page().corrections
    qtbot.waitUntil(lambda: len(section.forget_buttons) == 2)
    return section


def reads(section: CorrectionsSection) -> list[str]:
    """The texts to be seen, from above."""
    labels = [label for label in section.findChildren(QLabel) if label.isVisible()]
    return [each.text() for each in sorted(labels, key=lambda label: label.mapTo(section, label.pos() * 0).y())]


def test_each_is_listed_with_its_field(section: CorrectionsSection) -> None:
    about, *rows = reads(section)
    assert "you are asked which of the two you mean" in about
    assert rows == ["“bremerton” → “Bremen”", "City on Conferences", "“eating carrots” → “eating parrots”",
                    "Title on Contributions"]  # fmt: skip


def test_one_is_forgotten_by_voice_and_comes_back(
    section: CorrectionsSection, corrections: Corrections, desk: Desk
) -> None:
    assert desk.preview("click", "Forget bremerton").effect == "Forgets that “bremerton” meant “Bremen”."
    assert "irreversible" not in desk.state("Forget bremerton")
    desk.call("click", "Forget bremerton")
    assert corrections.of(CITY) == {}
    assert "“bremerton” → “Bremen”" not in reads(section)
    assert "Forget bremerton" not in desk.labels()
    assert desk.undo.undo_text == "Forgetting “bremerton”"
    desk.undo.undo()
    assert corrections.of(CITY) == {"bremerton": "Bremen"}
    assert "“bremerton” → “Bremen”" in reads(section)
    desk.undo.redo()
    assert corrections.of(CITY) == {}


def test_all_are_forgotten_and_come_back_and_none_says_how_there_will_be_some(
    section: CorrectionsSection, corrections: Corrections, desk: Desk
) -> None:
    before = corrections.all()
    desk.call("click", "Forget all corrections")
    assert corrections.all() == ()
    (words,) = reads(section)
    assert words.startswith("Nothing is remembered.")
    assert "“no, I meant eating parrots”" in words
    assert not section.forget_all.isVisible()
    desk.undo.undo()
    assert corrections.all() == before
    assert section.forget_all.isVisible()


def test_the_keyboard_goes_on_with_the_next_one(section: CorrectionsSection, corrections: Corrections) -> None:
    first = section.forget_buttons[0]
    first.setFocus()
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert QApplication.focusWidget() is section.forget_buttons[0]
    QTest.keyClick(section.forget_buttons[0], Qt.Key.Key_Space)
    assert corrections.all() == ()


def test_of_many_the_newest_are_shown_first_and_all_on_demand(
    make_page: Callable[[], SettingsPage], corrections: Corrections, desk: Desk, qtbot: QtBot
) -> None:
    for number in range(30):
        corrections.remember(TITLE, f"jon {number}", f"john {number}")
    section = make_page().corrections
    qtbot.waitUntil(lambda: section.show_all.isVisible())
    assert len(section.forget_buttons) == 8
    assert section.forget_buttons[0].accessibleName() == "Forget jon 29"
    assert section.show_all.text() == "Show all 30"
    desk.call("click", "Show all corrections")
    assert len(section.forget_buttons) == 30
    assert not section.show_all.isVisible()
    desk.call("click", "Forget jon 0")
    assert len(section.forget_buttons) == 29


def test_nothing_in_a_correction_is_taken_for_markup_or_a_letter_to_press(
    make_page: Callable[[], SettingsPage], corrections: Corrections, qtbot: QtBot
) -> None:
    corrections.remember(TITLE, "<b>carrots</b> & co", "<b>parrots</b> & co")
    section = make_page().corrections
    qtbot.waitUntil(lambda: len(section.forget_buttons) == 1)
    assert "“<b>carrots</b> & co” → “<b>parrots</b> & co”" in reads(section)
    assert all(
        label.textFormat() is Qt.TextFormat.PlainText for label in section.findChildren(QLabel) if label.isVisible()
    )
