"""What a page shows while it has no records: a sentence, one action, one phrase to say."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.store.fields import Kind
from app.widgets.icons import icon
from app.widgets.theme import GRID, Colours
from app.widgets.theme.paint import set_label_colour

_ICON = 48
_WIDTH = 400


class EmptyPage(QWidget):
    """An invitation.

    Args:
        purpose: What goes here, as a sentence.
        action: The words on the button; to be said, too.
        kind: Which records, for the icon.
    """

    def __init__(self, purpose: str, action: str, kind: Kind) -> None:
        super().__init__()
        self._icon_name = f"{kind}s"
        self._icon = QLabel()
        text = QLabel(purpose)
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        text.setFixedWidth(_WIDTH)
        self.action = QPushButton(action)
        self.action.setAutoDefault(False)
        self.action.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._phrase = QLabel(f"or say “{action.lower()}”")
        layout = QVBoxLayout(self)
        layout.setSpacing(GRID * 2)
        layout.addStretch(2)
        for widget in (self._icon, text, self.action, self._phrase):
            layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(3)
        self._recolour()

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    def _recolour(self) -> None:
        self._icon.setPixmap(icon(self._icon_name, self.palette(), role="muted").pixmap(_ICON, _ICON))
        set_label_colour(self._phrase, Colours.of(self.palette()).muted)
