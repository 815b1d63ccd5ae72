"""The corrections that are remembered, on the Settings page: what was heard, what had been meant, and Forget."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.pages.live_corrections import LiveCorrections
from app.pages.note import Note
from app.widgets.command_button import CommandAdapter, CommandButton
from app.widgets.context import VoiceContext
from app.widgets.flow_layout import FlowLayout
from app.widgets.theme import GRID

if TYPE_CHECKING:
    from app.agent.commands.corrections import Correction

_SHOWN = 8
"""As many as fit beside the other settings; the others are shown on demand."""

_EMPTY = (
    "Nothing is remembered. When words were heard wrongly, say what you meant, such as “no, I meant eating parrots”: "
    "the next time, both are offered."
)
_ABOUT = "When the same is heard again for the field, you are asked which of the two you mean."


class CorrectionsSection(QWidget):
    """A row for each correction.

    Args:
        live: The corrections.
        context: Where the buttons register; what they change is recorded by `live`.
    """

    rows_changed = Signal()
    """There are other buttons now."""

    def __init__(self, live: LiveCorrections, context: VoiceContext) -> None:
        super().__init__()
        self._live = live
        self._context = context
        self._listed: tuple[Correction, ...] | None = None
        self._wants_all = False
        self.status = Note()
        self.forget_buttons: list[CommandButton] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GRID)
        self.show_all = CommandButton("Show all", "", self._on_show_all, self._effect_of_show_all)
        self.forget_all = CommandButton("Forget all", "", self._on_forget_all, self._effect_of_forget_all)
        self.show_all.setAccessibleName("Show all corrections")
        self.forget_all.setAccessibleName("Forget all corrections")
        buttons = FlowLayout(spacing=GRID)
        for button in (self.show_all, self.forget_all):
            CommandAdapter(button, context, label=button.accessibleName())
            button.hide()
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.status)
        layout.addLayout(self._rows)
        layout.addLayout(buttons)
        live.changed.connect(self._show)

    @Slot()
    def _show(self) -> None:
        listed = self._live.listed()
        if listed is None or listed == self._listed:
            return
        focused = self._focused_row()
        self._listed = listed
        self.status.say(_ABOUT if listed else _EMPTY)
        self._fill(listed if self._wants_all else listed[:_SHOWN])
        self.show_all.setText(f"Show all {len(listed)}")
        self.show_all.setVisible(len(listed) > len(self.forget_buttons))
        self.forget_all.setVisible(len(listed) > 1)
        if focused is not None and self.forget_buttons:
            self.forget_buttons[min(focused, len(self.forget_buttons) - 1)].setFocus()
        self.rows_changed.emit()

    def _focused_row(self) -> int | None:
        """The row whose button has the keyboard; the first one where that is another button in here."""
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus):
            return None
        return next((at for at, button in enumerate(self.forget_buttons) if button is focus), 0)

    def _fill(self, corrections: tuple[Correction, ...]) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            row = item.widget()
            if row is not None:
                row.hide()
                row.deleteLater()
        self.forget_buttons.clear()
        for correction in corrections:
            row = self._row(correction)
            self._rows.addWidget(row)
            row.show()  # else it is there only after the next turn of the event loop, and can't be called before

    def _row(self, correction: Correction) -> QWidget:
        heard, meant, field = correction.heard, correction.meant, _field(correction)
        words = QLabel(f"“{heard}” → “{meant}”")
        words.setTextFormat(Qt.TextFormat.PlainText)
        words.setAccessibleName(f"Heard “{heard}”, meant “{meant}”")
        words.setWordWrap(True)
        button = CommandButton("Forget", "", partial(self._on_forget, correction), partial(_effect, correction))
        button.setAccessibleName(f"Forget {heard}")
        button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        aliases = (f"Forget {meant}", f"Forget {heard} for {field}")
        CommandAdapter(button, self._context, label=f"Forget {heard}", aliases=aliases)
        self.forget_buttons.append(button)
        texts = QVBoxLayout()
        texts.setSpacing(GRID // 4)
        texts.addWidget(words)
        texts.addWidget(Note(field))
        row = QWidget()
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addLayout(texts, 1)
        layout.addWidget(button)
        return row

    # -- what the buttons do

    def _on_forget(self, correction: Correction) -> str:
        self._live.forget((correction,))
        return f"“{correction.heard}” is forgotten."

    def _on_forget_all(self) -> str:
        gone = self._live.listed() or ()
        self._live.forget(gone)
        return f"{len(gone)} corrections are forgotten."

    def _effect_of_forget_all(self) -> str:
        return f"Forgets all {len(self._listed or ())} corrections."

    def _on_show_all(self) -> str:
        listed, self._listed, self._wants_all = self._listed or (), None, True
        self._show()
        return f"All {len(listed)} corrections are shown."

    def _effect_of_show_all(self) -> str:
        return f"Shows all {len(self._listed or ())} corrections."


def _effect(correction: Correction) -> str:
    return f"Forgets that “{correction.heard}” meant “{correction.meant}”."


def _field(correction: Correction) -> str:
    page, found, label = correction.target.partition("/")
    return f"{label} on {page}" if found else correction.target
