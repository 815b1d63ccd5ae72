"""The frame round a proposal's target, and the numbers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desk_calls import Desk
from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QPoint, QRect, Qt
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QListWidget, QPushButton, QScrollArea, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.agent.errors import ToolError
from app.widgets.adapter import Adapter
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
    highlight = Highlight(filled, desk.registry)
    assert highlight.show_instance(desk.view("Save").guid)
    button = child(filled, QPushButton)
    assert highlight.target is button
    picture = filled.grab().toImage()
    colour = QColor(Colours.of(filled.palette()).caution)
    assert picture.pixelColor(button.geometry().center().x(), button.y() - 4) == colour
    button.hide()
    assert highlight.target is None
    assert not highlight.isVisible()


def test_of_many_adapters_none_but_the_target_s_is_looked_at(
    filled: QWidget, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    talks, guid = child(filled, QListWidget), desk.view("Talks").guid
    guids = {id(adapter): adapter.guid for adapter in filled.findChildren(Adapter)}
    assert len(guids) > 3
    asked: list[Adapter] = []

    def read(adapter: Adapter) -> str:
        asked.append(adapter)
        return guids[id(adapter)]

    monkeypatch.setattr(Adapter, "guid", property(read))
    highlight = Highlight(filled, desk.registry)
    assert highlight.show_instance(guid)
    assert highlight.target is talks
    assert len(asked) <= 1
    monkeypatch.undo()
    talks.hide()
    assert not highlight.show_instance(guid)


@pytest.mark.usefixtures("filled")
def test_a_target_of_another_window_outlines_nothing(desk: Desk, qtbot: QtBot) -> None:
    other = QWidget()
    qtbot.addWidget(other)
    assert not Highlight(other, desk.registry).show_instance(desk.view("Save").guid)


def test_an_unknown_target_outlines_nothing(filled: QWidget, desk: Desk) -> None:
    highlight = Highlight(filled, desk.registry)
    assert not highlight.show_instance("gone")
    assert not highlight.show_instance("")
    assert not highlight.isVisible()


def test_the_outline_ends_with_its_target(filled: QWidget, desk: Desk) -> None:
    highlight = Highlight(filled, desk.registry)
    button = child(filled, QPushButton)
    highlight.show_target(button)
    button.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert highlight.target is None
    highlight.clear()


def test_a_target_out_of_view_is_scrolled_to(window: QWidget, desk: Desk) -> None:
    area, inner = QScrollArea(), QWidget()
    column = QVBoxLayout(inner)
    for number in range(60):
        column.addWidget(QPushButton(str(number)))
    area.setWidget(inner)
    QVBoxLayout(window).addWidget(area)
    window.show()
    Highlight(window, desk.registry).show_target(inner.findChildren(QPushButton)[-1])
    assert area.verticalScrollBar().value() > 0


def test_the_outline_follows_its_target(filled: QWidget, desk: Desk) -> None:
    highlight = Highlight(filled, desk.registry)
    target = child(filled, QListWidget)
    highlight.show_target(target)
    before = highlight.geometry()
    assert before.contains(target.geometry())
    filled.resize(500, 400)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
    assert highlight.geometry() != before
    assert highlight.geometry().contains(target.geometry())
    assert highlight.geometry().size() == target.size().grownBy(QMargins(6, 6, 6, 6))


def test_the_outline_follows_what_scrolls(window: QWidget, desk: Desk, qtbot: QtBot) -> None:
    area, inner = QScrollArea(), QWidget()
    column = QVBoxLayout(inner)
    buttons = [QPushButton(str(number)) for number in range(60)]
    for button in buttons:
        column.addWidget(button)
    area.setWidget(inner)
    QVBoxLayout(window).addWidget(area)
    window.show()
    qtbot.waitExposed(window)
    highlight = Highlight(window, desk.registry)
    highlight.show_target(buttons[2])

    def around() -> bool:
        place = QRect(buttons[2].mapTo(window, QPoint()), buttons[2].size())
        return highlight.geometry().contains(place) and highlight.height() < 2 * place.height()

    qtbot.waitUntil(around)
    area.verticalScrollBar().setValue(20)
    qtbot.waitUntil(around)
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    qtbot.waitUntil(lambda: highlight.visibleRegion().isEmpty())


def test_an_outlined_window_is_at_rest(filled: QWidget, desk: Desk, qtbot: QtBot) -> None:
    """A layer that is painted because its target was, and has its target painted by that, never ends."""
    paints: list[QEvent.Type] = []

    class Counted(QPushButton):
        def paintEvent(self, event: QPaintEvent, /) -> None:
            paints.append(event.type())
            super().paintEvent(event)

    target = Counted("Counted")
    layout = filled.layout()
    assert layout is not None
    layout.addWidget(target)
    qtbot.waitUntil(lambda: bool(paints))
    Highlight(filled, desk.registry).show_target(target)
    for _ in range(20):  # each turn paints what the last one asked for
        QCoreApplication.processEvents()
    paints.clear()
    for _ in range(20):
        QCoreApplication.processEvents()
    assert not paints


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
