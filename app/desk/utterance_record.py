"""What is kept of one utterance: the screen it was said on, what was heard, proposed, decided and done."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter

from app.agent.frozen import thaw
from app.agent.guards import is_secret_name, public_state, redact, redact_json
from app.agent.json_types import JsonObject
from app.agent.messages import Hypothesis, Utterance
from app.agent.proposal import Proposal
from app.agent.snapshot import InstanceView, Snapshot, ToolView

VERSION: Literal[1] = 1

Decided: TypeAlias = Literal["", "approve", "reject"]


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True)


class KeptCall(_Kept):
    """An action: a tool on the thing of that label. Two are equal if they would do the same."""

    tool: str
    target: str = ""
    arguments: dict[str, Any] = {}

    def __str__(self) -> str:
        values = ", ".join(str(value) for value in self.arguments.values())
        return " ".join(part for part in (self.tool, self.target, values) if part)


class KeptProposal(_Kept):
    """One proposal of the run.

    Attributes:
        turn: In which turn of the run; only the first was answered on the screen that is kept.
        first: As the backend proposed it.
        last: As it was decided: the person may have edited it.
        decided: What the person decided, or a setting in their place.
        status: In which state it was at the end.
    """

    turn: int
    first: KeptCall
    last: KeptCall
    confidence: float
    decided: Decided = ""
    status: str = "waiting"
    error: str = ""


class KeptAnswer(_Kept):
    """The utterance answered an open question.

    Attributes:
        waiting: Positions of the proposals that waited.
    """

    kind: Literal["approve", "reject", "cancel"]
    positions: tuple[int, ...]
    waiting: tuple[int, ...]


class UtteranceRecord(_Kept):
    """One utterance.

    Attributes:
        at: When it was said, with the time zone; `today` is the person's day then.
        recognisers: How many of them were asked.
        bias: Words that the recogniser was told to expect.
        speech_model: Which model heard it; empty for what was typed.
        backend: Which one answered the first turn.
        snapshot: The screen, without what is secret.
    """

    version: Literal[1] = VERSION
    id: str
    at: datetime
    today: date
    source: Literal["voice", "text"]
    text: str
    hypotheses: tuple[tuple[str, float], ...]
    language: str
    recognisers: int = 1
    bias: tuple[str, ...] = ()
    speech_model: str = ""
    backend: str = ""
    snapshot: dict[str, Any] = {}
    proposals: tuple[KeptProposal, ...] = ()
    answer: KeptAnswer | None = None
    outcome: str = ""
    message: str = ""

    @property
    def name(self) -> str:
        """Under which it is kept: names sort by age."""
        identity = hashlib.sha256(self.id.encode()).hexdigest()[:12]
        return f"{self.at.astimezone(UTC):%Y%m%d-%H%M%S-%f}-{identity}"

    @property
    def page(self) -> str:
        """The page it was said on."""
        return str(self.snapshot.get("screen", {}).get("page", ""))

    def utterance(self) -> Utterance:
        """As it was given to the engine."""
        readings = tuple(Hypothesis(text, score) for text, score in self.hypotheses)
        return Utterance(self.id, self.text, readings, self.source, self.language, self.recognisers)

    def first_turn(self) -> tuple[KeptProposal, ...]:
        """The proposals that were made on the screen that is kept."""
        return tuple(proposal for proposal in self.proposals if proposal.turn == 1)


def call_of(proposal: Proposal) -> KeptCall:
    """The action that a proposal stands for."""
    return KeptCall(tool=proposal.tool, target=proposal.target, arguments=thaw(proposal.arguments))


def holds_secret(utterance: Utterance, proposals: Iterable[KeptProposal]) -> bool:
    """Whether something secret was said or meant. Such an utterance isn't kept at all: its sound tells it, too."""
    said = [utterance.text, *(reading.text for reading in utterance.hypotheses)]
    if any(redact(text) != text for text in said):
        return True
    return any(
        is_secret_name(call.target, *call.arguments) or redact_json(call.arguments) != call.arguments
        for proposal in proposals
        for call in (proposal.first, proposal.last)
    )


@cache
def _tools() -> TypeAdapter[tuple[ToolView, ...]]:
    return TypeAdapter(tuple[ToolView, ...])


@cache
def _instances() -> TypeAdapter[tuple[InstanceView, ...]]:
    return TypeAdapter(tuple[InstanceView, ...])


def snapshot_to_json(snapshot: Snapshot) -> dict[str, Any]:
    """The screen as plain JSON values, without the values of secret fields."""
    instances: list[dict[str, Any]] = _instances().dump_python(snapshot.instances, mode="json")
    for stored, view in zip(instances, snapshot.instances, strict=True):
        stored["state"] = public_state(view)
    return {
        "revision": snapshot.revision,
        "tools": _tools().dump_python(snapshot.tools, mode="json"),
        "instances": instances,
        "screen": redact_json(snapshot.screen),
    }


def snapshot_from_json(stored: JsonObject) -> Snapshot:
    """The screen that `snapshot_to_json` stored.

    Raises:
        pydantic.ValidationError: It is not one.
        KeyError: A part of it is missing.
    """
    return Snapshot(
        TypeAdapter(int).validate_python(stored["revision"]),
        _tools().validate_python(stored["tools"]),
        _instances().validate_python(stored["instances"]),
        TypeAdapter(dict[str, Any]).validate_python(stored["screen"]),
    )
