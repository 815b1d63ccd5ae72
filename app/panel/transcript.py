"""Turns the engine's events into entries of the conversation: who said what, which card stands for which action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.agent.events import (
    AnswerUnderstood,
    CallDecided,
    CallFinished,
    CallProposed,
    EditRefused,
    Event,
    ReasoningDelta,
    RunFailed,
    RunFinished,
    StateChanged,
    TextDelta,
    TurnStarted,
    UtteranceReceived,
)
from app.agent.messages import Utterance
from app.agent.proposal import Proposal
from app.panel.conversation import Conversation
from app.panel.entries import Answer, Card, Changes, Notice, NoticeKind, Phrases, Reasoning, Said

if TYPE_CHECKING:
    from app.panel.card import ProposalCard

_OUTCOME_WORDS = {
    "nothing_understood": "That was not understood.",
    "cancelled": "Cancelled.",
    "failed": "That could not be done.",
    "limit": "Stopped: this took more steps than are allowed.",
}


class Transcript:
    """Knows the entry of each proposal, and the entries that are still growing."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._cards: dict[str, int] = {}
        self._waiting: dict[str, Proposal] = {}
        self._partial: int | None = None
        self._answer: int | None = None
        self._reasoning: int | None = None
        self._changes: int | None = None
        self._streamed = ""
        self._done: set[str] = set()
        self._failed_run = ""

    def handle(self, event: Event) -> None:
        """Shows what an event says."""
        match event:
            case UtteranceReceived():
                self._begin(event.utterance)
            case TurnStarted():
                self._answer = self._reasoning = None
                self._streamed = ""
            case TextDelta():
                self._add_text(event.text)
            case ReasoningDelta():
                self._add_reasoning(event.text)
            case CallProposed() | CallDecided():
                self._show_card(event.proposal)
            case CallFinished():
                self._show_card(event.proposal, event.message)
                ended = event.proposal
                if ended.status == "done" and ended.policy != "auto" and not ended.irreversible:
                    self._done.add(event.proposal.id)
            case EditRefused():
                card = self.card(event.proposal_id)
                if card is not None:
                    card.show_refusal(event.message)
            case AnswerUnderstood():
                self._say(event.utterance)
                if not event.applied:
                    self._conversation.add(Notice("Nothing is waiting for an answer."))
            case RunFinished():
                self._finish(event)
            case RunFailed():
                self._failed_run = event.run_id
                self._conversation.add(Notice(event.message, event.hint, "error"))
                self._offer_undo()
            case StateChanged():
                pass

    def show_partial(self, text: str) -> None:
        """Shows what has been heard so far, in the place where the utterance will stand; empty takes it away."""
        if not text:
            self._forget_partial()
        elif self._partial is None:
            self._partial = self._conversation.add(Said(text, "voice", partial=True))
        else:
            self._conversation.change(self._partial, Said(text, "voice", partial=True))

    def show_notice(self, text: str, hint: str, kind: NoticeKind) -> None:
        """Shows a message of the program in the place of what was being heard; the same one again is not repeated."""
        self._forget_partial()
        notice = Notice(text, hint, kind)
        entries = self._conversation.entries()
        if not entries or entries[-1] != notice:
            self._conversation.add(notice)

    def retire_undo(self) -> None:
        """Only the last request's changes can be taken back by the button: an older one would undo the wrong thing."""
        self.set_undoable(False)
        self._changes = None

    def set_undoable(self, undoable: bool) -> None:
        """Whether the last run's changes can still be taken back."""
        if self._changes is not None:
            entry = self._conversation.entry(self._changes)
            if isinstance(entry, Changes):
                self._conversation.change(self._changes, Changes(entry.count, undoable))

    def waiting(self) -> list[Proposal]:
        """The proposals that wait for a decision, in the order in which they were made."""
        return list(self._waiting.values())

    def card(self, proposal_id: str) -> ProposalCard | None:
        """The card of a proposal, if it is on the screen."""
        from app.panel.card import ProposalCard

        key = self._cards.get(proposal_id)
        view = self._conversation.view(key) if key is not None else None
        return view if isinstance(view, ProposalCard) else None

    def _begin(self, utterance: Utterance) -> None:
        self.retire_undo()
        self._say(utterance)
        self._answer = self._reasoning = None
        self._streamed = ""
        self._done = set()

    def _say(self, utterance: Utterance) -> None:
        said = Said(utterance.text, utterance.source)
        if self._partial is not None and utterance.source == "voice":
            # The words take the place of what was shown while they were being heard.
            self._conversation.change(self._partial, said)
            self._partial = None
        else:
            self._conversation.add(said)

    def _forget_partial(self) -> None:
        if self._partial is not None:
            self._conversation.remove(self._partial)
            self._partial = None

    def _add_text(self, text: str) -> None:
        self._streamed += text
        if self._answer is None:
            self._answer = self._conversation.add(Answer(self._streamed))
        else:
            self._conversation.change(self._answer, Answer(self._streamed))

    def _add_reasoning(self, text: str) -> None:
        if self._reasoning is None:
            self._reasoning = self._conversation.add(Reasoning(text))
            return
        entry = self._conversation.entry(self._reasoning)
        if isinstance(entry, Reasoning):
            self._conversation.change(self._reasoning, Reasoning(entry.text + text))

    def _show_card(self, proposal: Proposal, message: str = "") -> None:
        if proposal.status == "waiting":
            self._waiting[proposal.id] = proposal
        else:
            self._waiting.pop(proposal.id, None)
        key = self._cards.get(proposal.id)
        if key is None:
            self._cards[proposal.id] = self._conversation.add(Card(proposal, message))
        else:
            self._conversation.change(key, Card(proposal, message))

    def _finish(self, event: RunFinished) -> None:
        told = event.run_id == self._failed_run and event.outcome == "failed"
        message = event.message.strip()
        if event.outcome == "finished":
            if message and message != self._streamed.strip():
                self._conversation.add(Answer(message))
        elif not told:
            kind: NoticeKind = "error" if event.outcome == "failed" else "information"
            self._conversation.add(Notice(message or _OUTCOME_WORDS[event.outcome], "", kind))
        # Each takes its time to be made, laid out and painted, so each has a turn of its own.
        if event.notice and event.notice != message:
            self._conversation.add_next(Notice(event.notice, "", "caution"))
        if event.suggestions:
            self._conversation.add_next(Phrases(event.suggestions))
        self._offer_undo()
        self._answer = self._reasoning = None

    def _offer_undo(self) -> None:
        if self._done:
            self._changes = self._conversation.add_next(Changes(len(self._done)))
            self._done = set()
