"""How loud the microphone is, as a narrow column that fills from below."""

from __future__ import annotations

import math

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.theme import Colours

_SEGMENTS = 12
_WIDTH = 6
# Speech lies between these; a linear scale would hardly leave the ground.
_FLOOR_DB = -50.0
_TOP_DB = -6.0


class LevelMeter(QWidget):
    """Shows a level in decibels. It repaints nothing but itself, and only when a segment changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lit = 0
        self._muted = False
        self.setFixedWidth(_WIDTH)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Microphone level")

    @property
    def lit(self) -> int:
        """Segments lit now, 0 to 12."""
        return self._lit

    @property
    def muted(self) -> bool:
        """Whether the microphone gives nothing at all."""
        return self._muted

    def set_level(self, rms: float) -> None:
        """Shows a level: the root mean square of samples between -1 and 1."""
        decibels = 20 * math.log10(rms) if rms > 0 else _FLOOR_DB
        share = (decibels - _FLOOR_DB) / (_TOP_DB - _FLOOR_DB)
        lit = round(min(1.0, max(0.0, share)) * _SEGMENTS)
        if lit != self._lit:
            self._lit = lit
            self.update()

    def set_muted(self, muted: bool) -> None:
        """Marks that the microphone is open but gives only zeros."""
        if muted != self._muted:
            self._muted = muted
            self.setToolTip("The microphone is muted." if muted else "")
            self.setAccessibleDescription("Muted" if muted else "")
            self.update()

    def sizeHint(self) -> QSize:
        """As narrow as it is, as tall as there is room."""
        return QSize(_WIDTH, 64)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints twelve segments; all in the colour of a caution while muted."""
        colours = Colours.of(self.palette())
        lit, dark = QColor(colours.accent), QColor(colours.line)
        if self._muted:
            dark = QColor(colours.caution)
        painter = QPainter(self)
        pitch = self.height() / _SEGMENTS
        for index in range(_SEGMENTS):
            bottom = self.height() - round(index * pitch)
            top = self.height() - round((index + 1) * pitch) + 2
            painter.fillRect(QRect(0, top, _WIDTH, bottom - top), lit if index < self._lit else dark)
