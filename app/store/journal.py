"""The engine's memory: the conversation, its proposals, and that each decision and each execution happens once.

Every method is one committed transaction, or what is recorded `together` is one: a kill between any two of them loses
nothing and repeats nothing. "Once" is a unique key of the database: it holds across processes too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache

from sqlalchemy import (
    ColumnElement,
    Connection,
    Executable,
    Select,
    Table,
    bindparam,
    exists,
    insert,
    select,
    true,
    update,
)

from app.store.columns import Base, json_copy, utc_now
from app.store.database import Database
from app.store.engine_models import DecisionRow, ExecutionRow, MessageRow, ProposalRow
from app.store.json_types import Json, JsonObject
from app.store.upsert import once_statement, upsert_statement

_UNDECIDED = ("waiting", "refused")

_MESSAGES = Base.metadata.tables[MessageRow.__tablename__]
_PROPOSALS = Base.metadata.tables[ProposalRow.__tablename__]
_DECISIONS = Base.metadata.tables[DecisionRow.__tablename__]
_EXECUTIONS = Base.metadata.tables[ExecutionRow.__tablename__]
_PROPOSAL_VALUES = ("conversation", "run_id", "status", "payload", "updated_at")

# Made once: a turn of the engine records some ten steps, and waits for each.
_SAVE_MESSAGE = insert(_MESSAGES)
_NEWEST = (
    select(_MESSAGES.c.payload)
    .where(_MESSAGES.c.conversation == bindparam("conversation"))
    .order_by(_MESSAGES.c.id.desc())
)
_DECIDED_AS = select(_DECISIONS.c.kind).where(_DECISIONS.c.proposal_id == bindparam("proposal"))
_END = (
    update(_EXECUTIONS)
    .where(_EXECUTIONS.c.proposal_id == bindparam("proposal"), _EXECUTIONS.c.ended_at.is_(None))
    .values(ended_at=bindparam("at"), ok=bindparam("went_well"), message=bindparam("said"))
)


@cache
def _save_proposal(dialect: str) -> Executable:
    return upsert_statement(dialect, _PROPOSALS, "proposal_id", _PROPOSAL_VALUES)


@cache
def _once(dialect: str, table: Table) -> Executable:
    return once_statement(dialect, table, "proposal_id")


class SqlJournal:
    """The journal of one conversation. Any method may raise `StoreError`.

    Args:
        database: Where it is kept.
        conversation: Which one; programs that give the same name see the same messages and proposals.
    """

    def __init__(self, database: Database, conversation: str = "desk") -> None:
        self._database = database
        self._conversation = conversation
        self._save_proposal = _save_proposal(database.kind)
        self._decide = _once(database.kind, _DECISIONS)
        self._start = _once(database.kind, _EXECUTIONS)
        self._open: Connection | None = None
        """The transaction of `together`."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """Makes what is recorded within one transaction. One thread uses a journal at a time.

        Raises:
            StoreError: The database failed; nothing of it was written.
        """
        with self._database.writing_rows() as connection:
            self._open = connection
            try:
                yield
            finally:
                self._open = None

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if self._open is not None:
            yield self._open
            return
        with self._database.writing_rows() as connection:
            yield connection

    def save_messages(self, run_id: str, messages: Sequence[Mapping[str, Json]]) -> None:
        """Appends messages to the conversation, all of them or none."""
        rows = [
            {
                "conversation": self._conversation,
                "run_id": run_id,
                "payload": json_copy(message),
                "created_at": utc_now(),
            }
            for message in messages
        ]
        if rows:
            with self._writing() as connection:
                connection.execute(_SAVE_MESSAGE, rows)

    def load_conversation(self, limit: int | None = None) -> list[JsonObject]:
        """The messages, oldest first; with `limit`, the newest that many."""
        newest = _NEWEST if limit is None else _NEWEST.limit(limit)
        with self._database.reading_rows() as connection:
            return list(connection.scalars(newest, {"conversation": self._conversation}))[::-1]

    def save_proposal(self, proposal_id: str, run_id: str, status: str, proposal: Mapping[str, Json]) -> None:
        """Stores a proposal, or its newest form."""
        values = {
            "proposal_id": proposal_id,
            "conversation": self._conversation,
            "run_id": run_id,
            "status": status,
            "payload": json_copy(proposal),
            "updated_at": utc_now(),
        }
        with self._writing() as connection:
            connection.execute(self._save_proposal, values)

    def record_decision(self, proposal_id: str, kind: str, by: str) -> bool:
        """Stores a decision. False, and nothing changed, where there is one already.

        Args:
            proposal_id: The proposal.
            kind: `approve` or `reject`.
            by: Where it came from (`panel`, `voice`, ...).
        """
        values = {"proposal_id": proposal_id, "kind": kind, "decided_by": by, "decided_at": utc_now()}
        with self._writing() as connection:
            return connection.execute(self._decide, values).first() is not None

    def record_start(self, proposal_id: str) -> bool:
        """Marks the call as begun. False where it was begun before, or rejected: then it must not run."""
        with self._writing() as connection:
            kind = connection.scalar(_DECIDED_AS, {"proposal": proposal_id})
            if kind is not None and kind != "approve":
                return False
            values = {"proposal_id": proposal_id, "started_at": utc_now(), "message": ""}
            return connection.execute(self._start, values).first() is not None

    def record_outcome(self, proposal_id: str, ok: bool, message: str) -> None:
        """Stores how a call that was begun went; the first outcome stays."""
        values = {"proposal": proposal_id, "at": utc_now(), "went_well": ok, "said": message}
        with self._writing() as connection:
            connection.execute(_END, values)

    def open_proposals(self) -> list[JsonObject]:
        """Proposals that wait for a decision, oldest first."""
        return self._payloads(self._proposals().where(ProposalRow.status.in_(_UNDECIDED), ~_decided(), ~_begun()))

    def approved_not_started(self) -> list[JsonObject]:
        """Proposals that were approved, but the process ended before they began; oldest first."""
        return self._payloads(self._proposals().where(_decided("approve"), ~_begun()))

    def started_without_outcome(self) -> list[JsonObject]:
        """Proposals under way when the process ended: nobody knows whether they took effect. Oldest first."""
        return self._payloads(self._proposals().where(_begun(ExecutionRow.ended_at.is_(None))))

    def _proposals(self) -> Select[dict[str, Json]]:
        mine = ProposalRow.conversation == self._conversation
        return select(ProposalRow.payload).where(mine).order_by(ProposalRow.id)

    def _payloads(self, statement: Select[dict[str, Json]]) -> list[JsonObject]:
        with self._database.reading() as session:
            return list(session.scalars(statement))


def _decided(kind: str = "") -> ColumnElement[bool]:
    wanted = DecisionRow.kind == kind if kind else true()
    return exists().where(DecisionRow.proposal_id == ProposalRow.proposal_id, wanted)


def _begun(condition: ColumnElement[bool] | None = None) -> ColumnElement[bool]:
    wanted = true() if condition is None else condition
    return exists().where(ExecutionRow.proposal_id == ProposalRow.proposal_id, wanted)
