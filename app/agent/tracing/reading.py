"""Traces as they are read: which steps a run took, how long each was, and what belongs under what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from app.agent.json_types import JsonObject
from app.agent.tracing import spans as names
from app.agent.tracing.spans import SpanLike


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run.

    Attributes:
        step: Which kind: a `StepName`.
        name: The name of its span, such as `execute_tool fill`.
        depth: 0 for the utterance, 1 for what is under it, and so on.
        offset_ms, duration_ms: From the beginning of the run; how long.
    """

    step: str
    name: str
    depth: int
    offset_ms: float
    duration_ms: float
    ok: bool
    attributes: JsonObject = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Trace:
    """One run. `steps` are in reading order: each before what is under it, and in the order they began.

    Attributes:
        run_id: The run, as its events name it.
        outcome: How it ended, as `RunFinished.outcome`; `failed` for a `RunFailed`.
    """

    trace_id: str
    run_id: str
    started_at: datetime
    duration_ms: float
    outcome: str
    ok: bool
    steps: tuple[Step, ...]


class TraceReader(Protocol):
    """Where traces are kept: `app.store.traces.Traces`."""

    def recent(self, limit: int = 20) -> Sequence[Sequence[SpanLike]]:
        """The newest traces, newest first."""


def recent_traces(reader: TraceReader, limit: int = 20) -> tuple[Trace, ...]:
    """The newest runs, newest first."""
    return tuple(trace_of(spans) for spans in reader.recent(limit) if spans)


def trace_of(spans: Iterable[SpanLike]) -> Trace:
    """One run from its spans, in any order; a span whose parent is missing is shown under nothing."""
    ordered = sorted(spans, key=lambda span: span.started_at)
    known = {span.span_id for span in ordered}
    children: dict[str | None, list[SpanLike]] = {}
    for span in ordered:
        children.setdefault(span.parent_id if span.parent_id in known else None, []).append(span)
    root = children[None][0]
    steps: list[Step] = []
    pending = [(span, 0) for span in reversed(children[None])]
    while pending:
        span, depth = pending.pop()
        steps.append(_step(span, depth, root.started_at))
        pending += [(child, depth + 1) for child in reversed(children.get(span.span_id, []))]
    return Trace(
        trace_id=root.trace_id,
        run_id=str(root.attributes.get(names.RUN_ID, "")),
        started_at=root.started_at,
        duration_ms=_milliseconds(root.started_at, root.ended_at),
        outcome=str(root.attributes.get(names.OUTCOME, "")),
        ok=root.ok,
        steps=tuple(steps),
    )


def _step(span: SpanLike, depth: int, zero: datetime) -> Step:
    return Step(
        step=str(span.attributes.get(names.STEP, "")),
        name=span.name,
        depth=depth,
        offset_ms=_milliseconds(zero, span.started_at),
        duration_ms=_milliseconds(span.started_at, span.ended_at),
        ok=span.ok,
        attributes=span.attributes,
    )


def _milliseconds(start: datetime, end: datetime) -> float:
    return round((end - start).total_seconds() * 1000, 3)
