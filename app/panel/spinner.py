"""A small turning arc that shows up only when something takes longer than people notice."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.widgets.theme import Colours

SHOW_AFTER_MS = 200
_FRAME_MS = 50
_STEP_DEGREES = 18
_ARC_DEGREES = 280


class Spinner(QWidget):
    """Busy indicator. It always takes its place in the layout, so that nothing moves when it appears."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedSize(16, 16)
        self._angle = 0
        self._delay = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._delay.timeout.connect(self._start)
        self._frames = QTimer(self, interval=_FRAME_MS)
        self._frames.timeout.connect(self._turn)

    @property
    def spinning(self) -> bool:
        """Whether it can be seen turning now."""
        return self._frames.isActive()

    def set_busy(self, busy: bool) -> None:
        """Work has begun, or ended. It appears once work has gone on for 200 ms."""
        if busy and not (self._delay.isActive() or self.spinning):
            self._delay.start()
        elif not busy:
            self._delay.stop()
            self._frames.stop()
            self.update()

    def sizeHint(self) -> QSize:
        """16 by 16 pixels."""
        return QSize(16, 16)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the arc, or nothing."""
        if not self.spinning:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(Colours.of(self.palette()).accent_text), 2)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawArc(QRectF(2, 2, 12, 12), -self._angle * 16, _ARC_DEGREES * 16)

    def _start(self) -> None:
        self._frames.start()
        self.update()

    def _turn(self) -> None:
        self._angle = (self._angle + _STEP_DEGREES) % 360
        self.update()
