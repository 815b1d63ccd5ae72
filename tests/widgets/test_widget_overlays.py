"""The frame round a proposal's target, and the numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desk_calls import Desk
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidget, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.agent.errors import ToolError
from app.widgets.adoption import voice_enable
from app.widgets.highlight import Highlight
from app.widgets.numbers import NumbersOverlay
from app.widgets.theme import Colours


@pytest.fixture
def filled(window: QWidget, desk: Desk) -> QWidget:
    """A button, a check box, a field and a list, from top to bottom."""
    layout = QVBoxLayout(window)
    edit = QLineEdit()
    edit.setAccessibleName("Title")
    talks = QListWidget()
    talks.setAccessibleName("Talks")
    talks.addItems(["First", "Second", "Third"])
    for widget in (QPushButton("Save"), QCheckBox("Online"), edit, talks):
        layout.addWidget(widget)
    window.resize(300, 300)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    return window


@pytest.fixture
def numbers(filled: QWidget, desk: Desk) -> Iterator[NumbersOverlay]:
    overlay = NumbersOverlay(filled, desk.registry)
    yield overlay
    overlay.clear()


def child(window: QWidget, kind: type[QWidget]) -> QWidget:
    found = window.findChild(kind)
    assert isinstance(found, kind)
    return found


def test_the_target_is_outlined(filled: QWidget, desk: Desk) -> None:
    highlight = Highlight(filled)
    assert highlight.show_instance(desk.view("Save").guid)
    button = child(filled, QPushButton)
    assert highlight.target is button
    picture = filled.grab().toImage()
    colour = QColor(Colours.of(filled.palette()).caution)
    assert picture.pixelColor(button.geometry().center().x(), button.y() - 4) == colour
    button.hide()
    assert highlight.target is None
    assert not highlight.isVisible()


def test_an_unknown_target_outlines_nothing(filled: QWidget) -> None:
    highlight = Highlight(filled)
    assert not highlight.show_instance("gone")
    assert not highlight.show_instance("")
    assert not highlight.isVisible()


def test_the_outline_ends_with_its_target(filled: QWidget) -> None:
    highlight = Highlight(filled)
    button = child(filled, QPushButton)
    highlight.show_target(button)
    button.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert highlight.target is None
    highlight.clear()


def test_a_target_out_of_view_is_scrolled_to(window: QWidget) -> None:
    area, inner = QScrollArea(), QWidget()
    column = QVBoxLayout(inner)
    for number in range(60):
        column.addWidget(QPushButton(str(number)))
    area.setWidget(inner)
    QVBoxLayout(window).addWidget(area)
    window.show()
    Highlight(window).show_target(inner.findChildren(QPushButton)[-1])
    assert area.verticalScrollBar().value() > 0


def test_the_layer_follows_the_window(filled: QWidget) -> None:
    highlight = Highlight(filled)
    highlight.show_target(child(filled, QPushButton))
    filled.resize(500, 400)
    assert highlight.size() == filled.size()


def test_numbers_press_what_they_stand_for(filled: QWidget, desk: Desk, numbers: NumbersOverlay) -> None:
    assert numbers.show_numbers() == 6
    assert numbers.isVisible()
    pressed: list[bool] = []
    button = child(filled, QPushButton)
    assert isinstance(button, QPushButton)
    button.clicked.connect(lambda: pressed.append(True))
    assert desk.preview("click_number", "Numbers", number=1).effect == "Uses Save."
    assert desk.call("click_number", "Numbers", number=1) == "Save was pressed."
    assert pressed == [True]
    assert not numbers.isVisible()
    assert "Numbers" not in desk.labels()


def test_numbers_switch_go_to_fields_and_open_rows(filled: QWidget, desk: Desk, numbers: NumbersOverlay) -> None:
    numbers.show_numbers()
    desk.call("click_number", "Numbers", number=2)
    box = child(filled, QCheckBox)
    assert isinstance(box, QCheckBox)
    assert box.isChecked()
    desk.undo.undo()
    assert not box.isChecked()
    numbers.show_numbers()
    assert desk.call("click_number", "Numbers", number=3) == "The keyboard is in Title."
    assert filled.focusWidget() is child(filled, QLineEdit)
    numbers.show_numbers()
    assert desk.call("click_number", "Numbers", number=5) == "Second is open."
    talks = child(filled, QListWidget)
    assert isinstance(talks, QListWidget)
    assert talks.currentRow() == 1


def test_a_number_that_is_not_shown_is_refused(desk: Desk, numbers: NumbersOverlay) -> None:
    numbers.show_numbers()
    with pytest.raises(ToolError, match="no number 14: 1 to 6 are shown"):
        desk.call("click_number", "Numbers", number=14)
    assert numbers.isVisible()


def test_escape_hides_the_numbers(filled: QWidget, desk: Desk, numbers: NumbersOverlay) -> None:
    numbers.show_numbers()
    QTest.keyClick(child(filled, QLineEdit), Qt.Key.Key_Escape)
    assert not numbers.isVisible()
    assert "Numbers" not in desk.labels()


def test_numbers_go_with_what_they_are_on(filled: QWidget, numbers: NumbersOverlay) -> None:
    numbers.show_numbers()
    child(filled, QLineEdit).hide()
    assert not numbers.isVisible()


def test_what_is_disabled_has_no_number(filled: QWidget, numbers: NumbersOverlay) -> None:
    child(filled, QPushButton).setEnabled(False)
    assert numbers.show_numbers() == 5
