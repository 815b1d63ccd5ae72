"""Pages are made ahead, each once."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from app.main_window import MainWindow
from app.panel.panel import AssistantPanel
from app.widgets.sidebar import NavItem


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    window = MainWindow(
        (NavItem("First", "settings"), NavItem("Second", "settings"), NavItem("Third", "settings")),
        AssistantPanel("F9"),
    )
    qtbot.addWidget(window)
    return window


def test_a_page_that_can_not_be_made_is_tried_once_ahead_and_again_when_it_is_opened(
    window: MainWindow, qtbot: QtBot
) -> None:
    tried: list[str] = []

    def fails() -> QWidget:
        tried.append("Second")
        raise RuntimeError("no such table")

    def made(name: str) -> QWidget:
        tried.append(name)
        return QWidget()

    window.use_pages({"First": lambda: made("First"), "Second": fails, "Third": lambda: made("Third")})
    window.open_page("First")
    window.show()
    with capture_exceptions() as raised:
        window.prepare_pages()
        qtbot.waitUntil(lambda: not window._preparing.isActive())
    assert tried == ["First", "Second", "Third"]
    assert [str(each[1]) for each in raised] == ["no such table"]
    with pytest.raises(RuntimeError, match="no such table"):
        window.open_page("Second")
    window.close()
