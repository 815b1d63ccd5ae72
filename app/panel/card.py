"""A proposed action as a card: what it would change, how sure the assistant is, and the person's decision."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.agent.policy import ConfidenceLevel
from app.agent.proposal import Decision, DecisionKind, Proposal
from app.panel import card_words
from app.panel.argument_form import ArgumentForm
from app.panel.card_foot import CardFoot
from app.panel.change_view import ChangeView
from app.panel.link_button import LinkButton
from app.panel.tall_widget import TallWidget
from app.panel.text_block import WrapLabel
from app.widgets.icons import icon
from app.widgets.theme import GAP, GRID, Colours, set_text_size
from app.widgets.theme.paint import draw_panel, set_label_colour

_SMALL_ICON = 16
_LEVEL_ICONS: Mapping[ConfidenceLevel, str] = {"low": "level_low", "medium": "level_medium", "high": "level_high"}


class ProposalCard(TallWidget):
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
        return self._foot.text

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
        self._change.show_change(card_words.change_of(proposal), faded=proposal.status == "rejected")
        self._confidence.set_text(card_words.trust_words(proposal))
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

    def approve_always(self) -> None:
        """Decides for the action, and for the same one on the same target from now on."""
        if self._proposal.status == "waiting" and self._form is None and self._proposal.grant:
            self.decided.emit(Decision(self._proposal.id, "approve", always=True))

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
        # Its place stays when it goes, so that the words beside it don't wrap anew.
        policy = self._pencil.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._pencil.setSizePolicy(policy)
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
        self._always = LinkButton("Always allow")
        self._always.clicked.connect(self.approve_always)
        trust.addWidget(self._always, 0, Qt.AlignmentFlag.AlignTop)

        self._body = QVBoxLayout(self)
        self._body.setContentsMargins(GRID + GAP, GRID + GAP, GRID + GAP, GRID + GAP)
        self._body.setSpacing(GRID)
        self._body.addLayout(head)
        self._body.addWidget(self._change)
        self._body.addLayout(trust)
        self._foot = CardFoot()
        self._foot.approve_pressed.connect(self.approve)
        self._foot.reject_pressed.connect(self.reject)
        self._foot.update_pressed.connect(self._submit_form)
        self._foot.keep_pressed.connect(self._abandon_edit)
        self._foot.focus_lost.connect(self.setFocus)
        self._body.addWidget(self._foot)

    def _arrange(self) -> None:
        """Shows what fits the state."""
        editing = self._form is not None
        self._foot.show_state(self._proposal, self._message, editing=editing)
        self._pencil.setVisible(self._editable() and not editing)
        self._pencil.setAccessibleName(f"Edit action {self._proposal.position}")
        self._change.setVisible(not editing)
        offered = bool(self._proposal.grant) and self._proposal.status == "waiting" and not editing
        if not offered and self._always.hasFocus():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
        policy = self._always.sizePolicy()
        policy.setRetainSizeWhenHidden(bool(self._proposal.grant))
        self._always.setSizePolicy(policy)
        self._always.setVisible(offered)
        self._always.setToolTip(
            f"Approve, and don’t ask again before “{self._proposal.title} {self._proposal.target}”. "
            "Settings lists what is always allowed."
        )

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        colours = Colours.of(self.palette())
        rejected = self._proposal.status == "rejected"
        set_label_colour(self._target, colours.muted if rejected else colours.text)
        for label in (self._number, self._verb):
            set_label_colour(label, colours.muted)
        set_label_colour(self._confidence, colours.caution if self._proposal.irreversible else colours.muted)
        level = self._proposal.level
        bars = icon(_LEVEL_ICONS[level], self.palette(), role="caution" if level == "low" else "muted")
        self._confidence_icon.setPixmap(bars.pixmap(_SMALL_ICON, _SMALL_ICON))
        self._pencil.setIcon(icon("edit", self.palette(), role="muted"))

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
