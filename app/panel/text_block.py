"""Text in the conversation: can be selected and copied, is as tall as it needs, and breaks words that don't fit."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette, QResizeEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QTextEdit, QWidget

_LONGEST_WORD = 18
_ZERO_WIDTH_SPACE = "\u200b"


class TextBlock(QTextEdit):
    """Read-only plain text that grows with what is added. A QLabel would clip a word wider than itself."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAcceptRichText(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        # Reading is not a stop on the way from the text box to the cards; the mouse can still select.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Replaces the text, and what a screen reader reads."""
        self.setPlainText(text)
        self.setAccessibleName(text)

    def add_text(self, text: str) -> None:
        """Adds a piece at the end; only the last paragraph is laid out again."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.insertText(text)
        self.setAccessibleName(self.toPlainText())

    def set_colour(self, colour: str) -> None:
        """Draws the text in `#rrggbb`."""
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.Text, QColor(colour))
        self.setPalette(palette)

    def ideal_width(self) -> int:
        """Width of the longest line were there no limit, in pixels."""
        document = self.document().clone()
        document.setTextWidth(-1)
        return math.ceil(document.idealWidth()) + 1

    def sizeHint(self) -> QSize:
        """As tall as the text at the present width."""
        return QSize(200, self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        """Any width will do: words break."""
        return QSize(40, self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        """Wraps anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = math.ceil(self.document().size().height())
        if height != self.minimumHeight():
            self.setFixedHeight(height)


class WrapLabel(QLabel):
    """A label that wraps, and breaks a word that is longer than the label is wide. Its text can't be selected."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.set_text(text)

    def set_text(self, text: str) -> None:
        """Shows plain text. Invisible break points go into long words, so it must not be copied from here."""
        self.setText(breakable(text))
        self.setAccessibleName(text)


def breakable(text: str) -> str:
    """The text with invisible break points in every word that is longer than a narrow label is wide."""
    return " ".join(_broken(word) for word in text.split(" "))


def _broken(word: str) -> str:
    if len(word) <= _LONGEST_WORD:
        return word
    half = _LONGEST_WORD // 2
    return _ZERO_WIDTH_SPACE.join(word[start : start + half] for start in range(0, len(word), half))
