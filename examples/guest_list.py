"""An ordinary Qt window, and the few lines that put it under voice control.

`GuestList` knows nothing of Greenroom. `main` adopts it with `voice_enable` and adds the assistant panel: type "set the
name to Jane Doe, turn vegetarian on and click add", approve, and say or type "undo that".
"""

from __future__ import annotations

import sys

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QDockWidget,
    QFormLayout,
    QLineEdit,
    QListWidget,
    QMainWindow,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.agent.commands.answers import parse_answer
from app.agent.commands.backend import CommandBackend
from app.agent.journal import MemoryJournal
from app.agent.loop import EngineOptions
from app.agent.registry import Registry
from app.pages.app_tools import AppTools
from app.panel.panel import AssistantPanel
from app.qtbridge.engine_bridge import EngineBridge
from app.qtbridge.gui_host import GuiHost
from app.qtbridge.gui_thread import GuiThread
from app.qtbridge.undo import UndoLog
from app.widgets.adoption import leave_out, voice_enable
from app.widgets.numbers import NumbersOverlay
from app.widgets.theme import Theme


class GuestList(QMainWindow):
    """Somebody's own window."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Guests")
        self.name = QLineEdit()
        self.seats = QSpinBox()
        self.seats.setRange(1, 8)
        self.vegetarian = QCheckBox("Vegetarian")
        self.guests = QListWidget()
        add = QPushButton("Add")
        add.clicked.connect(self.add_guest)
        centre = QWidget()
        form = QFormLayout(centre)
        form.addRow("Name", self.name)
        form.addRow("Seats", self.seats)
        form.addRow(self.vegetarian)
        form.addRow(add)
        form.addRow("Guests", self.guests)
        self.setCentralWidget(centre)

    def add_guest(self) -> None:
        """Puts the guest on the list."""
        note = ", vegetarian" if self.vegetarian.isChecked() else ""
        self.guests.addItem(f"{self.name.text()} ({self.seats.value()}{note})")


class Assistant:
    """The lines that a program of its own needs."""

    def __init__(self, window: QMainWindow) -> None:
        self.registry, self.undo = Registry(), UndoLog(window)
        voice_enable(window, self.registry, self.undo)
        self.tools = AppTools(
            pages=lambda: [],
            open_page=lambda _page: None,
            undo=self.undo,
            help_text=lambda: "Name a field and a value, or a button.",
            show_numbers=NumbersOverlay(window, self.registry).show_numbers,
        )
        self.registry.register_instance(self.tools, label="Guests", state=self.tools.state)
        gui = GuiThread(window)
        host = GuiHost(gui, self.registry, self.undo)
        self.bridge = EngineBridge(gui, host, CommandBackend(), MemoryJournal(), parse_answer, EngineOptions())
        self.panel = AssistantPanel("")
        self.bridge.happened.connect(self.panel.handle_event)
        self.panel.text_submitted.connect(self.bridge.submit_text)
        self.panel.decided.connect(self.bridge.decide)
        self.panel.edited.connect(self.bridge.edit)
        self.panel.cancel_requested.connect(self.bridge.cancel)
        dock = QDockWidget("Assistant", window)
        dock.setWidget(self.panel)
        # The panel is where requests come from, not something to be operated by them.
        leave_out(dock)
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)


def main() -> int:
    """Shows the window."""
    application = QApplication(sys.argv)
    Theme(application)
    window = GuestList()
    assistant = Assistant(window)
    window.show()
    status = application.exec()
    assistant.bridge.shutdown()
    return status


if __name__ == "__main__":
    raise SystemExit(main())
