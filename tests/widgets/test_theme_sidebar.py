"""The navigation on the left."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.widgets.sidebar import NavItem, Sidebar

PAGES = (
    NavItem("Settings", "settings", at_bottom=True),
    NavItem("Contributions", "contributions"),
    NavItem("Speakers", "speakers"),
)


@pytest.fixture
def sidebar(qtbot: QtBot) -> Sidebar:
    """A sidebar on the screen."""
    sidebar = Sidebar(PAGES)
    qtbot.addWidget(sidebar)
    sidebar.resize(sidebar.width(), 500)
    sidebar.show()
    sidebar.activateWindow()
    qtbot.waitUntil(sidebar.isActiveWindow)
    return sidebar


def test_the_first_page_is_current_and_settings_lies_at_the_bottom(sidebar: Sidebar) -> None:
    assert sidebar.current == "Contributions"
    tops = {name: sidebar.button(name).y() for name in ("Contributions", "Speakers", "Settings")}
    assert tops["Contributions"] < tops["Speakers"] < 200 < tops["Settings"]


def test_a_click_chooses_a_page(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sidebar.page_chosen) as chosen:
        QTest.mouseClick(sidebar.button("Speakers"), Qt.MouseButton.LeftButton)
    assert chosen.args == ["Speakers"]
    assert sidebar.current == "Speakers"
    assert sidebar.button("Speakers").accessibleDescription() == "Current page"
    assert sidebar.button("Contributions").accessibleDescription() == ""


def test_the_program_sets_the_page_without_a_signal(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(sidebar.page_chosen):
        sidebar.set_current("Settings")
    assert sidebar.current == "Settings"
    with pytest.raises(KeyError):
        sidebar.set_current("Nowhere")


def test_the_arrow_keys_walk_through_the_pages(sidebar: Sidebar) -> None:
    chosen: list[str] = []
    sidebar.page_chosen.connect(chosen.append)
    sidebar.button("Contributions").setFocus()
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_End, Qt.Key.Key_Down, Qt.Key.Key_Home):
        QTest.keyClick(sidebar.focusWidget(), key)
    assert chosen == ["Speakers", "Settings", "Contributions"]


def test_tab_stops_once(sidebar: Sidebar) -> None:
    stops = [name for name in ("Contributions", "Speakers", "Settings") if focusable(sidebar, name)]
    assert stops == ["Contributions"]
    sidebar.set_current("Speakers")
    assert focusable(sidebar, "Speakers")


def focusable(sidebar: Sidebar, name: str) -> bool:
    return bool(sidebar.button(name).focusPolicy() & Qt.FocusPolicy.TabFocus)
