"""The box in which an utterance is typed: Enter sends, Up and Down bring back what was sent before."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from app.widgets.theme import BUTTON_HEIGHT

_MOST_LINES = 5
_HISTORY = 200


class TextBox(QPlainTextEdit):
    """Grows from one line to five. Text of several lines, typed with Shift+Enter or pasted, is sent as one."""

    submitted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._history: list[str] = []
        self._place = 0
        self._draft = ""
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setPlaceholderText("Type a request")
        self.setAccessibleName("Request")
        self.setAccessibleDescription("Enter sends it. Up and Down bring back earlier ones.")
        self.document().setDocumentMargin(6)
        self.textChanged.connect(self._fit)
        self._fit()

    def submit(self) -> None:
        """Sends what was typed, if it says anything, and empties the box."""
        text = self.toPlainText().strip()
        if not text:
            return
        if not self._history or self._history[-1] != text:
            self._history = [*self._history, text][-_HISTORY:]
        self._place, self._draft = len(self._history), ""
        self.clear()
        self.submitted.emit(text)

    def put(self, text: str) -> None:
        """Puts text in to be finished by the person: the cursor stands at its end."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Enter sends; Up in the first line and Down in the last walk through what was sent before."""
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not modifiers:
            self.submit()
        elif key == Qt.Key.Key_Up and not modifiers and self._at_edge(QTextCursor.MoveOperation.Up):
            self._walk(-1)
        elif key == Qt.Key.Key_Down and not modifiers and self._at_edge(QTextCursor.MoveOperation.Down):
            self._walk(1)
        else:
            super().keyPressEvent(event)

    def _at_edge(self, move: QTextCursor.MoveOperation) -> bool:
        return not QTextCursor(self.textCursor()).movePosition(move)

    def _walk(self, step: int) -> None:
        place = self._place + step
        if not 0 <= place <= len(self._history):
            return
        if self._place == len(self._history):
            self._draft = self.toPlainText()
        self._place = place
        self.setPlainText(self._draft if place == len(self._history) else self._history[place])
        self.moveCursor(QTextCursor.MoveOperation.End)

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        """Other widths wrap at other places."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # A plain text document counts its height in lines.
        lines = min(_MOST_LINES, max(1, math.ceil(self.document().size().height())))
        frame = 2 * self.frameWidth() + 2 * math.ceil(self.document().documentMargin())
        height = max(BUTTON_HEIGHT, lines * self.fontMetrics().lineSpacing() + frame)
        if height != self.minimumHeight():
            self.setFixedHeight(height)
        needed = lines == _MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if needed else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
