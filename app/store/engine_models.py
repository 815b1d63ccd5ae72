"""The tables of the engine: conversation, proposals, decisions and executions, grants, spans."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.columns import Base, utc_now
from app.store.json_types import Json


class MessageRow(Base):
    """One message of a conversation."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    conversation: Mapped[str] = mapped_column(index=True)
    run_id: Mapped[str]
    payload: Mapped[dict[str, Json]]
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class ProposalRow(Base):
    """A proposed action as it was last shown."""

    __tablename__ = "proposals"

    id: Mapped[int] = mapped_column(primary_key=True)
    proposal_id: Mapped[str] = mapped_column(unique=True)
    conversation: Mapped[str] = mapped_column(index=True)
    run_id: Mapped[str]
    status: Mapped[str]
    payload: Mapped[dict[str, Json]]
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


class DecisionRow(Base):
    """The one decision about a proposal."""

    __tablename__ = "decisions"

    proposal_id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[str]
    decided_by: Mapped[str]
    decided_at: Mapped[datetime] = mapped_column(default=utc_now)


class ExecutionRow(Base):
    """The one execution of a proposal; without an end, it was under way when the process ended."""

    __tablename__ = "executions"

    proposal_id: Mapped[str] = mapped_column(primary_key=True)
    started_at: Mapped[datetime] = mapped_column(default=utc_now)
    ended_at: Mapped[datetime | None]
    ok: Mapped[bool | None]
    message: Mapped[str] = mapped_column(default="")


class GrantRow(Base):
    """A tool that may act on one target without being asked, until revoked."""

    __tablename__ = "grants"
    __table_args__ = (UniqueConstraint("tool", "target"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    tool: Mapped[str]
    target: Mapped[str]
    label: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime] = mapped_column(default=utc_now)


class SpanRow(Base):
    """One step of a run, with its times."""

    __tablename__ = "spans"

    id: Mapped[int] = mapped_column(primary_key=True)
    trace_id: Mapped[str] = mapped_column(index=True)
    span_id: Mapped[str]
    parent_id: Mapped[str | None]
    name: Mapped[str]
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime]
    ok: Mapped[bool]
    attributes: Mapped[dict[str, Json]]
