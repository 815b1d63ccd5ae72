""" "You could say": phrases that can be clicked instead of spoken."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.panel.tall_widget import TallWidget
from app.widgets.theme import GAP, GRID, Colours, set_text_size
from app.widgets.theme.paint import draw_panel, set_label_colour

_MOST = 6


class PhraseList(TallWidget):
    """A caption and up to six phrases below each other."""

    phrase_chosen = Signal(str)

    def __init__(self, phrases: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caption = QLabel("You could say")
        set_text_size(self._caption, "small")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(GAP)
        self._layout.addWidget(self._caption)
        self._chips: list[Chip] = []
        self.set_phrases(phrases)
        self.follow_palette()

    @property
    def phrases(self) -> tuple[str, ...]:
        """The phrases shown."""
        return tuple(chip.text() for chip in self._chips)

    def chip(self, phrase: str) -> Chip:
        """The button of a phrase.

        Raises:
            StopIteration: It isn't shown.
        """
        return next(chip for chip in self._chips if chip.text() == phrase)

    def set_phrases(self, phrases: Sequence[str]) -> None:
        """Shows other phrases."""
        for chip in self._chips:
            self._layout.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._chips = [Chip(phrase) for phrase in phrases[:_MOST]]
        for chip in self._chips:
            chip.chosen.connect(self.phrase_chosen)
            self._layout.addWidget(chip)
        self._caption.setVisible(bool(self._chips))

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        set_label_colour(self._caption, Colours.of(self.palette()).muted)


class Chip(QAbstractButton):
    """One phrase as a button; too long a phrase is cut at the end and shown whole in its tip."""

    chosen = Signal(str)

    def __init__(self, phrase: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(phrase)
        self.setToolTip(phrase)
        self.setAccessibleName(f"Say: {phrase}")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._choose)

    def sizeHint(self) -> QSize:
        """One line of text with air round it."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 3 * GRID, metrics.height() + 2 * GRID)

    def minimumSizeHint(self) -> QSize:
        """Any width will do."""
        return QSize(6 * GRID, self.sizeHint().height())

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the phrase on a rounded ground."""
        colours = Colours.of(self.palette())
        active = self.underMouse() or self.isDown()
        draw_panel(self, fill=colours.said if active else colours.raised, edge=colours.line)
        painter = QPainter(self)
        painter.setPen(colours.text)
        box = self.rect().adjusted(GRID + GAP, 0, -GRID - GAP, 0)
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, box.width())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _choose(self) -> None:
        self.chosen.emit(self.text())
