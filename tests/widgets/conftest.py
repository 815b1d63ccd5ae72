"""Windows as another developer would write them, and a registry with an undo log."""

from __future__ import annotations

import pytest
from desk_calls import desk
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

__all__ = ["desk"]


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """An empty window that is not shown yet."""
    window = QWidget()
    window.setWindowTitle("Example")
    qtbot.addWidget(window)
    return window
