"""What the engine tells the rest of the program: small frozen values, each tagged by `type`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from app.agent.backends.base import Finish, Usage
from app.agent.json_types import Json
from app.agent.messages import Utterance
from app.agent.proposal import Proposal

EngineState: TypeAlias = Literal["idle", "thinking", "waiting", "applying"]
Outcome: TypeAlias = Literal["finished", "nothing_understood", "cancelled", "failed", "limit"]


@dataclass(frozen=True, slots=True)
class UtteranceReceived:
    """A run has begun with this utterance."""

    run_id: str
    utterance: Utterance
    type: Literal["utterance_received"] = "utterance_received"


@dataclass(frozen=True, slots=True)
class StateChanged:
    """What the engine is doing now, for the line of words beside the button."""

    state: EngineState
    type: Literal["state_changed"] = "state_changed"


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A backend has been asked; `backend` is its name."""

    run_id: str
    turn: int
    backend: str
    type: Literal["turn_started"] = "turn_started"


@dataclass(frozen=True, slots=True)
class TurnAnswered:
    """A turn has ended well; `backend` is the one that answered (a router says which it chose).

    Attributes:
        finish: Why it ended.
        usage: Tokens, as the server counted them.
    """

    run_id: str
    turn: int
    backend: str
    finish: Finish = "stop"
    usage: Usage = field(default_factory=Usage)
    type: Literal["turn_answered"] = "turn_answered"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the assistant's answer."""

    run_id: str
    text: str
    type: Literal["text_delta"] = "text_delta"


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of the model's reasoning: shown as that, never as the answer."""

    run_id: str
    text: str
    type: Literal["reasoning_delta"] = "reasoning_delta"


@dataclass(frozen=True, slots=True)
class CallProposed:
    """A proposal is new, or has been edited (same id again)."""

    run_id: str
    proposal: Proposal
    type: Literal["call_proposed"] = "call_proposed"


@dataclass(frozen=True, slots=True)
class EditRefused:
    """An edit of a proposal's arguments was not acceptable; the proposal is as it was."""

    proposal_id: str
    message: str
    type: Literal["edit_refused"] = "edit_refused"


@dataclass(frozen=True, slots=True)
class CallDecided:
    """A proposal was approved or rejected; `proposal.status` says which.

    Attributes:
        by: Where the person decided (`Decision.by`); or why the person was not asked: `policy` (it changes nothing),
            `setting` (how much is asked), `grant` (it was always allowed); or `elsewhere` (another process decided).
        granted: From now on it is always allowed.
    """

    run_id: str
    proposal: Proposal
    by: str
    granted: bool = False
    type: Literal["call_decided"] = "call_decided"


@dataclass(frozen=True, slots=True)
class CallFinished:
    """A call has run (`done`) or could not (`failed`, with `proposal.error`).

    Attributes:
        before, after: The value of the target before and after, or None where it has none.
        message: What was done, in words ("Status is Accepted").
    """

    run_id: str
    proposal: Proposal
    before: Json
    after: Json
    message: str
    type: Literal["call_finished"] = "call_finished"


@dataclass(frozen=True, slots=True)
class AnswerUnderstood:
    """The utterance answered an open question ("approve", "reject the second") instead of starting a run.

    Attributes:
        answer: What was understood.
        positions: The proposals meant, by position; empty for all.
        applied: False where nothing was waiting.
    """

    utterance: Utterance
    answer: Literal["approve", "reject", "cancel"]
    positions: tuple[int, ...]
    applied: bool
    type: Literal["answer_understood"] = "answer_understood"


@dataclass(frozen=True, slots=True)
class RunFinished:
    """A run has ended in a defined way. `message` is what the assistant says.

    Attributes:
        suggestions: Commands near to what was not understood, or the options of a question.
        notice: What the person should know about the answer itself: cut short, a tool left out, no tools at all.
    """

    run_id: str
    outcome: Outcome
    message: str
    suggestions: tuple[str, ...] = ()
    notice: str = ""
    type: Literal["run_finished"] = "run_finished"


@dataclass(frozen=True, slots=True)
class RunFailed:
    """A backend failed. Nothing that was not already done will be done.

    Attributes:
        message: For the person; `hint` says what to do.
        kind: The `BackendError` kind.
    """

    run_id: str
    message: str
    hint: str = ""
    kind: str = ""
    type: Literal["run_failed"] = "run_failed"


Event: TypeAlias = (
    UtteranceReceived
    | StateChanged
    | TurnStarted
    | TurnAnswered
    | TextDelta
    | ReasoningDelta
    | CallProposed
    | EditRefused
    | CallDecided
    | CallFinished
    | AnswerUnderstood
    | RunFinished
    | RunFailed
)
