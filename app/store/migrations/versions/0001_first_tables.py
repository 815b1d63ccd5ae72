"""First tables.

Written out and never changed again, whatever becomes of the models: a database that stands at this revision has
exactly these tables.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

INSTANT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Makes the tables of the records, then those of the engine."""
    _record_table("speakers", *_texts("name", "email", "company", "job_title", "biography", "website"))
    _record_table(
        "conferences",
        *_texts("name", "city", "country", "website"),
        sa.Column("starts_on", sa.Date()),
        sa.Column("ends_on", sa.Date()),
        sa.Column("cfp_closes_on", sa.Date()),
        sa.Column("online", sa.Boolean(), nullable=False),
        *_texts("notes"),
    )
    _record_table(
        "contributions",
        *_texts("title", "abstract"),
        sa.Column("format", sa.Text()),
        sa.Column("duration_minutes", sa.Integer()),
        sa.Column("level", sa.Text()),
        sa.Column("language", sa.Text()),
        _json("tags"),
        *_texts("status"),
    )
    _record_table("collections", *_texts("name", "description"))
    _record_table(
        "submissions",
        *_texts("contribution_id", "conference_id", "sent_title", "sent_text", "status", "notes"),
        sa.ForeignKeyConstraint(["contribution_id"], ["contributions.id"]),
        sa.ForeignKeyConstraint(["conference_id"], ["conferences.id"]),
    )
    op.create_index("ix_submissions_contribution_id", "submissions", ["contribution_id"])
    op.create_index("ix_submissions_conference_id", "submissions", ["conference_id"])
    _link_table("contribution_speakers", owner="contributions", item="speakers")
    _link_table("collection_items", owner="collections", item="contributions")
    _table(
        "drafts",
        *_texts("kind", "record_id"),
        sa.Column("base_version", sa.Integer()),
        _json("fields"),
        _instant("updated_at"),
        sa.UniqueConstraint("kind", "record_id"),
    )
    _engine_tables()


def _engine_tables() -> None:
    _table(
        "messages",
        *_texts("conversation", "run_id"),
        _json("payload"),
        _instant("created_at"),
    )
    _table(
        "proposals",
        *_texts("proposal_id", "conversation", "run_id", "status"),
        _json("payload"),
        _instant("updated_at"),
        sa.UniqueConstraint("proposal_id"),
    )
    op.create_table(
        "decisions",
        *_texts("proposal_id", "kind", "decided_by"),
        _instant("decided_at"),
        sa.PrimaryKeyConstraint("proposal_id"),
    )
    op.create_table(
        "executions",
        *_texts("proposal_id", "message"),
        _instant("started_at"),
        sa.Column("ended_at", INSTANT),
        sa.Column("ok", sa.Boolean()),
        sa.PrimaryKeyConstraint("proposal_id"),
    )
    _table(
        "grants",
        *_texts("tool", "target", "label"),
        _instant("created_at"),
        sa.UniqueConstraint("tool", "target"),
    )
    _table(
        "spans",
        *_texts("trace_id", "span_id", "name"),
        sa.Column("parent_id", sa.Text()),
        _instant("started_at"),
        _instant("ended_at"),
        sa.Column("ok", sa.Boolean(), nullable=False),
        _json("attributes"),
    )
    op.create_index("ix_messages_conversation", "messages", ["conversation"])
    op.create_index("ix_proposals_conversation", "proposals", ["conversation"])
    op.create_index("ix_spans_trace_id", "spans", ["trace_id"])


def _json(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.JSON(), nullable=False)


def _instant(name: str) -> sa.Column[object]:
    return sa.Column(name, INSTANT, nullable=False)


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _table(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(name, sa.Column("id", sa.Integer(), primary_key=True), *columns)


def _record_table(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Text(), primary_key=True),
        *columns,
        _instant("created_at"),
        _instant("updated_at"),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("deleted_at", INSTANT),
        sa.Column("is_sample", sa.Boolean(), nullable=False, server_default=sa.false()),
    )
    op.create_index(f"ix_{name}_created_at", name, ["created_at", "id"])


def _link_table(name: str, *, owner: str, item: str) -> None:
    owner_key, item_key = f"{owner[:-1]}_id", f"{item[:-1]}_id"
    op.create_table(
        name,
        *_texts(owner_key, item_key),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint(owner_key, item_key),
        sa.ForeignKeyConstraint([owner_key], [f"{owner}.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint([item_key], [f"{item}.id"]),
    )
    op.create_index(f"ix_{name}_{item_key}", name, [item_key])
