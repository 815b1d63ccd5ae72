"""Windows as another developer would write them, and a registry with an undo log."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from desk_calls import Desk
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.agent.registry import Registry
from app.qtbridge.undo import UndoLog


@pytest.fixture
def desk(qapp: QCoreApplication) -> Iterator[Desk]:
    """An empty registry and undo log."""
    assert qapp is not None
    desk = Desk(Registry(), UndoLog())
    yield desk
    desk.undo.deleteLater()


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    """An empty window that is not shown yet."""
    window = QWidget()
    window.setWindowTitle("Example")
    qtbot.addWidget(window)
    return window
