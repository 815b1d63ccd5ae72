"""A proposed action as a card: what it would change, how sure the assistant is, and the person's decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.agent.policy import ConfidenceLevel
from app.agent.proposal import Decision, DecisionKind, Proposal, ProposalStatus
from app.panel import card_words
from app.panel.argument_form import ArgumentForm
from app.panel.change_view import ChangeView
from app.panel.spinner import Spinner
from app.panel.text_block import WrapLabel
from app.widgets.icons import icon, set_icon
from app.widgets.theme import GAP, GRID, Colours, set_text_size
from app.widgets.theme.paint import draw_panel, make_primary, set_label_colour
from app.widgets.theme.palette_widget import PaletteWidget

_SMALL_ICON = 16
_LEVEL_ICONS: Mapping[ConfidenceLevel, str] = {"low": "level_low", "medium": "level_medium", "high": "level_high"}
_STATUS_ICONS: Mapping[ProposalStatus, tuple[str, str]] = {
    "approved": ("approve", "muted"),
    "rejected": ("rejected", "muted"),
    "done": ("done", "accent_text"),
    "failed": ("alert", "danger"),
    "refused": ("alert", "danger"),
}


class ProposalCard(PaletteWidget):
    """One action. Enter approves, Delete or R rejects, E edits while the card itself has the focus."""

    decided = Signal(Decision)
    edited = Signal(str, object)
    """The proposal's id, and the arguments as a mapping."""
    selected = Signal(str)
    """The guid of the target, when the card is clicked or gets the focus."""

    def __init__(self, proposal: Proposal, message: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._proposal = proposal
        self._message = message
        self._form: ArgumentForm | None = None
        self._edit_sent = False
        self._chosen = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._build()
        self.show_proposal(proposal, message)
        self.follow_palette()

    @property
    def proposal(self) -> Proposal:
        """The action as it is shown now."""
        return self._proposal

    @property
    def form(self) -> ArgumentForm | None:
        """The form that is open for editing, if one is."""
        return self._form

    @property
    def status_text(self) -> str:
        """What the foot of the card says; nothing while it waits."""
        return self._status.accessibleName()

    def show_proposal(self, proposal: Proposal, message: str = "") -> None:
        """Shows another state of the same action.

        Args:
            message: What the call said it did, once it has run.
        """
        if self._form is not None and (self._edit_sent or proposal.status not in ("waiting", "refused")):
            self._close_form()
        self._proposal, self._message = proposal, message
        self._number.setText(str(proposal.position))
        self._verb.set_text(card_words.verb_line(proposal))
        self._verb.setToolTip(str(proposal.place))
        self._target.set_text(proposal.target or proposal.title)
        self._verb.setVisible(bool(proposal.target or proposal.place.title))
        self._change.show_change(card_words.change_of(proposal))
        self._confidence.set_text(
            f"{card_words.confidence_words(proposal)}  ·  {card_words.policy_words(proposal.policy)}"
        )
        self._status.set_text("" if proposal.status == "waiting" else card_words.status_words(proposal, message))
        self._spinner.set_busy(proposal.status == "running")
        self.setAccessibleName(card_words.spoken(proposal, message))
        self._arrange()
        self.recolour()

    def show_refusal(self, message: str) -> None:
        """Says why an edit was not accepted. What was typed stays in the form."""
        self._edit_sent = False
        if self._form is None:
            self.edit()
        if self._form is not None:
            self._form.show_refusal(message)

    def set_chosen(self, chosen: bool) -> None:
        """Marks the card whose target is outlined on the screen."""
        if chosen != self._chosen:
            self._chosen = chosen
            self.update()

    def approve(self) -> None:
        """Decides for the action, if it waits and isn't being edited."""
        if self._proposal.status == "waiting" and self._form is None:
            self._decide("approve")

    def reject(self) -> None:
        """Decides against the action, if it still can be decided."""
        if self._proposal.status in ("waiting", "refused"):
            self._decide("reject")

    def edit(self) -> None:
        """Opens the form, if there is something to edit."""
        if self._form is not None or not self._editable():
            return
        self._form = ArgumentForm(self._proposal, self)
        self._form.submitted.connect(self._send_edit)
        self._form.cancelled.connect(self._abandon_edit)
        self._body.insertWidget(self._body.indexOf(self._change) + 1, self._form)
        self._arrange()
        self._form.focus_first()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Decides by key; keys with modifiers belong to the panel."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain and self._form is None and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.approve()
        elif plain and self._form is None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_R):
            self.reject()
        elif plain and self._form is None and event.key() == Qt.Key.Key_E:
            self.edit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent, /) -> None:
        """Selects the card."""
        self.selected.emit(self._proposal.target_guid)
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent, /) -> None:
        """Selects the card."""
        self.selected.emit(self._proposal.target_guid)
        super().focusInEvent(event)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the card's ground; the chosen one has an edge in the accent colour."""
        colours = Colours.of(self.palette())
        fill = colours.window if self._proposal.status == "rejected" else colours.raised
        if self._chosen:
            draw_panel(self, fill=fill, edge=colours.accent, width=2)
        else:
            draw_panel(self, fill=fill, edge=colours.line)

    def _build(self) -> None:
        self._number = QLabel()
        set_text_size(self._number, "small", bold=True)
        self._number.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._verb, self._target = WrapLabel(), WrapLabel()
        set_text_size(self._verb, "small")
        set_text_size(self._target, "normal", bold=True)
        self._pencil = QToolButton()
        self._pencil.setAutoRaise(True)
        self._pencil.clicked.connect(self.edit)
        self._pencil.setToolTip("Edit before approving (E)")
        head = QHBoxLayout()
        head.setSpacing(GRID)
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self._verb)
        names.addWidget(self._target)
        head.addWidget(self._number, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(names, 1)
        head.addWidget(self._pencil, 0, Qt.AlignmentFlag.AlignTop)

        self._change = ChangeView()
        self._confidence_icon, self._confidence = QLabel(), WrapLabel()
        set_text_size(self._confidence, "small")
        trust = QHBoxLayout()
        trust.setSpacing(GAP)
        trust.addWidget(self._confidence_icon, 0, Qt.AlignmentFlag.AlignTop)
        trust.addWidget(self._confidence, 1)

        self._body = QVBoxLayout(self)
        self._body.setContentsMargins(GRID + GAP, GRID + GAP, GRID + GAP, GRID + GAP)
        self._body.setSpacing(GRID)
        self._body.addLayout(head)
        self._body.addWidget(self._change)
        self._body.addLayout(trust)
        self._body.addWidget(self._make_foot())

    def _make_foot(self) -> QWidget:
        self._status_icon, self._status, self._spinner = QLabel(), WrapLabel(), Spinner()
        self._approve, self._reject = QPushButton("Approve"), QPushButton("Reject")
        self._update, self._keep = QPushButton("Update"), QPushButton("Cancel edit")
        self._approve.clicked.connect(self.approve)
        self._reject.clicked.connect(self.reject)
        self._update.clicked.connect(self._submit_form)
        self._keep.clicked.connect(self._abandon_edit)
        self._approve.setToolTip("Enter")
        self._reject.setToolTip("Delete or R")
        foot = QWidget()
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._spinner)
        row.addWidget(self._status_icon)
        row.addWidget(self._status, 1)
        for button in (self._keep, self._reject, self._update, self._approve):
            button.setAutoDefault(False)
            row.addWidget(button)
        # The row keeps its height when the buttons give way to words: nothing below it moves.
        foot.setMinimumHeight(self._approve.sizeHint().height())
        return foot

    def _arrange(self) -> None:
        """Shows what fits the state: buttons while it can be decided, words after that."""
        status, editing = self._proposal.status, self._form is not None
        self._spinner.setVisible(status == "running")
        self._status_icon.setVisible(status in _STATUS_ICONS)
        for widget, visible in (
            (self._approve, status == "waiting" and not editing),
            (self._reject, status in ("waiting", "refused") and not editing),
            (self._update, editing),
            (self._keep, editing),
            (self._pencil, self._editable() and not editing),
        ):
            if not visible and widget.hasFocus():
                # Else Qt hands the focus on, and a second Enter would decide about the next card.
                self.setFocus(Qt.FocusReason.OtherFocusReason)
            widget.setVisible(visible)
        self._change.setVisible(not editing)
        name = self._proposal.target or self._proposal.title
        for button, verb in ((self._approve, "Approve"), (self._reject, "Reject"), (self._pencil, "Edit")):
            button.setAccessibleName(f"{verb} action {self._proposal.position}")
            button.setAccessibleDescription(f"{self._proposal.title} {name}")

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        colours = Colours.of(self.palette())
        status = self._proposal.status
        strong = colours.muted if status == "rejected" else colours.text
        set_label_colour(self._target, strong)
        for label in (self._number, self._verb, self._confidence):
            set_label_colour(label, colours.muted)
        self._change.recolour(faded=status == "rejected")
        level = "caution" if self._proposal.level == "low" else "muted"
        size = (_SMALL_ICON, _SMALL_ICON)
        self._confidence_icon.setPixmap(
            icon(_LEVEL_ICONS[self._proposal.level], self.palette(), role=level).pixmap(*size)
        )
        name, role = _STATUS_ICONS.get(status, ("", "muted"))
        if name:
            self._status_icon.setPixmap(icon(name, self.palette(), role=role).pixmap(*size))
        set_label_colour(self._status, cast(str, getattr(colours, role)))
        set_icon(self._pencil, "edit", role="muted")
        make_primary(self._approve, colours)
        make_primary(self._update, colours)

    def _editable(self) -> bool:
        return bool(self._proposal.arguments or self._proposal.parameters.get("properties")) and (
            self._proposal.status in ("waiting", "refused")
        )

    def _decide(self, kind: DecisionKind) -> None:
        self.decided.emit(Decision(self._proposal.id, kind))

    def _submit_form(self) -> None:
        if self._form is not None:
            self._form.submit()

    def _send_edit(self, arguments: object) -> None:
        self._edit_sent = True
        self.edited.emit(self._proposal.id, arguments)

    def _abandon_edit(self) -> None:
        self._close_form()
        self._arrange()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _close_form(self) -> None:
        self._edit_sent = False
        if self._form is not None:
            self._body.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
            self._form = None
