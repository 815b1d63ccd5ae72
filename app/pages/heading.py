"""The title of the record shown, what is unsaved, and one line that says what a button did."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.widgets.theme import GRID, Colours, set_text_size
from app.widgets.theme.paint import set_label_colour


class Heading(QWidget):
    """Two lines of fixed height above a form, so that nothing below them jumps."""

    def __init__(self) -> None:
        super().__init__()
        self._title = ElidedLabel()
        set_text_size(self._title, "large", bold=True)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setAccessibleName("Status")
        self.note.setMinimumHeight(self.note.fontMetrics().lineSpacing())
        self._record_note = ""
        self._message = ""
        self._refused = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID // 2, 0, 0, 0)
        layout.setSpacing(GRID // 2)
        layout.addWidget(self._title)
        layout.addWidget(self.note)

    @property
    def text(self) -> str:
        """What the second line says."""
        return self.note.text()

    def show_record(self, title: str, note: str) -> None:
        """Shows the title, and what there is to know of the record's state."""
        self._title.set_text(title)
        self._record_note = note
        self._show_note()

    def say(self, message: str, *, refused: bool = False) -> None:
        """Says what was done, or why not, until the next thing happens."""
        self._message, self._refused = message, refused
        self._show_note()

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._show_note()

    def _show_note(self) -> None:
        colours = Colours.of(self.palette())
        self.note.setText(self._message or self._record_note)
        colour = colours.muted if self._message else colours.caution
        set_label_colour(self.note, colours.danger if self._message and self._refused else colour)


class ElidedLabel(QLabel):
    """One line of text, cut with an ellipsis where there is no room; the whole text is in the tool tip."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        """Shows a text."""
        self._whole = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._cut()

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        """Shows as much as there is room for."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width()))
