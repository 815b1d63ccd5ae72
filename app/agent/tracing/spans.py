"""One step of a run with its times, and the names that OpenTelemetry's conventions give to what it tells.

Names: OpenTelemetry, "Semantic conventions for generative AI" (gen-ai-agent-spans, gen-ai-spans), as of version 1.41.
What they have no name for is under `greenroom.`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol, TypeAlias

from app.agent.json_types import Json, JsonObject

StepName: TypeAlias = Literal["utterance", "transcription", "turn", "call", "approval", "execution"]

STEP = "greenroom.step"
"""Attribute that every span has: its `StepName`."""

RUN_ID = "greenroom.run.id"
OUTCOME = "greenroom.outcome"
SOURCE = "greenroom.utterance.source"
BACKEND = "greenroom.backend"
POSITION = "greenroom.call.position"
POLICY = "greenroom.call.policy"
CONFIDENCE = "greenroom.call.confidence"
DECISION = "greenroom.approval.decision"
DECIDED_BY = "greenroom.approval.by"
LOG_PROBABILITY = "greenroom.transcription.log_probability"
HYPOTHESES = "greenroom.transcription.hypotheses"
TARGET = "greenroom.call.target"

OPERATION = "gen_ai.operation.name"
PROVIDER = "gen_ai.provider.name"
AGENT = "gen_ai.agent.name"
CONVERSATION = "gen_ai.conversation.id"
MODEL = "gen_ai.request.model"
FINISH_REASONS = "gen_ai.response.finish_reasons"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
TOOL = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
CALL_ID = "gen_ai.tool.call.id"
CALL_ARGUMENTS = "gen_ai.tool.call.arguments"
CALL_RESULT = "gen_ai.tool.call.result"
ERROR_TYPE = "error.type"


@dataclass(frozen=True, slots=True)
class Span:
    """One step. Ids are lower-case hex, as OpenTelemetry writes them (32 and 16 digits); times are in UTC.

    Attributes:
        kind: `client` for a step that another program answered: the turn of a model.
    """

    trace_id: str
    span_id: str
    name: str
    started_at: datetime
    ended_at: datetime
    parent_id: str | None = None
    ok: bool = True
    attributes: JsonObject = field(default_factory=dict, hash=False)
    kind: Literal["internal", "client"] = "internal"


class SpanLike(Protocol):
    """A span as it comes back from where it was kept."""

    @property
    def trace_id(self) -> str:
        """32 hex digits."""

    @property
    def span_id(self) -> str:
        """16 hex digits."""

    @property
    def parent_id(self) -> str | None:
        """The span it is a part of."""

    @property
    def name(self) -> str:
        """What was done."""

    @property
    def started_at(self) -> datetime:
        """In UTC."""

    @property
    def ended_at(self) -> datetime:
        """In UTC."""

    @property
    def ok(self) -> bool:
        """Whether it went well."""

    @property
    def attributes(self) -> JsonObject:
        """What else is known of it."""


def new_trace_id() -> str:
    """32 hex digits."""
    return secrets.token_hex(16)


def new_span_id() -> str:
    """16 hex digits."""
    return secrets.token_hex(8)


class Clock:
    """The time of day at its making, and from then on as much more as has passed: no step ends before it began."""

    def __init__(self) -> None:
        self._began = datetime.now(UTC)
        self._zero = time.perf_counter()

    def now(self) -> datetime:
        """The time, in UTC."""
        return self._began + timedelta(seconds=time.perf_counter() - self._zero)


@dataclass
class OpenSpan:
    """A step that has not ended."""

    name: str
    started_at: datetime
    parent_id: str | None
    attributes: dict[str, Json]
    span_id: str = field(default_factory=new_span_id)
    kind: Literal["internal", "client"] = "internal"

    def ended(self, trace_id: str, at: datetime, *, ok: bool = True) -> Span:
        """The step, ended at that time."""
        return Span(
            trace_id, self.span_id, self.name, self.started_at, at, self.parent_id, ok, self.attributes, self.kind
        )


class SpanSink(Protocol):
    """Takes the spans of a run that has ended."""

    def __call__(self, spans: Sequence[Span], /) -> None:
        """Takes them, without waiting for anything."""
