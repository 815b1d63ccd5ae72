"""The assistant panel: it shows what the engine tells and tells what the person does. It knows no engine."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.agent.proposal import Decision
from app.panel.conversation import Conversation
from app.panel.input_row import InputRow
from app.panel.waiting_bar import WaitingBar

if TYPE_CHECKING:
    from app.agent.events import Event
    from app.panel.card import ProposalCard
    from app.panel.entries import NoticeKind
    from app.panel.status import ListeningState
    from app.panel.transcript import Transcript

_SMALLEST_WIDTH = 320


class AssistantPanel(QWidget):
    """Conversation, proposal cards, push-to-talk and text box.

    Feed it with `handle_event` and the slots below; connect its signals to what runs the requests. Keys: Ctrl+Enter
    approves all that waits, Esc cancels what is under way; on a card Enter, Delete (or R) and E.
    """

    text_submitted = Signal(str)
    decided = Signal(Decision)
    edited = Signal(str, object)
    """A proposal's id and its new arguments, a mapping. The answer is `CallProposed` or `EditRefused`."""
    cancel_requested = Signal()
    undo_requested = Signal()
    push_to_talk_pressed = Signal()
    push_to_talk_released = Signal()
    proposal_selected = Signal(str)
    """The guid of the target to outline; empty for none."""

    def __init__(self, key_name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(_SMALLEST_WIDTH)
        self._selected = ""
        self.conversation = Conversation()
        self.waiting_bar = WaitingBar()
        self.input = InputRow(key_name)
        self.set_key_name(key_name)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.conversation, 1)
        layout.addWidget(self.waiting_bar)
        layout.addWidget(self.input)
        self.setFocusProxy(self.input.box)
        self._connect()

    @property
    def status_words(self) -> str:
        """What the line beside the button says."""
        return self.input.status.words

    @property
    def busy(self) -> bool:
        """Whether something is under way that can be cancelled: hearing, thinking, waiting for a decision, applying."""
        return self.input.status.can_cancel

    @property
    def spinning(self) -> bool:
        """Whether the spinner is to be seen."""
        return self.input.status.spinning

    def card(self, proposal_id: str) -> ProposalCard | None:
        """The card of a proposal, if it is on the screen."""
        return self._transcript.card(proposal_id)

    @Slot(object)
    def handle_event(self, event: Event) -> None:
        """Shows one event of the engine. The only way in which the engine is known here."""
        from app.agent.events import StateChanged

        if isinstance(event, StateChanged):
            self.input.status.set_engine(event.state)
        self._transcript.handle(event)
        self._follow_waiting()

    @Slot(str, str)
    def set_listening(self, state: ListeningState, reason: str = "") -> None:
        """What the microphone side does; `reason` says in words why it is unavailable."""
        self.input.set_listening(state, reason)

    @Slot(str)
    def set_dictating(self, label: str) -> None:
        """The label of the field that takes dictation; empty for none."""
        self.input.status.set_dictating(label)

    @Slot(float)
    def set_level(self, rms: float) -> None:
        """How loud it is now: the root mean square of samples between -1 and 1."""
        self.input.meter.set_level(rms)

    @Slot(bool)
    def set_muted(self, muted: bool) -> None:
        """Whether the microphone gives only zeros."""
        self.input.meter.set_muted(muted)

    @Slot(str)
    def show_partial(self, text: str) -> None:
        """What has been heard so far; empty takes it away, but not while the rest is still being transcribed."""
        if text or self.input.status.listening != "transcribing":
            self._transcript.show_partial(text)

    @Slot(str, str)
    def show_notice(self, text: str, hint: str = "", kind: NoticeKind = "information") -> None:
        """A message that belongs to no run, such as "The microphone is muted.", and what to do about it."""
        self._transcript.show_notice(text, hint, kind)

    @Slot(object)
    def set_suggestions(self, phrases: Sequence[str]) -> None:
        """What can be said on the page that is open; shown while the conversation is empty."""
        self.conversation.empty.set_phrases(phrases)

    @Slot(bool)
    def set_undoable(self, undoable: bool) -> None:
        """Whether the last request can still be undone: the Undo button follows."""
        self._transcript.set_undoable(undoable)

    @Slot(str)
    def set_key_name(self, key_name: str) -> None:
        """The name of the push-to-talk key, as it is written on the key."""
        self.input.talk.set_key_name(key_name)
        self.conversation.empty.set_key_name(key_name)

    @Slot()
    def approve_all(self) -> None:
        """Approves everything that waits, in order."""
        for proposal in self._transcript.waiting():
            self.decided.emit(Decision(proposal.id, "approve"))

    @Slot()
    def reject_all(self) -> None:
        """Rejects everything that waits, in order."""
        for proposal in self._transcript.waiting():
            self.decided.emit(Decision(proposal.id, "reject"))

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Takes the keys that no part of it wanted: an open form keeps Esc and Ctrl+Enter to itself."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.approve_all()
        elif event.key() == Qt.Key.Key_Escape and self.input.status.can_cancel:
            self.cancel_requested.emit()
        else:
            super().keyPressEvent(event)

    @cached_property
    def _transcript(self) -> Transcript:
        # Made with the first event: it knows all of the engine's, and the window paints before any of that is loaded.
        from app.panel.transcript import Transcript

        return Transcript(self.conversation)

    def _connect(self) -> None:
        conversation, row = self.conversation, self.input
        conversation.decided.connect(self.decided)
        conversation.edited.connect(self.edited)
        conversation.card_selected.connect(self._select)
        conversation.undo_requested.connect(self._undo)
        conversation.phrase_chosen.connect(self._choose_phrase)
        conversation.focus_lost.connect(row.box.setFocus)
        self.waiting_bar.approve_all_requested.connect(self.approve_all)
        self.waiting_bar.reject_all_requested.connect(self.reject_all)
        row.talk.hold_began.connect(self.push_to_talk_pressed)
        row.talk.hold_ended.connect(self.push_to_talk_released)
        row.box.submitted.connect(self.text_submitted)
        row.status.cancel_requested.connect(self.cancel_requested)

    def _follow_waiting(self) -> None:
        """Keeps the bar and the outlined target in step with what waits."""
        waiting = self._transcript.waiting()
        focused = QApplication.focusWidget()
        if len(waiting) < 2 and focused is not None and self.waiting_bar.isAncestorOf(focused):
            # Else Qt hands the focus on to push-to-talk, where a second Space would start recording.
            self.input.box.setFocus(Qt.FocusReason.OtherFocusReason)
        self.waiting_bar.set_waiting(len(waiting))
        targets = [proposal.target_guid for proposal in waiting]
        if self._selected not in targets:
            self._select(targets[0] if targets else "")

    def _select(self, guid: str) -> None:
        if guid == self._selected:
            return
        self._selected = guid
        for card in self.conversation.cards():
            card.set_chosen(bool(guid) and card.proposal.target_guid == guid)
        self.proposal_selected.emit(guid)

    def _choose_phrase(self, phrase: str) -> None:
        """Sends a phrase, or puts it into the box where the person has to finish it."""
        if phrase.rstrip().endswith(("…", "...")):
            self.input.box.put(phrase.rstrip(" .…") + " ")
        else:
            self.text_submitted.emit(phrase)

    def _undo(self) -> None:
        self.input.box.setFocus(Qt.FocusReason.OtherFocusReason)
        self._transcript.retire_undo()
        self.undo_requested.emit()
