"""Distances and text sizes. Everything on the screen sits on an 8 px grid and uses one of three text sizes."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

GRID = 8
GAP = GRID // 2
RADIUS = 6
ICON = 20
BUTTON_HEIGHT = 32

TextSize: TypeAlias = Literal["small", "normal", "large"]

_SCALE: dict[TextSize, float] = {"small": 0.9, "normal": 1.0, "large": 1.3}
_SMALLEST_POINTS = 8.0


def sized_font(size: TextSize, *, bold: bool = False) -> QFont:
    """The system's font in one of the three sizes, never under 8 points."""
    font = QFont(QApplication.font())
    points = font.pointSizeF()
    if points > 0:
        font.setPointSizeF(max(_SMALLEST_POINTS, points * _SCALE[size]))
    else:
        font.setPixelSize(round(font.pixelSize() * _SCALE[size]))
    font.setBold(bold)
    return font


def set_text_size(widget: QWidget, size: TextSize, *, bold: bool = False) -> None:
    """Gives a widget the system's font in one of the three sizes."""
    widget.setFont(sized_font(size, bold=bold))
