"""The push-to-talk button: held down while speaking, with the key that does the same written on it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.widgets.icons import icon
from app.widgets.theme import GAP, GRID, RADIUS, Colours, sized_font
from app.widgets.theme.focus_ring import FocusRing

_SIDE = 72
_GLYPH = 28
_RADIUS = RADIUS + 6


class TalkButton(QAbstractButton):
    """A large button that tells when it goes down and when it comes up, once each, whatever ends the hold."""

    hold_began = Signal()
    hold_ended = Signal()

    def __init__(self, key_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._held = False
        self._listening = False
        self._usable = True
        self.setFixedSize(_SIDE, _SIDE)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty(FocusRing.OWN_RING, True)
        self.pressed.connect(self._begin)
        self.released.connect(self._end)
        self.set_key_name(key_name)

    def set_key_name(self, key_name: str) -> None:
        """Shows another key's name; an empty one means that no key is set."""
        self.setText(key_name)
        self.setAccessibleName("Push to talk")
        self.setAccessibleDescription("Hold and speak." + (f" The key {key_name} does the same." if key_name else ""))
        self.setToolTip(self.accessibleDescription())
        self.update()

    def set_look(self, *, listening: bool, usable: bool) -> None:
        """Shows whether the microphone is open, and whether it can be opened at all."""
        if (listening, usable) != (self._listening, self._usable):
            self._listening, self._usable = listening, usable
            self.update()

    def sizeHint(self) -> QSize:
        """72 by 72 pixels."""
        return QSize(_SIDE, _SIDE)

    def mouseMoveEvent(self, event: QMouseEvent, /) -> None:
        """Keeps the hold while the pointer drifts off: Qt's own buttons would come up, and cut the sentence."""
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent, /) -> None:
        """Ends the hold wherever the pointer is."""
        self._end()
        super().mouseReleaseEvent(event)

    def changeEvent(self, event: QEvent, /) -> None:
        """A button that is disabled while held counts as let go."""
        if event.type() == QEvent.Type.EnabledChange and not self.isEnabled():
            self._end()
        super().changeEvent(event)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the microphone above the key's name; filled with the accent while it listens."""
        colours = Colours.of(self.palette())
        filled = self._listening or self.isDown()
        edge, fill, front = colours.accent, colours.raised, "accent_text"
        if not self._usable:
            edge, front = colours.outline, "muted"
        if filled:
            fill, front = colours.accent, "on_accent"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours.focus), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)
        painter.setPen(QPen(QColor(edge), 2 if self.underMouse() else 1))
        painter.setBrush(QColor(fill))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(4, 4, -4, -4), _RADIUS - 3, _RADIUS - 3)
        label = self.text()
        top = GRID + GAP if label else (self.height() - _GLYPH) // 2
        glyph = icon("microphone" if self._usable else "microphone_off", self.palette(), role=front)
        glyph.paint(painter, QRect((self.width() - _GLYPH) // 2, top, _GLYPH, _GLYPH))
        if label:
            painter.setFont(sized_font("small", bold=True))
            painter.setPen(QColor(colours.role(front)))
            box = QRect(GAP, top + _GLYPH, self.width() - GRID, self.height() - top - _GLYPH - GAP)
            text = painter.fontMetrics().elidedText(label, Qt.TextElideMode.ElideRight, box.width())
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def enterEvent(self, event: QEnterEvent, /) -> None:
        """Shows that it can be pressed."""
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent, /) -> None:
        """Back to rest."""
        self.update()
        super().leaveEvent(event)

    def _begin(self) -> None:
        if not self._held:
            self._held = True
            self.hold_began.emit()

    def _end(self) -> None:
        if self._held:
            self._held = False
            self.hold_ended.emit()
