"""The foot of a proposal card: buttons while it can be decided, words about what became of it after that."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.agent.proposal import Proposal, ProposalStatus
from app.panel import card_words
from app.panel.spinner import Spinner
from app.panel.text_block import WrapLabel
from app.widgets.icons import icon
from app.widgets.theme import GRID, Colours
from app.widgets.theme.paint import make_primary, set_label_colour
from app.widgets.theme.palette_widget import PaletteWidget

_ICON = 16
_LOOKS: Mapping[ProposalStatus, tuple[str, str]] = {
    "approved": ("approve", "muted"),
    "rejected": ("rejected", "muted"),
    "done": ("done", "accent_text"),
    "failed": ("alert", "danger"),
    "refused": ("alert", "danger"),
}


class CardFoot(PaletteWidget):
    """One row that keeps its height when the buttons give way to words: nothing below it moves."""

    approve_pressed = Signal()
    reject_pressed = Signal()
    update_pressed = Signal()
    keep_pressed = Signal()
    focus_lost = Signal()
    """The button that had the focus is about to go: without this, Qt hands the focus to the next card's button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._status: ProposalStatus = "waiting"
        self.spinner = Spinner()
        self._icon, self._words = QLabel(), WrapLabel()
        self._approve, self._reject = QPushButton("Approve"), QPushButton("Reject")
        self._update, self._keep = QPushButton("Update"), QPushButton("Cancel edit")
        self._approve.setToolTip("Enter")
        self._reject.setToolTip("Delete or R")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self.spinner)
        row.addWidget(self._icon)
        row.addWidget(self._words, 1)
        for button, pressed in (
            (self._keep, self.keep_pressed),
            (self._reject, self.reject_pressed),
            (self._update, self.update_pressed),
            (self._approve, self.approve_pressed),
        ):
            button.setAutoDefault(False)
            button.clicked.connect(pressed)
            row.addWidget(button)
        self.setMinimumHeight(self._approve.sizeHint().height())
        self.follow_palette()

    @property
    def text(self) -> str:
        """What it says; nothing while the action waits."""
        return self._words.accessibleName()

    def show_state(self, proposal: Proposal, message: str, *, editing: bool) -> None:
        """Shows what can be done with the action now, or what became of it."""
        status = self._status = proposal.status
        self._words.set_text("" if status == "waiting" else card_words.status_words(proposal, message))
        self.spinner.set_busy(status == "running")
        self.spinner.setVisible(status == "running")
        self._icon.setVisible(status in _LOOKS)
        for button, visible in (
            (self._approve, status == "waiting" and not editing),
            (self._reject, status in ("waiting", "refused") and not editing),
            (self._update, editing),
            (self._keep, editing),
        ):
            if not visible and button.hasFocus():
                self.focus_lost.emit()
            button.setVisible(visible)
        for button, verb in ((self._approve, "Approve"), (self._reject, "Reject")):
            button.setAccessibleName(f"{verb} action {proposal.position}")
            button.setAccessibleDescription(f"{proposal.title} {proposal.target}".strip())
        self.recolour()

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        colours = Colours.of(self.palette())
        name, role = _LOOKS.get(self._status, ("", "muted"))
        if name:
            self._icon.setPixmap(icon(name, self.palette(), role=role).pixmap(_ICON, _ICON))
        set_label_colour(self._words, colours.role(role))
        make_primary(self._approve, colours)
        make_primary(self._update, colours)
