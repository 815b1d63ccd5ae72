"""Events as the engine sends them, and a record of the panel's signals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.agent.events import CallDecided, CallFinished, CallProposed, Event, StateChanged, UtteranceReceived
from app.agent.json_types import Json
from app.agent.messages import Utterance
from app.agent.proposal import Decision, Proposal
from app.panel import AssistantPanel
from app.panel.card import ProposalCard

STATUS_CHOICES: Json = ["Draft", "Submitted", "Accepted", "Rejected"]
CHOICE_PARAMETERS: Mapping[str, Json] = {"type": "object", "properties": {"value": {"enum": STATUS_CHOICES}}}

STATUS = Proposal(
    id="status-1",
    run_id="run",
    call_id="call00001",
    position=1,
    tool="choose",
    title="Choose",
    target_guid="guid-status",
    target="Status",
    arguments={"value": "Accepted"},
    parameters=CHOICE_PARAMETERS,
    before="Draft",
    after="Accepted",
    confidence=0.93,
)
SAVE = Proposal(
    id="save-1",
    run_id="run",
    call_id="call00002",
    position=2,
    tool="click",
    title="Click",
    target_guid="guid-save",
    target="Save",
    arguments={},
    effect="Saves the changes.",
    confidence=0.61,
)


class Told:
    """What the panel's signals said, in order: pairs of the signal's name and its arguments."""

    def __init__(self, panel: AssistantPanel) -> None:
        self.log: list[Any] = []
        self._receivers = [_Receiver(name, self.log) for name in _SIGNALS]
        for receiver in self._receivers:
            getattr(panel, receiver.name).connect(receiver.take)

    def of(self, name: str) -> list[Any]:
        """The arguments of one signal's emissions; a single argument stands for itself."""
        return [arguments for found, arguments in self.log if found == name]

    @property
    def decisions(self) -> list[Decision]:
        """What was decided."""
        return self.of("decided")


_SIGNALS = (
    "text_submitted",
    "decided",
    "edited",
    "cancel_requested",
    "undo_requested",
    "push_to_talk_pressed",
    "push_to_talk_released",
    "proposal_selected",
)


@dataclass
class _Receiver:
    name: str
    log: list[Any] = field(repr=False)

    def take(self, *arguments: object) -> None:
        self.log.append((self.name, arguments[0] if len(arguments) == 1 else arguments))


def send(panel: AssistantPanel, *events: Event) -> None:
    """Hands events to the panel."""
    for event in events:
        panel.handle_event(event)


def say(panel: AssistantPanel, text: str, run_id: str = "run", source: str = "voice") -> None:
    """Begins a run."""
    utterance = Utterance(f"u-{run_id}", text, source="voice" if source == "voice" else "text")
    send(panel, UtteranceReceived(run_id, utterance), StateChanged("thinking"))


def propose(panel: AssistantPanel, *proposals: Proposal) -> None:
    """Lets proposals wait for the person."""
    send(panel, *(CallProposed("run", proposal) for proposal in proposals), StateChanged("waiting"))


def decide(panel: AssistantPanel, proposal: Proposal, status: str) -> None:
    """Tells that a proposal was decided."""
    decided = replace(proposal, status="approved" if status == "approved" else "rejected")
    send(panel, CallDecided("run", decided, "panel"))


def finish(panel: AssistantPanel, proposal: Proposal, message: str = "", error: str = "") -> None:
    """Tells that a call has run, or why it could not."""
    ended = replace(proposal, status="failed" if error else "done", error=error)
    send(panel, CallFinished("run", ended, proposal.before, proposal.after, message))


def card_of(panel: AssistantPanel, proposal: Proposal) -> ProposalCard:
    """The card of a proposal, which must be on the screen."""
    card = panel.card(proposal.id)
    assert card is not None
    return card
