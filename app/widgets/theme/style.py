"""Fusion with flat buttons and quiet scroll bars: Fusion's gradients lose the contrast the colours were chosen for."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QStyleOptionComplex,
    QStyleOptionSlider,
    QStyleOptionSpinBox,
    QWidget,
)

from app.widgets.theme.colours import Colours
from app.widgets.theme.metrics import BUTTON_HEIGHT, GRID, RADIUS

_PRESSED = 112
_HOVERED = 104
_HANDLE = 6
_SMALL_RADIUS = 3
_ROUND = 99
# Fusion derives its edges from the window's colour, which leaves black on black with high contrast.
_FRAMES = {
    QStyle.PrimitiveElement.PE_FrameLineEdit: _SMALL_RADIUS,
    # The content of a scrolled area has square corners, which would cut into round ones.
    QStyle.PrimitiveElement.PE_Frame: 0,
}
_INDICATORS = {
    QStyle.PrimitiveElement.PE_IndicatorCheckBox: _SMALL_RADIUS,
    QStyle.PrimitiveElement.PE_IndicatorRadioButton: _ROUND,
}
_FIELDS = (QStyle.ComplexControl.CC_ComboBox, QStyle.ComplexControl.CC_SpinBox)


class FlatStyle(QProxyStyle):
    """Draws push buttons and scroll bars, and leaves the focus to the ring; everything else is Fusion's."""

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
        """Draws the ground of a push button."""
        if element == QStyle.PrimitiveElement.PE_FrameFocusRect:
            return
        if element == QStyle.PrimitiveElement.PE_PanelButtonCommand:
            _draw_button(option, painter)
            return
        if element in _FRAMES:
            _draw_edge(option, painter, radius=_FRAMES[element])
            return
        super().drawPrimitive(element, option, painter, widget)
        if element in _INDICATORS:
            _draw_edge(option, painter, radius=_INDICATORS[element])

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        /,
        widget: QWidget | None = None,
    ) -> None:
        """Draws a scroll bar as a handle alone, and as nothing where there is nothing to scroll."""
        if control == QStyle.ComplexControl.CC_ScrollBar and isinstance(option, QStyleOptionSlider):
            handle = self.subControlRect(control, option, QStyle.SubControl.SC_ScrollBarSlider, widget)  # type: ignore[arg-type]
            _draw_handle(option, QRectF(handle), painter)
            return
        super().drawComplexControl(control, option, painter, widget)
        if control in _FIELDS:
            _draw_edge(option, painter)

    def sizeFromContents(
        self,
        kind: QStyle.ContentsType,
        option: QStyleOption,
        size: QSize,
        /,
        widget: QWidget | None = None,
    ) -> QSize:
        """Gives push buttons a height that is easy to hit, and air beside their words."""
        # The stub forgets that Qt takes no widget here too.
        found = super().sizeFromContents(kind, option, size, widget)  # type: ignore[arg-type]
        if kind == QStyle.ContentsType.CT_PushButton:
            found.setHeight(max(BUTTON_HEIGHT, found.height()))
            found.setWidth(max(found.width(), size.width() + 3 * GRID))
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
    hovered = enabled and bool(state & QStyle.StateFlag.State_MouseOver)
    flat = isinstance(option, QStyleOptionButton) and option.features & QStyleOptionButton.ButtonFeature.Flat
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


def _draw_edge(option: QStyleOption, painter: QPainter, *, radius: int = _SMALL_RADIUS) -> None:
    if isinstance(option, QStyleOptionComboBox | QStyleOptionSpinBox) and not option.frame:
        return
    colours = Colours.of(option.palette)
    enabled = bool(option.state & QStyle.StateFlag.State_Enabled)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.outline if enabled else colours.line), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    box = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
    painter.drawRoundedRect(box, min(radius, box.width() / 2), min(radius, box.height() / 2))
    painter.restore()


def _draw_handle(option: QStyleOptionSlider, handle: QRectF, painter: QPainter) -> None:
    if option.maximum <= option.minimum:
        return
    inset = (handle.width() - _HANDLE) / 2
    slim = handle.adjusted(inset, 0, -inset, 0)
    if option.state & QStyle.StateFlag.State_Horizontal:
        inset = (handle.height() - _HANDLE) / 2
        slim = handle.adjusted(0, inset, 0, -inset)
    colours = Colours.of(option.palette)
    active = option.state & QStyle.StateFlag.State_MouseOver or option.state & QStyle.StateFlag.State_Sunken
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(colours.window), 0))
    painter.setBrush(QColor(colours.muted if active else colours.outline))
    painter.drawRoundedRect(slim, _HANDLE / 2, _HANDLE / 2)
    painter.restore()
