"""What the conversation shows before anything was said: a sentence, one action, phrases to say."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.panel.phrase_list import PhraseList
from app.panel.tall_widget import TallWidget
from app.panel.text_block import WrapLabel
from app.widgets.icons import icon
from app.widgets.theme import GRID, Colours, set_text_size
from app.widgets.theme.paint import set_label_colour

HELP_PHRASE = "What can I say"
_ICON = 40


class EmptyState(TallWidget):
    """The first thing a person sees of the assistant."""

    phrase_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = QLabel()
        self._title = WrapLabel("Say what you want done")
        set_text_size(self._title, "large", bold=True)
        self._text = WrapLabel()
        self.set_key_name("")
        self._help = QPushButton(HELP_PHRASE)
        self._help.setAutoDefault(False)
        self._help.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._help.clicked.connect(self._ask_help)
        self._unseen: Sequence[str] | None = None
        self.phrases = PhraseList()
        self.phrases.phrase_chosen.connect(self.phrase_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, GRID, 0, 0)
        layout.setSpacing(GRID)
        for widget in (self._icon, self._title, self._text):
            layout.addWidget(widget)
        layout.addWidget(self._help, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addSpacing(GRID)
        layout.addWidget(self.phrases)
        self.follow_palette()

    def set_key_name(self, key_name: str) -> None:
        """Names the key that is held while speaking; empty where there is none."""
        hold = f"Hold {key_name} or the button below and speak" if key_name else "Hold the button below and speak"
        self._text.set_text(f"{hold}, or type. You see every change before it is made.")

    def set_phrases(self, phrases: Sequence[str]) -> None:
        """Shows what can be said on the page that is open; while it is hidden, as soon as it is to be seen again."""
        if self.isHidden():
            self._unseen = phrases
        else:
            self.phrases.set_phrases(phrases)

    def showEvent(self, event: QShowEvent, /) -> None:
        """Makes the buttons of what it was given while nobody saw it."""
        super().showEvent(event)
        if self._unseen is not None:
            self.phrases.set_phrases(self._unseen)
            self._unseen = None

    def _ask_help(self) -> None:
        self.phrase_chosen.emit(HELP_PHRASE)

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        self._icon.setPixmap(icon("assistant", self.palette(), role="accent_text").pixmap(_ICON, _ICON))
        self._help.setIcon(icon("help", self.palette()))
        set_label_colour(self._text, Colours.of(self.palette()).muted)
