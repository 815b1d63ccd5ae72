"""Many real widgets: what is made and destroyed leaves nothing behind, and one change is read as one change.

How long it takes is measured by `benchmarks/bench_widgets.py`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, ModuleType

import shiboken6
from desk_calls import Desk
from many_widgets import KINDS, LIGHT_KINDS, form_of
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.agent.registry import Registry
from app.widgets.adapter import Adapter
from app.widgets.adoption import voice_enable
from app.widgets.labels import WindowLabels
from app.widgets.modality import ModalityWatch
from app.widgets.naming import name_of

IN_A_WINDOW = 100
WINDOWS = 64
ROWS = 16
MANY = 300
WARM_UP = 16


def delete_later(window: QWidget) -> None:
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def close(window: QWidget) -> None:
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    window.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def forget(_window: QWidget) -> None:
    """The caller drops the last reference to it."""


ENDS: tuple[Callable[[QWidget], object], ...] = (delete_later, close, forget, shiboken6.delete)


def come_and_go(desk: Desk, number: int) -> int:
    """A window comes up, is read, and goes in one of four ways; how many things it had."""
    # A registered widget is one like another; that no kind keeps anything itself is shown by some hundreds of each.
    window = form_of(IN_A_WINDOW, kinds=LIGHT_KINDS if number // len(ENDS) % 4 else KINDS)
    voice_enable(window, desk.registry, desk.undo)
    window.show()
    found = len(desk.registry.snapshot().instances)
    ENDS[number % len(ENDS)](window)
    return found


def reachable(registry: Registry) -> int:
    """How many objects the registry holds, directly or through others."""
    shared = (type, ModuleType, FunctionType, BuiltinFunctionType)
    seen: set[int] = set()
    waiting: list[object] = [registry]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or isinstance(each, shared):
            continue
        seen.add(id(each))
        waiting.extend(gc.get_referents(each))
    return len(seen)


def alive(*kinds: type) -> int:
    """How many objects of these classes there are."""
    return sum(issubclass(type(each), kinds) for each in gc.get_objects())


def test_thousands_of_widgets_leave_nothing_behind(desk: Desk) -> None:
    for number in range(WARM_UP):
        come_and_go(desk, number)
    desk.registry.snapshot()
    gc.collect()
    held, objects, widgets = reachable(desk.registry), len(gc.get_objects()), len(QApplication.allWidgets())

    found = {come_and_go(desk, number) for number in range(WINDOWS)}

    assert found == {IN_A_WINDOW}
    assert desk.registry.snapshot().instances == ()
    gc.collect()
    assert alive(Adapter, ModalityWatch, WindowLabels) == 0
    assert len(QApplication.allWidgets()) == widgets
    assert reachable(desk.registry) == held
    # pytest-qt keeps two objects for what the offscreen platform says about each window; one a widget would be 100.
    assert len(gc.get_objects()) - objects < 3 * WINDOWS


def test_rows_that_come_and_go_in_a_window_that_stays_leave_nothing_behind(desk: Desk, window: QWidget) -> None:
    column = QVBoxLayout(window)
    voice_enable(window, desk.registry, desk.undo)
    window.show()

    def row_of_buttons(number: int) -> None:
        row = form_of(IN_A_WINDOW)
        column.addWidget(row)
        row.show()
        assert len(desk.registry.snapshot().instances) == IN_A_WINDOW
        column.removeWidget(row)
        row.setParent(None)
        ENDS[number % len(ENDS)](row)

    for number in range(WARM_UP):
        row_of_buttons(number)
    desk.registry.snapshot()
    gc.collect()
    held, objects = reachable(desk.registry), len(gc.get_objects())

    for number in range(ROWS):
        row_of_buttons(number)

    assert desk.registry.snapshot().instances == ()
    gc.collect()
    assert (alive(Adapter), alive(ModalityWatch), alive(WindowLabels)) == (0, 1, 1)
    assert reachable(desk.registry) == held
    assert len(gc.get_objects()) - objects < 3 * ROWS


def test_one_change_among_many_widgets_is_read_as_one_change(desk: Desk, qtbot: QtBot) -> None:
    window = form_of(MANY)
    qtbot.addWidget(window)
    voice_enable(window, desk.registry, desk.undo)
    window.show()
    before = desk.registry.snapshot()
    assert len(before.instances) == MANY
    edit = window.findChildren(QLineEdit, options=Qt.FindChildOption.FindDirectChildrenOnly)[3]
    edit.setText("new")
    after = desk.registry.snapshot()
    read_again = [new for old, new in zip(before.instances, after.instances, strict=True) if new is not old]
    assert [view.state.get("value") for view in read_again] == ["new"]


def test_a_dialog_blocks_many_widgets_and_gives_them_back(desk: Desk, qtbot: QtBot) -> None:
    window = form_of(MANY)
    qtbot.addWidget(window)
    voice_enable(window, desk.registry, desk.undo)
    window.show()
    dialog = QDialog(window)
    dialog.setWindowTitle("Sure")
    dialog.open()
    qtbot.waitUntil(lambda: not any(view.available for view in desk.registry.snapshot().instances))
    assert all("Sure" in view.reason for view in desk.registry.snapshot().instances)
    dialog.close()
    qtbot.waitUntil(lambda: all(view.available for view in desk.registry.snapshot().instances))


def test_a_label_that_is_given_a_buddy_later_names_it_from_then_on(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    column = QVBoxLayout(window)
    voice_enable(window, desk.registry, desk.undo)
    label, inner = QLabel("&Town"), QWidget()
    column.addWidget(label)
    column.addWidget(inner)
    window.show()
    edit = QLineEdit(inner)
    edit.setObjectName("field_7")
    edit.show()
    assert name_of(edit) == "field 7"
    label.setBuddy(edit)
    qtbot.waitUntil(lambda: name_of(edit) == "Town")


def test_a_label_that_has_gone_names_nothing_any_more(window: QWidget) -> None:
    edit, other = QLineEdit(window), QLineEdit(window)
    label = QLabel("Town", window)
    label.setBuddy(edit)
    window.show()
    assert (name_of(edit), name_of(other)) == ("Town", "")
    label.setBuddy(other)
    assert (name_of(edit), name_of(other)) == ("", "Town")
    shiboken6.delete(label)
    assert (name_of(edit), name_of(other)) == ("", "")
    nearer = QLabel("Nearer", edit.parentWidget())
    nearer.setBuddy(edit)
    assert name_of(edit) == "Nearer"


def test_the_reason_follows_the_dialog_that_is_in_front(desk: Desk, window: QWidget, qtbot: QtBot) -> None:
    QVBoxLayout(window).addWidget(QPushButton("Go"))
    voice_enable(window, desk.registry, desk.undo)
    window.show()

    def reason() -> str:
        return ModalityWatch.of(window).reason()

    first, second = QDialog(window), QDialog(window)
    first.setWindowTitle("First")
    second.setWindowTitle("Second")
    first.open()
    qtbot.waitUntil(lambda: "First" in reason())
    first.setWindowTitle("Renamed")
    assert "Renamed" in reason()
    first.close()
    second.open()
    qtbot.waitUntil(lambda: "Second" in reason())
    second.close()
    qtbot.waitUntil(lambda: not reason())
