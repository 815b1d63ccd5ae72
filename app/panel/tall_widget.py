"""The base of what stands in the conversation, where each is as tall as it has to be at the width that all have."""

from __future__ import annotations

from PySide6.QtCore import QSize

from app.widgets.theme.palette_widget import PaletteWidget


class TallWidget(PaletteWidget):
    """A widget with a layout whose height depends on its width, in a column of many.

    Qt would ask such a layout how tall it is at its least, its best and its present width whenever anything in the
    column changes, and a layout remembers its height at one width only: each card's texts were wrapped anew three
    times for each new entry. The two other heights count nowhere, so they are not worked out.
    """

    def sizeHint(self) -> QSize:
        """The best width; the height is that of `heightForWidth`."""
        layout = self.layout()
        return super().sizeHint() if layout is None else layout.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """The least width; the height is that of `heightForWidth`."""
        layout = self.layout()
        return super().minimumSizeHint() if layout is None else layout.minimumSize()
