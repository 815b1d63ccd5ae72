"""The bar above the input row while several actions wait: approve or reject all of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.panel.text_block import WrapLabel
from app.widgets.theme import GRID, Colours
from app.widgets.theme.paint import make_primary
from app.widgets.theme.palette_widget import PaletteWidget


class WaitingBar(PaletteWidget):
    """Shown only while two actions or more wait."""

    approve_all_requested = Signal()
    reject_all_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = WrapLabel()
        self._approve, self._reject = QPushButton("Approve all"), QPushButton("Reject all")
        self._approve.setToolTip("Ctrl+Enter")
        self._approve.clicked.connect(self.approve_all_requested)
        self._reject.clicked.connect(self.reject_all_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, GRID, 2 * GRID, GRID)
        row.setSpacing(GRID)
        row.addWidget(self._label, 1)
        for button in (self._reject, self._approve):
            button.setAutoDefault(False)
            row.addWidget(button)
        self.follow_palette()
        self.hide()

    def set_waiting(self, count: int) -> None:
        """So many actions wait now."""
        self._label.set_text(f"{count} actions wait")
        self.setVisible(count > 1)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the line that parts it from the conversation."""
        QPainter(self).fillRect(0, 0, self.width(), 1, Colours.of(self.palette()).line)

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        make_primary(self._approve, Colours.of(self.palette()))
