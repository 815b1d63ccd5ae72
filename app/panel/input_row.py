"""The foot of the panel: push-to-talk, level, what is going on, and the text box."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.panel.level_meter import LevelMeter
from app.panel.status import ListeningState, StatusLine
from app.panel.talk_button import TalkButton
from app.panel.text_box import TextBox
from app.widgets.icons import icon
from app.widgets.theme import BUTTON_HEIGHT, GAP, GRID, ICON, Colours
from app.widgets.theme.palette_widget import PaletteWidget


class InputRow(PaletteWidget):
    """Everything with which the person addresses the assistant, in one row."""

    def __init__(self, key_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.talk = TalkButton(key_name)
        self.meter = LevelMeter()
        self.status = StatusLine()
        self.box = TextBox()
        self.send = QToolButton()
        self.send.setAutoRaise(True)
        self.send.setEnabled(False)
        self.send.setFixedSize(BUTTON_HEIGHT, BUTTON_HEIGHT)
        self.send.setIconSize(QSize(ICON, ICON))
        self.send.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.send.setToolTip("Send (Enter)")
        self.send.setAccessibleName("Send")
        self.send.clicked.connect(self.box.submit)
        self.box.textChanged.connect(self._box_changed)

        writing = QHBoxLayout()
        writing.setSpacing(GAP)
        writing.addWidget(self.box, 1)
        writing.addWidget(self.send, 0, Qt.AlignmentFlag.AlignBottom)
        right = QVBoxLayout()
        right.setSpacing(GAP)
        right.addWidget(self.status)
        right.addStretch(1)
        right.addLayout(writing)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, GRID + GAP, 2 * GRID, GRID + GAP)
        row.setSpacing(GRID)
        row.addWidget(self.talk, 0, Qt.AlignmentFlag.AlignBottom)
        row.addWidget(self.meter)
        row.addLayout(right, 1)
        self.setTabOrder(self.box, self.send)
        self.follow_palette()

    def set_listening(self, state: ListeningState, reason: str = "") -> None:
        """Shows what the microphone side does."""
        self.status.set_listening(state, reason)
        self.talk.set_look(listening=state == "listening", usable=state != "unavailable")
        if state != "listening":
            self.meter.set_level(0.0)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the line that parts it from the conversation."""
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, Colours.of(self.palette()).line)

    def _box_changed(self) -> None:
        self.send.setEnabled(bool(self.box.toPlainText().strip()))

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        self.send.setIcon(icon("send", self.palette(), role="accent_text"))
