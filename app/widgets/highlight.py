"""Outlines the target of a proposal on the screen."""

from __future__ import annotations

from collections.abc import Iterator

import shiboken6
from PySide6.QtCore import QEvent, QObject, QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from app.agent.registry import Registry
from app.widgets.adapter import WidgetAdapter
from app.widgets.overlay import Overlay
from app.widgets.theme import RADIUS, Colours

_WIDTH = 3.0
_ROOM = 4
_EDGE = _ROOM + 2
"""From the target to the outer side of the frame, half of whose line lies outside the middle of it."""


class Highlight(Overlay):
    """A frame round one widget of the window; follows it until it is hidden.

    It covers the widget and no more: whatever lies under a layer is painted anew with it.
    """

    def __init__(self, window: QWidget, registry: Registry) -> None:
        super().__init__(window)
        self._registry = registry
        self._target: QWidget | None = None
        self._watched: list[QWidget] = []

    @property
    def target(self) -> QWidget | None:
        """What is outlined."""
        return self._target

    def show_instance(self, guid: str) -> bool:
        """Outlines what has that identity in the registry. Says whether it is on this window."""
        adapter = self._registry.object_of(guid)
        if isinstance(adapter, WidgetAdapter) and self.covered.isAncestorOf(adapter.widget):
            self.show_target(adapter.widget)
            return True
        self.clear()
        return False

    def show_target(self, target: QWidget) -> None:
        """Outlines a widget, and scrolls to it."""
        self.clear()
        self._target = target
        target.destroyed.connect(self._forget)
        # What holds it moves it, too: a target that is scrolled gets no event of its own.
        self._watched = [target, *_inside(self.covered, target)]
        for widget in self._watched:
            widget.installEventFilter(self)
        _scroll_to(self.covered, target)
        self.cover_window()

    def clear(self) -> None:
        """Outlines nothing."""
        if self._target is not None:
            self._target.destroyed.disconnect(self._forget)
        self._forget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the target; passes everything on."""
        kind = event.type()
        if watched is self._target and kind is QEvent.Type.Hide:
            self.clear()
        elif kind in (QEvent.Type.Move, QEvent.Type.Resize):
            self._cover()
        return False

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Draws the frame."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(Colours.of(self.palette()).caution), _WIDTH))
        inset = _EDGE - _ROOM
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)

    def _cover(self) -> None:
        if self._target is None:
            return
        place = self.place_of(self._target)
        place = QRect() if place.isEmpty() else place.adjusted(-_EDGE, -_EDGE, _EDGE, _EDGE)
        if place != self.geometry():
            self.setGeometry(place)

    def _forget(self) -> None:
        self._target = None
        for widget in self._watched:
            if shiboken6.isValid(widget):
                widget.removeEventFilter(self)
        self._watched = []
        self.hide()


def _inside(window: QWidget, target: QWidget) -> Iterator[QWidget]:
    """What holds the target, from the inside out, up to the window."""
    owner = target.parentWidget()
    while owner is not None and owner is not window and not owner.isWindow():
        yield owner
        owner = owner.parentWidget()


def _scroll_to(window: QWidget, target: QWidget) -> None:
    for owner in _inside(window, target):
        if isinstance(owner, QScrollArea):
            owner.ensureWidgetVisible(target)
