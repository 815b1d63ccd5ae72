"""A proposed action: shown, decided by the person, then run. An immutable value that can be stored."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from app.agent.json_types import Json, JsonObject
from app.agent.policy import ConfidenceLevel, Policy, confidence_level

ProposalStatus: TypeAlias = Literal["waiting", "approved", "rejected", "running", "done", "failed", "refused"]
"""`refused`: arguments or target are not acceptable, so it can't be approved as it is; `error` says why."""

DecisionKind: TypeAlias = Literal["approve", "reject"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where on the screen something was proposed: the page, and the record that was open there.

    The same field stands for another record as soon as another row is selected, so an approval is bound to it.
    """

    page: str = ""
    record_id: str = ""
    title: str = ""

    def __str__(self) -> str:
        return f"“{self.title}” on {self.page}" if self.title else self.page

    def same(self, other: Place) -> bool:
        """Whether it is the same record on the same page, whatever it is called now."""
        return (self.page, self.record_id) == (other.page, other.record_id)


@dataclass(frozen=True, slots=True)
class Proposal:
    """One action as a card shows it.

    Attributes:
        id: Unique for ever; a decision names it.
        position: 1, 2, ... within the run: what "the second action" means.
        tool: Wire name. `title` is its verb for people.
        target_guid: The instance it is bound to; `target` is that instance's label.
        arguments: Without the target; editable while `waiting` or `refused`.
        parameters: JSON schema of `arguments`, for the edit fields.
        before, after: The value it would change, or None; `effect` is a sentence where there is no value.
        confidence: Between 0 and 1.
        revision: The instance's revision it was approved against.
        place: The page and record it was proposed on.
        irreversible: The target says that what it does can't be undone.
        grant: What "always allow" would be bound to besides the tool; empty where that can't be offered.
    """

    id: str
    run_id: str
    call_id: str
    position: int
    tool: str
    title: str
    target_guid: str
    target: str
    arguments: JsonObject
    parameters: JsonObject = field(default_factory=dict)
    before: Json = None
    after: Json = None
    effect: str = ""
    confidence: float = 1.0
    policy: Policy = "confirm"
    revision: int = 0
    status: ProposalStatus = "waiting"
    error: str = ""
    place: Place = field(default_factory=Place)
    irreversible: bool = False
    grant: str = ""

    @property
    def level(self) -> ConfidenceLevel:
        """The confidence in a word."""
        return confidence_level(self.confidence)


@dataclass(frozen=True, slots=True)
class Decision:
    """What the person decided about one proposal, and from where (`panel`, `voice`, `text`, `cli`, `rest`).

    `always`, with an approval: the same tool on the same target is not asked about from now on, until that is revoked.
    It does nothing where `Proposal.grant` is empty.
    """

    proposal_id: str
    kind: DecisionKind
    by: str = "panel"
    always: bool = False
