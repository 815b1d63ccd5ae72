"""Small painting helpers, so that no widget needs a style sheet."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPalette, QPen
from PySide6.QtWidgets import QPushButton, QWidget

from app.widgets.theme.colours import Colours
from app.widgets.theme.metrics import RADIUS


def draw_panel(widget: QWidget, *, fill: str, edge: str = "", width: float = 1.0, radius: int = RADIUS) -> None:
    """Fills a widget with a rounded rectangle. Call it in its `paintEvent`.

    Args:
        fill, edge: `#rrggbb`; no edge where it is empty.
        width: Of the edge, in pixels.
    """
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    inset = width / 2 if edge else 0.0
    painter.setPen(QPen(QColor(edge), width) if edge else QPen(QColor(fill), 0))
    painter.setBrush(QColor(fill))
    painter.drawRoundedRect(QRectF(widget.rect()).adjusted(inset, inset, -inset, -inset), radius, radius)


def set_label_colour(label: QWidget, colour: str) -> None:
    """Draws a label's text in `#rrggbb`; again from its `PaletteChange` where the scheme can change."""
    palette = QPalette(label.palette())
    palette.setColor(QPalette.ColorRole.WindowText, QColor(colour))
    label.setPalette(palette)


def make_primary(button: QPushButton, colours: Colours) -> None:
    """Gives the one button that goes forward the accent colour."""
    palette = QPalette(button.palette())
    palette.setColor(QPalette.ColorRole.Button, QColor(colours.accent))
    palette.setColor(QPalette.ColorRole.ButtonText, QColor(colours.on_accent))
    button.setPalette(palette)
