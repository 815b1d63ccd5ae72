"""Fusion with flat buttons: the accent colour keeps the contrast it was chosen for, which Fusion's gradients lose."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QStyleOptionButton, QWidget

from app.widgets.theme.colours import Colours
from app.widgets.theme.metrics import BUTTON_HEIGHT, RADIUS

_PRESSED = 112
_HOVERED = 104


class FlatStyle(QProxyStyle):
    """Draws push buttons as one flat rounded area, and leaves the focus to the ring."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        /,
        widget: QWidget | None = None,
    ) -> None:
        """Draws buttons; everything else is Fusion's."""
        if element == QStyle.PrimitiveElement.PE_FrameFocusRect:
            return
        if element == QStyle.PrimitiveElement.PE_PanelButtonCommand:
            _draw_button(option, painter)
            return
        super().drawPrimitive(element, option, painter, widget)

    def sizeFromContents(
        self,
        kind: QStyle.ContentsType,
        option: QStyleOption,
        size: QSize,
        /,
        widget: QWidget,
    ) -> QSize:
        """Gives push buttons a height that is easy to hit."""
        found = super().sizeFromContents(kind, option, size, widget)
        if kind == QStyle.ContentsType.CT_PushButton:
            found.setHeight(max(BUTTON_HEIGHT, found.height()))
        return found


def _draw_button(option: QStyleOption, painter: QPainter) -> None:
    state = option.state
    colours = Colours.of(option.palette)
    fill = option.palette.color(QPalette.ColorRole.Button)
    primary = fill == QColor(colours.accent)
    enabled = bool(state & QStyle.StateFlag.State_Enabled)
    if not primary:
        fill = QColor(colours.raised)
    elif not enabled:
        fill = QColor(colours.line)
    flat = isinstance(option, QStyleOptionButton) and bool(option.features & QStyleOptionButton.ButtonFeature.Flat)
    hovered = enabled and bool(state & QStyle.StateFlag.State_MouseOver)
    if flat and not hovered:
        return
    if enabled and state & (QStyle.StateFlag.State_Sunken | QStyle.StateFlag.State_On):
        fill = fill.darker(_PRESSED)
    elif hovered:
        fill = fill.darker(_HOVERED)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    edge = QColor(colours.outline if enabled else colours.line)
    painter.setPen(QPen(fill if primary else edge, 1))
    painter.setBrush(fill)
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    painter.restore()
