"""What an action changes: "Draft → Accepted" on one line where it fits, else the two texts under each other."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app.panel.card_words import Change
from app.panel.link_button import LinkButton
from app.panel.text_block import WrapLabel, breakable
from app.widgets.theme import GAP, GRID, Colours, set_text_size
from app.widgets.theme.paint import set_label_colour
from app.widgets.theme.palette_widget import PaletteWidget

_ONE_LINE = 36
_PREVIEW = 140


class ChangeView(PaletteWidget):
    """Shows one `Change`. A long text is cut until the person asks for all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change = Change("", "", "")
        self._whole = False
        self._faded = False
        self._line = QLabel()
        self._line.setTextFormat(Qt.TextFormat.RichText)
        self._line.setWordWrap(True)
        self._labels = [QLabel("Before"), QLabel("After")]
        self._texts = [WrapLabel(), WrapLabel()]
        self._more = LinkButton("Show all")
        self._more.clicked.connect(self._toggle)
        grid = QGridLayout()
        grid.setHorizontalSpacing(GRID)
        grid.setVerticalSpacing(GAP)
        grid.setColumnStretch(1, 1)
        for row, (label, text) in enumerate(zip(self._labels, self._texts, strict=True)):
            set_text_size(label, "small")
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, row, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addWidget(self._line)
        layout.addLayout(grid)
        layout.addWidget(self._more)
        self.follow_palette()

    def show_change(self, change: Change, *, faded: bool) -> None:
        """Shows another change; a sentence takes the place of values. Faded for an action that won't happen."""
        self._faded = faded
        if change != self._change:
            self._whole = False
        self._change = change
        stacked = not change.sentence and (
            len(change.before + change.after) > _ONE_LINE or "\n" in change.before + change.after
        )
        for part in (*self._labels, *self._texts):
            part.setVisible(stacked)
        self._line.setVisible(not stacked)
        long = max(len(change.sentence), len(change.before), len(change.after)) > _PREVIEW
        self._more.setVisible(long)
        self._more.setText("Show less" if self._whole else "Show all")
        self._more.updateGeometry()
        for label, text in zip(self._texts, (change.before, change.after), strict=True):
            label.set_text(self._cut(text))
        self.recolour()

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        colours = Colours.of(self.palette())
        strong = colours.muted if self._faded else colours.text
        for label in (*self._labels, self._texts[0]):
            set_label_colour(label, colours.muted)
        set_label_colour(self._texts[1], strong)
        set_label_colour(self._line, strong)
        self._line.setText(self._one_line(colours.muted))

    def _one_line(self, muted: str) -> str:
        change = self._change
        if change.sentence:
            return escape(breakable(self._cut(change.sentence))).replace("\n", "<br>")
        before, after = escape(breakable(change.before)), escape(breakable(change.after))
        return f'<span style="color: {muted}">{before} →</span> <b>{after}</b>'

    def _cut(self, text: str) -> str:
        return text if self._whole or len(text) <= _PREVIEW else text[:_PREVIEW].rsplit(" ", 1)[0] + " …"

    def _toggle(self) -> None:
        self._whole = not self._whole
        self.show_change(self._change, faded=self._faded)
