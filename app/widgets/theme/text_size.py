"""Larger text everywhere, at once: the application's font, and every font that was made from it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QWidget

TextSizeChoice: TypeAlias = Literal["normal", "large", "largest"]

_FACTORS: Mapping[TextSizeChoice, float] = MappingProxyType({"normal": 1.0, "large": 1.2, "largest": 1.4})
_PROPERTY = "text_size_factor"
"""Of the application: what its font was multiplied by."""


def use_text_size(app: QApplication, choice: TextSizeChoice) -> None:
    """Makes all text of the application larger or smaller; `normal` is what the system has."""
    before = float(app.property(_PROPERTY) or 1.0)
    ratio = _FACTORS[choice] / before
    if ratio == 1.0:
        return
    app.setProperty(_PROPERTY, _FACTORS[choice])
    # A font of its own does not follow the application's; its size came from there all the same.
    own = [(widget, _scaled(widget.font(), ratio)) for widget in app.allWidgets() if _has_own_font(widget)]
    app.setFont(_scaled(app.font(), ratio))
    for widget, font in own:
        widget.setFont(font)


def _has_own_font(widget: QWidget) -> bool:
    return widget.testAttribute(Qt.WidgetAttribute.WA_SetFont)


def _scaled(font: QFont, ratio: float) -> QFont:
    scaled = QFont(font)
    if font.pointSizeF() > 0:
        scaled.setPointSizeF(font.pointSizeF() * ratio)
    else:
        scaled.setPixelSize(round(font.pixelSize() * ratio))
    return scaled
