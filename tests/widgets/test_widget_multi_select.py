"""The field that holds several of a list."""

from __future__ import annotations

import pytest
from desk_calls import Desk
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QVBoxLayout, QWidget

from app.agent.errors import ToolError
from app.widgets.context import VoiceContext
from app.widgets.multi_select import CheckList, MultiSelect, MultiSelectAdapter, SelectOption

OPTIONS = [
    SelectOption("1", "Jane Doe"),
    SelectOption("2", "John Roe"),
    SelectOption("3", "Black, White and Sons"),
    SelectOption("4", "Jane Roe"),
]


@pytest.fixture
def select(window: QWidget, desk: Desk) -> MultiSelect:
    select = MultiSelect("Nobody yet")
    select.set_options(OPTIONS)
    QVBoxLayout(window).addWidget(select)
    MultiSelectAdapter(select, VoiceContext(desk.registry, desk.undo.record), noun="person", label="People")
    window.show()
    return select


@pytest.mark.parametrize(
    ("said", "values"),
    [
        ("Jane Doe", ("1",)),
        ("john roe and jane doe", ("2", "1")),
        ("Jane Doe, John Roe, and Jane Roe", ("1", "2", "4")),
        ("Black, White and Sons and Jane Doe", ("3", "1")),
        ("Jane Doe & Jane Doe", ("1",)),
        ("", ()),
    ],
)
def test_names_are_found(select: MultiSelect, desk: Desk, said: str, values: tuple[str, ...]) -> None:
    select.select(["4"])
    desk.call("fill", "People", value=said)
    assert select.selected() == values
    desk.undo.undo()
    assert select.selected() == ("4",)


def test_the_arguments_of_the_preview_mean_the_same_again(select: MultiSelect, desk: Desk) -> None:
    assert select is not None
    arguments = desk.preview("fill", "People", value="Black, White and Sons and Jane Doe").arguments
    assert arguments is not None
    assert desk.preview("fill", "People", value=str(arguments["value"])).after == ["Black, White and Sons", "Jane Doe"]


def test_an_unknown_name_changes_nothing(select: MultiSelect, desk: Desk) -> None:
    select.select(["1"])
    with pytest.raises(ToolError, match=r"no person called “Zaphod”\. There are: Jane Doe, John Roe"):
        desk.call("fill", "People", value="John Roe and Zaphod")
    assert select.selected() == ("1",)


def test_two_of_the_same_name_are_not_guessed(select: MultiSelect, desk: Desk) -> None:
    select.set_options([*OPTIONS, SelectOption("5", "Jane Doe")])
    with pytest.raises(ToolError, match="several called “Jane Doe”"):
        desk.call("fill", "People", value="Jane Doe")
    select.select(["5"])
    desk.call("fill", "People", value="Jane Doe, John Roe")
    assert select.selected() == ("5", "2"), "the one that is selected already is meant"


def test_the_popup_by_keyboard(select: MultiSelect) -> None:
    edits: list[bool] = []
    select.edited.connect(lambda: edits.append(True))
    select.select(["2"])
    assert not edits, "set by the program"
    QTest.keyClick(select, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    popup = select.findChild(CheckList)
    assert isinstance(popup, CheckList)
    assert popup.isVisible()
    options = popup.findChild(QListWidget)
    assert isinstance(options, QListWidget)
    assert [options.item(row).checkState() is Qt.CheckState.Checked for row in range(4)] == [False, True, False, False]
    QTest.keyClick(options, Qt.Key.Key_Space)
    assert select.selected() == ("2", "1")
    assert select.currentText() == "John Roe, Jane Doe"
    assert edits == [True]
    search = popup.findChild(QLineEdit)
    assert isinstance(search, QLineEdit)
    search.setText("roe")
    assert [options.item(row).isHidden() for row in range(4)] == [True, False, True, False]
    QTest.keyClick(options, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    select.set_options(OPTIONS[:2])
    select.showPopup()
    assert options.count() == 2
    assert select.selected() == ("2", "1"), "opening changes nothing"
    select.hidePopup()


def test_what_is_not_offered_any_more_is_kept(select: MultiSelect, desk: Desk) -> None:
    select.select(["1", "2"])
    select.set_options(OPTIONS[1:])
    assert select.selected() == ("1", "2")
    assert desk.state("People")["value"] == ("(unknown)", "John Roe")
