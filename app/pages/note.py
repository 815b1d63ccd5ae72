"""A line of words about what stands beside or above it."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.widgets.theme import Colours, set_text_size
from app.widgets.theme.paint import set_label_colour

Tone: TypeAlias = Literal["muted", "accent_text", "caution", "danger"]


class Note(QLabel):
    """Small words that wrap; takes no room while it says nothing. It follows the palette by itself."""

    def __init__(self, text: str = "", tone: Tone = "muted", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tone: Tone = tone
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        set_text_size(self, "small")
        self.setText(text)
        if not text:
            self.hide()
        self._recolour()

    def say(self, text: str, tone: Tone = "muted") -> None:
        """Shows a text; an empty one hides it. To be called when it is in its place: shown alone it is a window."""
        self._tone = tone
        self.setText(text)
        self.setVisible(bool(text))
        self._recolour()

    @property
    def tone(self) -> Tone:
        """How it says it."""
        return self._tone

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    def _recolour(self) -> None:
        colour = Colours.of(self.palette()).role(self._tone)
        # Setting it tells of a new palette again.
        if self.palette().color(self.foregroundRole()) != QColor(colour):
            set_label_colour(self, colour)
