"""What the runs did and how long each step took, kept on this machine and readable in the app."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from sqlalchemy import Select, delete, func, select

from app.store.columns import json_copy
from app.store.database import Database
from app.store.engine_models import SpanRow
from app.store.json_types import JsonObject

KEPT_TRACES = 200


@dataclass(frozen=True, slots=True)
class Span:
    """One step of a run. Ids are lower-case hex, as OpenTelemetry writes them (32 and 16 digits)."""

    trace_id: str
    span_id: str
    name: str
    started_at: datetime
    ended_at: datetime
    parent_id: str | None = None
    ok: bool = True
    attributes: JsonObject = field(default_factory=dict, hash=False)


class SpanLike(Protocol):
    """What is needed of a span to store it; see `Span`."""

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


class Traces:
    """The newest `KEPT_TRACES` traces of this database. Any method may raise `StoreError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, spans: Iterable[SpanLike]) -> None:
        """Stores the spans of a run, and forgets the traces that are too old to keep."""
        with self._database.writing() as session:
            for span in spans:
                session.add(
                    SpanRow(
                        trace_id=span.trace_id,
                        span_id=span.span_id,
                        parent_id=span.parent_id,
                        name=span.name,
                        started_at=span.started_at,
                        ended_at=span.ended_at,
                        ok=span.ok,
                        attributes=json_copy(span.attributes),
                    )
                )
            session.flush()
            kept = _newest_traces(KEPT_TRACES)
            session.execute(delete(SpanRow).where(SpanRow.trace_id.not_in(kept)))

    def recent(self, limit: int = 20) -> tuple[tuple[Span, ...], ...]:
        """The newest traces, newest first; the spans of each in the order they began."""
        with self._database.reading() as session:
            ids = list(session.scalars(_newest_traces(limit)))
            rows = session.scalars(
                select(SpanRow).where(SpanRow.trace_id.in_(ids)).order_by(SpanRow.started_at, SpanRow.id)
            )
            traces: dict[str, list[Span]] = {trace_id: [] for trace_id in ids}
            for row in rows:
                traces[row.trace_id].append(_span(row))
        return tuple(tuple(spans) for spans in traces.values())


def _newest_traces(limit: int) -> Select[str]:
    return select(SpanRow.trace_id).group_by(SpanRow.trace_id).order_by(func.max(SpanRow.id).desc()).limit(limit)


def _span(row: SpanRow) -> Span:
    return Span(
        trace_id=row.trace_id,
        span_id=row.span_id,
        name=row.name,
        started_at=row.started_at,
        ended_at=row.ended_at,
        parent_id=row.parent_id,
        ok=row.ok,
        attributes=MappingProxyType(row.attributes),
    )
