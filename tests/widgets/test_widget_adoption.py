"""Adopting a window: names, what is left out, what is on screen when, and that nothing is kept alive."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable

import pytest
from desk_calls import Desk
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.agent.errors import TargetError
from app.widgets.adapter import Adapter
from app.widgets.adoption import leave_out, voice_enable
from app.widgets.naming import is_secret_name, object_name, tidy


def test_names_come_in_the_documented_order(desk: Desk, window: QWidget) -> None:
    layout = QVBoxLayout(window)
    edit = QLineEdit()
    layout.addWidget(edit)
    window.show()

    def named() -> list[str]:
        voice = voice_enable(window, desk.registry, desk.undo)
        labels = desk.labels()
        voice.dispose()
        return labels

    assert named() == []
    edit.setToolTip("Tip")
    assert named() == ["Tip"]
    edit.setObjectName("first_name_edit")
    assert named() == ["first name"]
    edit.setPlaceholderText("Type here…")
    assert named() == ["Type here"]
    label = QLabel("&Given name:")
    label.setBuddy(edit)
    layout.addWidget(label)
    assert named() == ["Given name"]
    edit.setAccessibleName("Name")
    assert named() == ["Name"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("&Save", "Save"),
        ("Save &as…", "Save as"),
        ("Name:", "Name"),
        ("Q && A", "Q & A"),
        ("Two\nlines *", "Two lines"),
    ],
)
def test_texts_are_tidied(text: str, name: str) -> None:
    assert tidy(text) == name


@pytest.mark.parametrize(
    ("raw", "name"),
    [("titleEdit", "title"), ("first_name", "first name"), ("qt_spinbox_lineedit", ""), ("okButton", "ok"), ("", "")],
)
def test_object_names_become_words(raw: str, name: str, window: QWidget) -> None:
    window.setObjectName(raw)
    assert object_name(window) == name


@pytest.mark.parametrize("name", ["Password", "API key", "api_key", "Access token", "pass-phrase", "Client secret"])
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["Keynote", "Pinned", "Secretary", "Title", "Monkey", "Keyword"])
def test_names_of_no_secrets(name: str) -> None:
    assert not is_secret_name(name)


def test_secrets_are_not_offered(desk: Desk, window: QWidget) -> None:
    layout = QVBoxLayout(window)
    hidden, named = QLineEdit("hunter2"), QLineEdit("sk-123")
    hidden.setAccessibleName("Login")
    hidden.setEchoMode(QLineEdit.EchoMode.Password)
    named.setAccessibleName("API key")
    for each in (hidden, named):
        layout.addWidget(each)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.labels() == []


def test_a_field_that_becomes_a_secret_closes_up(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit("x")
    edit.setAccessibleName("Login")
    QVBoxLayout(window).addWidget(edit)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    edit.setEchoMode(QLineEdit.EchoMode.Password)
    edit.setText("hunter2")
    view = desk.view("Login")
    assert not view.available
    assert "hunter2" not in str(view)


def test_inner_widgets_are_the_affair_of_their_owner(desk: Desk, window: QWidget) -> None:
    form = QFormLayout(window)
    form.addRow("Number", QSpinBox())
    combo = QComboBox()
    combo.setEditable(True)
    form.addRow("Colour", combo)
    form.addRow("List", QListWidget())
    form.addRow("Notes", QPlainTextEdit())
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.labels() == ["Number", "Colour", "List", "Notes"]


def test_only_what_is_visible_is_registered(desk: Desk, window: QWidget) -> None:
    stack = QStackedWidget()
    for text in ("First", "Second"):
        page = QWidget()
        QVBoxLayout(page).addWidget(QPushButton(text))
        stack.addWidget(page)
    QVBoxLayout(window).addWidget(stack)
    voice_enable(window, desk.registry, desk.undo)
    assert desk.labels() == []
    window.show()
    assert desk.labels() == ["First"]
    first = desk.view("First").guid
    stack.setCurrentIndex(1)
    assert desk.labels() == ["Second"]
    stack.setCurrentIndex(0)
    assert desk.labels() == ["First"]
    assert desk.view("First").guid != first, "an identity is never used again"
    window.hide()
    assert desk.labels() == []


def test_a_disabled_widget_is_said_to_be_and_refuses(desk: Desk, window: QWidget) -> None:
    button = QPushButton("Save")
    QVBoxLayout(window).addWidget(button)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    snapshot = desk.registry.snapshot()
    call = desk.registry.bind(snapshot, "click", "{}")
    window.setEnabled(False)
    view = desk.view("Save")
    assert (view.available, view.reason) == (False, "it is disabled now")
    with pytest.raises(TargetError, match="disabled"):
        desk.registry.invoke(call)
    window.setEnabled(True)
    assert desk.view("Save").available


def test_read_only_fields_are_not_offered(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit("x")
    edit.setAccessibleName("Code")
    QVBoxLayout(window).addWidget(edit)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.view("Code").available
    edit.setReadOnly(True)
    assert desk.view("Code").reason == "it can only be read"


@pytest.mark.parametrize("modality", [Qt.WindowModality.WindowModal, Qt.WindowModality.ApplicationModal])
def test_a_window_behind_a_dialog_is_not_offered(desk: Desk, window: QWidget, modality: Qt.WindowModality) -> None:
    QVBoxLayout(window).addWidget(QPushButton("Save"))
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    call = desk.registry.bind(desk.registry.snapshot(), "click", "{}")
    dialog = QDialog(window)
    dialog.setWindowTitle("Really?")
    dialog.setWindowModality(modality)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Yes | QDialogButtonBox.StandardButton.No)
    buttons.accepted.connect(dialog.accept)
    QVBoxLayout(dialog).addWidget(buttons)
    dialog.show()
    view = desk.view("Save")
    assert (view.available, view.reason) == (False, "the dialog “Really?” has to be answered first")
    with pytest.raises(TargetError, match="Really"):
        desk.registry.invoke(call)
    assert desk.view("Yes").available, "the dialog itself was adopted and can be answered"
    desk.call("click", "Yes")
    assert not dialog.isVisible()
    assert desk.view("Save").available
    assert "Yes" not in desk.labels()


def test_another_window_is_not_blocked_by_a_window_modal_dialog(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    QVBoxLayout(window).addWidget(QPushButton("Save"))
    other = QWidget()
    qtbot.addWidget(other)
    QVBoxLayout(other).addWidget(QPushButton("Other"))
    for each in (window, other):
        each.show()
        voice_enable(each, desk.registry, desk.undo)
    dialog = QDialog(window)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()
    assert not desk.view("Save").available
    assert desk.view("Other").available
    dialog.close()


def test_widgets_added_later_are_adopted(desk: Desk, window: QWidget) -> None:
    layout = QVBoxLayout(window)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    box = QWidget()
    QVBoxLayout(box).addWidget(QPushButton("Inner"))
    layout.addWidget(box)
    layout.addWidget(QPushButton("Later"))
    box.show()
    for each in window.findChildren(QPushButton):
        each.show()
    assert sorted(desk.labels()) == ["Inner", "Later"]
    late = QPushButton("Later still")
    box_layout = box.layout()
    assert box_layout is not None
    box_layout.addWidget(late)
    late.show()
    assert "Later still" in desk.labels()


def test_what_is_left_out_stays_out(desk: Desk, window: QWidget) -> None:
    layout = QVBoxLayout(window)
    box = QWidget()
    QVBoxLayout(box).addWidget(QPushButton("Private"))
    leave_out(box)
    layout.addWidget(box)
    layout.addWidget(QPushButton("Public"))
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.labels() == ["Public"]


def test_an_action_in_a_menu_and_a_tool_bar_is_one(desk: Desk, qtbot: QtBot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    action = window.menuBar().addMenu("File").addAction("Save")
    bar = QToolBar()
    bar.addAction(action)
    window.addToolBar(bar)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.labels() == ["Save"]


def test_a_button_with_a_menu_offers_its_entries(desk: Desk, window: QWidget) -> None:
    button = QToolButton()
    button.setText("More")
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    menu = QMenu(button)
    menu.addAction("Export")
    button.setMenu(menu)
    QVBoxLayout(window).addWidget(button)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.labels() == ["Export"]


def test_a_call_on_a_deleted_widget_is_an_error(desk: Desk, window: QWidget) -> None:
    button = QPushButton("Save")
    QVBoxLayout(window).addWidget(button)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    call = desk.registry.bind(desk.registry.snapshot(), "click", "{}")
    button.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert desk.labels() == []
    with pytest.raises(TargetError, match="no longer on screen"):
        desk.registry.invoke(call)


def test_a_click_that_deletes_its_own_button(desk: Desk, window: QWidget) -> None:
    button = QPushButton("Remove me")
    button.clicked.connect(button.deleteLater)
    button.clicked.connect(window.hide)
    QVBoxLayout(window).addWidget(button)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    assert desk.call("click", "Remove me") == "Remove me was pressed."
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert desk.labels() == []


def test_undoing_a_change_of_a_widget_that_has_gone_does_nothing(desk: Desk, window: QWidget) -> None:
    edit = QLineEdit()
    edit.setAccessibleName("Title")
    QVBoxLayout(window).addWidget(edit)
    window.show()
    voice_enable(window, desk.registry, desk.undo)
    desk.call("fill", "Title", value="x")
    edit.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert desk.undo.undo() == "Title to x"


def test_disposing_ends_it(desk: Desk, window: QWidget) -> None:
    layout = QVBoxLayout(window)
    layout.addWidget(QPushButton("Save"))
    window.show()
    voice = voice_enable(window, desk.registry, desk.undo)
    voice.dispose()
    voice.dispose()
    assert desk.labels() == []
    later = QPushButton("Later")
    layout.addWidget(later)
    later.show()
    assert desk.labels() == []
    assert not window.findChildren(Adapter)


def full_window() -> QWidget:
    window = QMainWindow()
    window.menuBar().addMenu("File").addAction("Open")
    centre = QWidget()
    form = QFormLayout(centre)
    for name, kind in (("Title", QLineEdit), ("Number", QSpinBox), ("Level", QComboBox), ("Talks", QListWidget)):
        form.addRow(name, kind())
    form.addRow(QPushButton("Save"))
    window.setCentralWidget(centre)
    return window


def drop(window: QWidget) -> None:
    """Lets go of a window that Python owns."""
    assert window.parent() is None


def delete_later(window: QWidget) -> None:
    window.deleteLater()


@pytest.mark.parametrize("end", [drop, delete_later])
def test_many_windows_leave_nothing(desk: Desk, qapp: object, end: Callable[[QWidget], None]) -> None:
    assert qapp is not None
    gone = []
    for _ in range(50):
        window = full_window()
        window.show()
        voice_enable(window, desk.registry, desk.undo)
        assert len(desk.labels()) == 6
        desk.call("fill", "Title", value="x")
        gone += [weakref.ref(adapter) for adapter in window.findChildren(Adapter)]
        end(window)
        del window
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert desk.labels() == []
    assert len(gone) == 300
    assert [each for each in gone if each() is not None] == []
