"""A ring round whatever has the keyboard focus, the same for every widget and always visible."""

from __future__ import annotations

from typing import ClassVar

import shiboken6
from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFocusFrame, QProxyStyle, QStyle, QStyleHintReturn, QStyleOption, QWidget

from app.widgets.theme.colours import Colours
from app.widgets.theme.metrics import RADIUS

_WIDTH = 2.0
_MARGIN = 3


class FocusRing(QObject):
    """Keeps one frame round the focused widget. Fusion alone shows focus on some widgets, and only after Tab.

    A widget that shows its focus itself sets the dynamic property `own_focus_ring` to True.
    """

    OWN_RING: ClassVar[str] = "own_focus_ring"

    def __init__(self, app: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._app = app
        self._frame: _Frame | None = None
        self._style = _RingStyle()
        self._style.setParent(self)
        app.focusChanged.connect(self._move)

    def dispose(self) -> None:
        """Takes the ring away for good."""
        self._app.focusChanged.disconnect(self._move)
        if self._frame is not None and shiboken6.isValid(self._frame):
            self._frame.deleteLater()
        self._frame = None

    def _move(self, _old: QWidget | None, now: QWidget | None) -> None:
        if now is not None and (now.isWindow() or now.property(self.OWN_RING)):
            now = None
        if self._frame is not None and not shiboken6.isValid(self._frame):
            # The frame is a child of the focused window, and goes with it.
            self._frame = None
        if now is None:
            if self._frame is not None:
                self._frame.setWidget(None)  # type: ignore[arg-type]  # the stub forgets that Qt takes none
            return
        if self._frame is None:
            self._frame = _Frame(now, self._style)
        self._frame.setWidget(now)


class _RingStyle(QProxyStyle):
    """Puts the frame above all that lies round the widget: beneath it, a parent without margins would cut it off."""

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        /,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803
    ) -> int:
        if hint == QStyle.StyleHint.SH_FocusFrame_AboveWidget:
            return 1
        return super().styleHint(hint, option, widget, returnData)

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        /,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        if metric in (QStyle.PixelMetric.PM_FocusFrameHMargin, QStyle.PixelMetric.PM_FocusFrameVMargin):
            return _MARGIN
        return super().pixelMetric(metric, option, widget)


class _Frame(QFocusFrame):
    def __init__(self, parent: QWidget, style: QStyle) -> None:
        super().__init__(parent)
        self.setStyle(style)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        target = self.widget()
        if target is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(Colours.of(target.palette()).focus), _WIDTH))
        inset = _WIDTH / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS + 2, RADIUS + 2)
