"""Each adapter: a call changes the widget as a person would, says so, and is undone."""

from __future__ import annotations

import pytest
from desk_calls import Desk
from PySide6.QtCore import QDate, Qt, QTime
from PySide6.QtGui import QIntValidator, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDateEdit,
    QDoubleSpinBox,
    QFormLayout,
    QGroupBox,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QTimeEdit,
    QTreeView,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.agent.errors import ToolError
from app.widgets.adoption import voice_enable


def enabled(desk: Desk, window: QWidget, **fields: QWidget) -> None:
    """Shows the fields in a form, with their names as labels, and adopts the window."""
    form = QFormLayout(window)
    for name, field in fields.items():
        form.addRow(name.replace("_", " ").capitalize(), field)
    window.show()
    voice_enable(window, desk.registry, desk.undo)


def test_fill_a_line(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit("before")
    edited: list[str] = []
    edit.textEdited.connect(edited.append)
    enabled(desk, window, title=edit)
    assert desk.state("Title") == {"value": "before", "value_type": "text"}
    assert desk.call("fill", "Title", value="Hello world") == "Title is Hello world."
    assert edit.text() == "Hello world"
    assert edited == ["Hello world"], "code that listens for typing hears of it"
    assert desk.state("Title")["value"] == "Hello world"
    assert desk.undo.undo() == "Title to Hello world"
    assert edit.text() == "before"
    desk.undo.redo()
    assert edit.text() == "Hello world"


def test_an_empty_value_clears(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit("before")
    enabled(desk, window, title=edit)
    desk.call("fill", "Title", value="")
    assert edit.text() == ""
    desk.undo.undo()
    assert edit.text() == "before"


def test_preview_changes_nothing(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit("before")
    enabled(desk, window, title=edit)
    preview = desk.preview("fill", "Title", value="after")
    assert (preview.before, preview.after) == ("before", "after")
    assert edit.text() == "before"
    assert not desk.undo.undo_text


def test_an_email_field_understands_a_spoken_address(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit()
    edit.setInputMethodHints(Qt.InputMethodHint.ImhEmailCharactersOnly)
    enabled(desk, window, email=edit)
    preview = desk.preview("fill", "Email", value="jane at example dot com")
    assert preview.arguments == {"value": "jane@example.com"}
    desk.call("fill", "Email", value="jane at example dot com")
    assert edit.text() == "jane@example.com"


def test_a_validator_is_obeyed(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit("3")
    edit.setValidator(QIntValidator(1, 9))
    enabled(desk, window, seats=edit)
    desk.call("fill", "Seats", value="five")
    assert edit.text() == "5"
    for refused in ("twelve", "Berlin"):
        with pytest.raises(ToolError):
            desk.call("fill", "Seats", value=refused)
    assert edit.text() == "5"


def test_a_text_that_is_too_long_is_refused_and_not_cut(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit("x")
    edit.setMaxLength(5)
    enabled(desk, window, code=edit)
    with pytest.raises(ToolError, match="at most 5 characters"):
        desk.call("fill", "Code", value="abcdefg")
    assert edit.text() == "x"


def test_fill_many_lines(desk: Desk, window: QWidget) -> None:
    edit = QPlainTextEdit("one\ntwo")
    enabled(desk, window, abstract=edit)
    assert desk.state("Abstract") == {"value": "one\ntwo", "value_type": "long_text"}
    desk.call("fill", "Abstract", value="Something else")
    assert edit.toPlainText() == "Something else"
    desk.undo.undo()
    assert edit.toPlainText() == "one\ntwo"


def test_fill_a_number(desk: Desk, window: QWidget) -> None:
    spin = QSpinBox()
    spin.setRange(1, 480)
    spin.setSuffix(" minutes")
    spin.setValue(30)
    enabled(desk, window, duration=spin)
    state = desk.state("Duration")
    assert (state["value"], state["minimum"], state["maximum"], state["unit"]) == (30, 1, 480, "minutes")
    assert desk.preview("fill", "Duration", value="forty five minutes").arguments == {"value": "45"}
    desk.call("fill", "Duration", value="forty five")
    assert spin.value() == 45
    for refused in ("Berlin", "9999", "-3"):
        with pytest.raises(ToolError):
            desk.preview("fill", "Duration", value=refused)
        with pytest.raises(ToolError):
            desk.call("fill", "Duration", value=refused)
    assert spin.value() == 45
    desk.undo.undo()
    assert spin.value() == 30


def test_a_number_that_may_be_missing(desk: Desk, window: QWidget) -> None:
    spin = QSpinBox()
    spin.setRange(0, 480)
    spin.setSpecialValueText("Not set")
    spin.setValue(20)
    enabled(desk, window, duration=spin)
    assert desk.state("Duration")["minimum"] == 1
    desk.call("fill", "Duration", value="")
    assert spin.value() == 0
    assert desk.state("Duration")["value"] is None
    desk.undo.undo()
    assert spin.value() == 20


def test_fill_a_decimal_number(desk: Desk, window: QWidget) -> None:
    spin = QDoubleSpinBox()
    spin.setRange(0, 10)
    enabled(desk, window, rating=spin)
    desk.call("fill", "Rating", value="2.5")
    assert spin.value() == 2.5


def test_fill_a_date(desk: Desk, window: QWidget) -> None:
    edit = QDateEdit(QDate(2026, 1, 1))
    enabled(desk, window, starts_on=edit)
    assert desk.state("Starts on")["value"] == "2026-01-01"
    desk.call("fill", "Starts on", value="the third of May 2027")
    assert edit.date() == QDate(2027, 5, 3)
    with pytest.raises(ToolError):
        desk.call("fill", "Starts on", value="Berlin")
    assert edit.date() == QDate(2027, 5, 3)
    desk.undo.undo()
    assert edit.date() == QDate(2026, 1, 1)


def test_a_date_outside_its_range_is_refused(desk: Desk, window: QWidget) -> None:
    edit = QDateEdit(QDate(2026, 6, 1))
    edit.setDateRange(QDate(2026, 1, 1), QDate(2026, 12, 31))
    enabled(desk, window, starts_on=edit)
    with pytest.raises(ToolError, match="from 2026-01-01 to 2026-12-31"):
        desk.call("fill", "Starts on", value="2027-05-03")
    assert edit.date() == QDate(2026, 6, 1)


def test_fill_a_time(desk: Desk, window: QWidget) -> None:
    edit = QTimeEdit(QTime(9, 0))
    enabled(desk, window, starts_at=edit)
    desk.call("fill", "Starts at", value="14:30")
    assert edit.time() == QTime(14, 30)
    desk.undo.undo()
    assert edit.time() == QTime(9, 0)


def test_fill_a_slider(desk: Desk, window: QWidget) -> None:
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setRange(0, 100)
    slider.setValue(10)
    enabled(desk, window, volume=slider)
    desk.call("fill", "Volume", value="ninety percent")
    assert slider.value() == 90
    with pytest.raises(ToolError):
        desk.call("fill", "Volume", value="200")
    desk.undo.undo()
    assert slider.value() == 10


def test_choose(desk: Desk, window: QWidget) -> None:
    combo = QComboBox()
    combo.addItems(["", "Beginner", "Advanced"])
    activated: list[int] = []
    combo.activated.connect(activated.append)
    enabled(desk, window, level=combo)
    state = desk.state("Level")
    assert state["choices"] == ("Beginner", "Advanced")
    assert state["required"] is False
    assert desk.preview("choose", "Level", value="advanced").arguments == {"value": "Advanced"}
    desk.call("choose", "Level", value="advanced")
    assert combo.currentText() == "Advanced"
    assert activated == [2]
    with pytest.raises(ToolError):
        desk.call("choose", "Level", value="purple")
    desk.undo.undo()
    assert combo.currentText() == ""


def test_choices_that_are_added_later_are_offered(desk: Desk, window: QWidget) -> None:
    combo = QComboBox()
    combo.addItems(["Red"])
    enabled(desk, window, colour=combo)
    assert desk.state("Colour")["choices"] == ("Red",)
    combo.addItem("Blue")
    desk.call("choose", "Colour", value="Blue")
    assert combo.currentText() == "Blue"


def test_toggle(desk: Desk, window: QWidget) -> None:
    box = QCheckBox("&Online")
    clicked: list[bool] = []
    box.clicked.connect(lambda checked: clicked.append(checked))
    QVBoxLayout(window).addWidget(box)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.state("Online")["checked"] is False
    assert desk.preview("toggle", "Online", value=True).after is True
    assert desk.call("toggle", "Online", value=True) == "Online is on."
    assert box.isChecked()
    assert clicked == [True]
    desk.call("toggle", "Online", value=True)
    assert box.isChecked(), "on stays on"
    desk.undo.undo()
    assert not box.isChecked()


def test_radio_buttons(desk: Desk, window: QWidget) -> None:
    layout = QVBoxLayout(window)
    small, large = QRadioButton("Small"), QRadioButton("Large")
    small.setChecked(True)
    layout.addWidget(small)
    layout.addWidget(large)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    with pytest.raises(ToolError, match="another option"):
        desk.call("toggle", "Small", value=False)
    desk.call("toggle", "Large", value=True)
    assert large.isChecked()
    assert desk.state("Small")["checked"] is False


def test_a_group_box_with_a_check_mark(desk: Desk, window: QWidget) -> None:
    box = QGroupBox("Advanced")
    box.setCheckable(True)
    host = QLineEdit()
    host.setObjectName("hostNameEdit")
    QVBoxLayout(box).addWidget(host)
    QVBoxLayout(window).addWidget(box)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.view("host name").available
    desk.call("toggle", "Advanced", value=False)
    assert not desk.view("host name").available
    desk.undo.undo()
    assert box.isChecked()


def test_click(desk: Desk, window: QWidget) -> None:
    button = QPushButton("&Save…")
    button.setToolTip("Stores the changes.")
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    QVBoxLayout(window).addWidget(button)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.preview("click", "Save").effect == "Stores the changes."
    assert desk.call("click", "Save") == "Save was pressed."
    assert len(pressed) == 1


def test_a_button_whose_text_changes_is_known_by_the_new_one(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    button = QPushButton("Play")
    QVBoxLayout(window).addWidget(button)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    button.setText("Pause")
    qtbot.waitUntil(lambda: desk.labels() == ["Pause"])


def test_open_an_item_of_a_list(desk: Desk, window: QWidget) -> None:
    talks = QListWidget()
    talks.addItems(["Fine-grained voice control", "Agents that ask first", "Whisper on small machines"])
    opened: list[str] = []
    talks.itemActivated.connect(lambda item: opened.append(item.text()))
    enabled(desk, window, talks=talks)
    assert desk.items("Talks")[1] == "Agents that ask first"
    preview = desk.preview("open_item", "Talks", value="ask first")
    assert (preview.effect, preview.arguments) == ("Opens “Agents that ask first”.", {"value": "Agents that ask first"})
    assert talks.currentRow() != 1
    assert desk.call("open_item", "Talks", value="agents that ask first") == "Agents that ask first is open."
    assert talks.currentRow() == 1
    assert opened == ["Agents that ask first"]
    desk.call("open_item", "Talks", value="whisper")
    assert talks.currentRow() == 2
    with pytest.raises(ToolError, match="There is no"):
        desk.call("open_item", "Talks", value="something quite different")
    assert talks.currentRow() == 2
    talks.takeItem(0)
    assert len(desk.items("Talks")) == 2


def test_a_list_that_is_given_another_model(desk: Desk, window: QWidget) -> None:
    view = QTreeView()
    first = QStandardItemModel()
    first.appendRow(QStandardItem("Old"))
    view.setModel(first)
    enabled(desk, window, folders=view)
    assert desk.state("Folders")["items"] == ("Old",)
    view.hide()
    second = QStandardItemModel()
    parent = QStandardItem("Parent")
    parent.appendRow(QStandardItem("Child"))
    second.appendRow(parent)
    view.setModel(second)
    view.show()
    assert desk.state("Folders")["items"] == ("Parent", "Child")
    desk.call("open_item", "Folders", value="Child")
    assert view.currentIndex().data() == "Child"
    second.appendRow(QStandardItem("Third"))
    assert desk.state("Folders")["items"] == ("Parent", "Child", "Third")


def test_open_a_row_of_a_table_by_its_first_text(desk: Desk, window: QWidget) -> None:
    table = QTableWidget(2, 2)
    for row, name in enumerate(("Jane Doe", "John Roe")):
        table.setItem(row, 1, QTableWidgetItem(name))
    enabled(desk, window, people=table)
    desk.call("open_item", "People", value="John Roe")
    assert table.currentRow() == 1


def test_a_long_list_names_its_first_items_and_opens_all(desk: Desk, window: QWidget) -> None:
    view = QListWidget()
    view.addItems([f"Talk number {number}" for number in range(1000)])
    enabled(desk, window, talks=view)
    state = desk.state("Talks")
    assert len(desk.items("Talks")) == 200
    assert state["items_are_more"] is True
    desk.call("open_item", "Talks", value="Talk number 999")
    assert view.currentRow() == 999


def test_scroll(desk: Desk, window: QWidget) -> None:
    view = QListWidget()
    view.addItems([str(number) for number in range(1000)])
    enabled(desk, window, talks=view)
    bar = view.verticalScrollBar()
    desk.call("scroll", "Talks", direction="down")
    assert bar.value() == bar.pageStep()
    desk.call("scroll", "Talks", direction="bottom")
    assert bar.value() == bar.maximum()
    desk.call("scroll", "Talks", direction="up")
    assert bar.value() == bar.maximum() - bar.pageStep()
    desk.call("scroll", "Talks", direction="top")
    assert bar.value() == 0


def test_a_form_that_fits_is_not_offered_for_scrolling(desk: Desk, window: QWidget) -> None:
    area = QScrollArea()
    area.setAccessibleName("Form")
    inner = QWidget()
    area.setWidget(inner)
    inner.resize(10, 10)
    QVBoxLayout(window).addWidget(area)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.view("Form").reason == "all of it is visible"
    inner.resize(10, 5000)
    desk.call("scroll", "Form", direction="bottom")
    assert area.verticalScrollBar().value() > 0


def test_open_a_tab(desk: Desk, window: QWidget) -> None:
    tabs = QTabWidget()
    tabs.setAccessibleName("Sections")
    tabs.addTab(QWidget(), "&General")
    tabs.addTab(QWidget(), "Hidden one")
    tabs.addTab(QWidget(), "Network")
    tabs.setTabVisible(1, False)
    QVBoxLayout(window).addWidget(tabs)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.state("Sections") == {"items": ("General", "Network"), "value": "General"}
    desk.call("open_item", "Sections", value="network")
    assert tabs.currentIndex() == 2


def test_menu_entries(desk: Desk, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    menu = window.menuBar().addMenu("&File")
    triggered: list[bool] = []
    save = menu.addAction("&Save as…")
    save.triggered.connect(lambda: triggered.append(True))
    wrap = menu.addMenu("View").addAction("Wrap lines")
    wrap.setCheckable(True)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.labels() == ["Save as", "Wrap lines"]
    desk.call("click", "Save as")
    assert len(triggered) == 1
    desk.call("toggle", "Wrap lines", value=True)
    assert wrap.isChecked()
    desk.undo.undo()
    assert not wrap.isChecked()
    save.setEnabled(False)
    assert not desk.view("Save as").available
    menu.addAction("Close")
    assert "Close" in desk.labels()
    window.hide()
    assert desk.labels() == []
