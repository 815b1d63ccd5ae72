"""A panel on the screen, and what it has told so far."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from panel_kit import Told
from pytestqt.qtbot import QtBot

from app.panel import AssistantPanel


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[AssistantPanel]:
    """A shown panel, the text box focused, as in the window."""
    panel = AssistantPanel("F9")
    qtbot.addWidget(panel)
    panel.resize(360, 700)
    panel.show()
    panel.activateWindow()
    panel.setFocus()
    qtbot.waitUntil(panel.input.box.hasFocus)
    yield panel
    panel.close()


@pytest.fixture
def told(panel: AssistantPanel) -> Told:
    """Everything the panel emits."""
    return Told(panel)
