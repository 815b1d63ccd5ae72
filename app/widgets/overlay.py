"""A see-through layer over a window, to draw on. It takes neither clicks nor the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget

from app.widgets.adoption import leave_out


class Overlay(QWidget):
    """Covers its window and follows its size."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        leave_out(self)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follows the window's size; passes everything on."""
        if event.type() is QEvent.Type.Resize:
            self._cover()
        return False

    def cover_window(self) -> None:
        """Shows the layer above everything in the window."""
        self._cover()
        self.raise_()
        self.show()
        self.update()

    def place_of(self, widget: QWidget, rect: QRect | None = None) -> QRect:
        """Where a widget, or a rectangle in it, is on the layer; only the part that can be seen."""
        seen = (rect or widget.rect()) & widget.visibleRegion().boundingRect()
        return QRect(widget.mapTo(self.covered, seen.topLeft()), seen.size())

    @property
    def covered(self) -> QWidget:
        """The window."""
        window = self.parentWidget()
        assert window is not None
        return window

    def _cover(self) -> None:
        self.setGeometry(QRect(QPoint(), self.covered.size()))
