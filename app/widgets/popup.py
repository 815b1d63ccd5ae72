"""Where a popup goes."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QWidget


def place_below(popup: QWidget, owner: QWidget) -> None:
    """Moves a popup of a size that is known to below its field, or above it where there is no room."""
    corner = owner.mapToGlobal(QPoint(0, owner.height()))
    if corner.y() + popup.height() > owner.screen().availableGeometry().bottom():
        corner = owner.mapToGlobal(QPoint(0, -popup.height()))
    popup.move(corner)
