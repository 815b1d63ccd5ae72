"""Outlines the target of a proposal on the screen."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from app.widgets.adapter import WidgetAdapter
from app.widgets.overlay import Overlay
from app.widgets.theme import RADIUS, Colours

_WIDTH = 3.0
_ROOM = 4


class Highlight(Overlay):
    """A frame round one widget of the window; follows it until it is hidden."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._target: QWidget | None = None

    @property
    def target(self) -> QWidget | None:
        """What is outlined."""
        return self._target

    def show_instance(self, guid: str) -> bool:
        """Outlines what has that identity in the registry. Says whether it is on this window."""
        for adapter in self.covered.findChildren(WidgetAdapter):
            if adapter.guid == guid and guid:
                self.show_target(adapter.widget)
                return True
        self.clear()
        return False

    def show_target(self, target: QWidget) -> None:
        """Outlines a widget, and scrolls to it."""
        self.clear()
        self._target = target
        target.installEventFilter(self)
        target.destroyed.connect(self._forget)
        _scroll_to(target)
        self.cover_window()

    def clear(self) -> None:
        """Outlines nothing."""
        if self._target is not None:
            self._target.removeEventFilter(self)
            self._target.destroyed.disconnect(self._forget)
        self._forget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the target; passes everything on."""
        if watched is self._target:
            if event.type() is QEvent.Type.Hide:
                self.clear()
            elif event.type() in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Paint):
                self.update()
            return False
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Draws the frame."""
        if self._target is None:
            return
        rect = QRectF(self.place_of(self._target)).adjusted(-_ROOM, -_ROOM, _ROOM, _ROOM)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(Colours.of(self.palette()).caution), _WIDTH))
        painter.drawRoundedRect(rect, RADIUS, RADIUS)

    def _forget(self) -> None:
        self._target = None
        self.hide()


def _scroll_to(target: QWidget) -> None:
    owner = target.parentWidget()
    while owner is not None and not owner.isWindow():
        if isinstance(owner, QScrollArea):
            owner.ensureWidgetVisible(target)
        owner = owner.parentWidget()
