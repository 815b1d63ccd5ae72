"""The tables of the engine: conversation, proposals, the journal of decisions, grants, spans."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.store.columns import Base, utc_now
from app.store.json_types import Json


class ConversationRun(Base):
    """The messages of one run, from its utterance to its end."""

    __tablename__ = "conversation_runs"

    id: Mapped[int] = mapped_column(primary_key=True)
    conversation: Mapped[str] = mapped_column(index=True)
    run_id: Mapped[str] = mapped_column(unique=True)
    messages: Mapped[list[Json]]
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


class ProposalRow(Base):
    """A proposed action as it was last shown."""

    __tablename__ = "proposals"

    id: Mapped[int] = mapped_column(primary_key=True)
    proposal_id: Mapped[str] = mapped_column(unique=True)
    conversation: Mapped[str] = mapped_column(index=True)
    status: Mapped[str]
    payload: Mapped[dict[str, Json]]
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


class JournalRow(Base):
    """What happened to one proposal. The row is its one decision; each of its times is written once."""

    __tablename__ = "journal"

    proposal_id: Mapped[str] = mapped_column(primary_key=True)
    conversation: Mapped[str] = mapped_column(index=True)
    decision: Mapped[str]
    decided_by: Mapped[str]
    decided_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
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
    ended_at: Mapped[datetime | None]
    ok: Mapped[bool]
    attributes: Mapped[dict[str, Json]]
