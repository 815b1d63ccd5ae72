"""The base of widgets whose parts take their colours from the scheme in use."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget


class PaletteWidget(QWidget):
    """Colours its parts in `recolour`, and again whenever the palette changes.

    Read only `self.palette()` there: those of the parts still have the last scheme's colours then.
    """

    _follows = False

    def follow_palette(self) -> None:
        """Colours everything now and from now on. Call it once, when all the parts are there."""
        self._follows = True
        self.recolour()

    def recolour(self) -> None:
        """Gives the parts the colours and icons of `self.palette()`."""
        raise NotImplementedError

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._follows:
            self.recolour()
