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
        sa.Column("tags", sa.JSON(), nullable=False),
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
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.UniqueConstraint("kind", "record_id"),
    )
    _engine_tables()


def _engine_tables() -> None:
    _table(
        "conversation_runs",
        *_texts("conversation", "run_id"),
        sa.Column("messages", sa.JSON(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.UniqueConstraint("run_id"),
    )
    op.create_index("ix_conversation_runs_conversation", "conversation_runs", ["conversation"])
    _table(
        "proposals",
        *_texts("proposal_id", "conversation", "status"),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
        sa.UniqueConstraint("proposal_id"),
    )
    op.create_index("ix_proposals_conversation", "proposals", ["conversation"])
    op.create_table(
        "journal",
        *_texts("proposal_id", "conversation", "decision", "decided_by"),
        sa.Column("decided_at", INSTANT, nullable=False),
        sa.Column("started_at", INSTANT),
        sa.Column("ended_at", INSTANT),
        sa.Column("ok", sa.Boolean()),
        *_texts("message"),
        sa.PrimaryKeyConstraint("proposal_id"),
    )
    op.create_index("ix_journal_conversation", "journal", ["conversation"])
    _table(
        "grants",
        *_texts("tool", "target", "label"),
        sa.Column("created_at", INSTANT, nullable=False),
        sa.UniqueConstraint("tool", "target"),
    )
    _table(
        "spans",
        *_texts("trace_id", "span_id"),
        sa.Column("parent_id", sa.Text()),
        *_texts("name"),
        sa.Column("started_at", INSTANT, nullable=False),
        sa.Column("ended_at", INSTANT),
        sa.Column("ok", sa.Boolean(), nullable=False),
        sa.Column("attributes", sa.JSON(), nullable=False),
    )
    op.create_index("ix_spans_trace_id", "spans", ["trace_id"])


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text(), nullable=False) for name in names]


def _table(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(name, sa.Column("id", sa.Integer(), primary_key=True), *columns)


def _record_table(name: str, *columns: sa.schema.SchemaItem) -> None:
    op.create_table(
        name,
        sa.Column("id", sa.Text(), primary_key=True),
        *columns,
        sa.Column("created_at", INSTANT, nullable=False),
        sa.Column("updated_at", INSTANT, nullable=False),
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
