"""The engine's memory: the conversation, its proposals, and that each decision and each execution happens once.

Every method is one committed transaction, or what is recorded `together` is one: a kill between any two of them loses
nothing and repeats nothing. "Once" is a unique key of the database: it holds across processes too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from sqlalchemy import ColumnElement, Select, exists, select, true, update
from sqlalchemy.orm import Session

from app.store.columns import json_copy, utc_now
from app.store.database import Database
from app.store.engine_models import DecisionRow, ExecutionRow, MessageRow, ProposalRow
from app.store.json_types import Json, JsonObject
from app.store.upsert import insert_once, upsert

_UNDECIDED = ("waiting", "refused")


class SqlJournal:
    """The journal of one conversation. Any method may raise `StoreError`.

    Args:
        database: Where it is kept.
        conversation: Which one; programs that give the same name see the same messages and proposals.
    """

    def __init__(self, database: Database, conversation: str = "desk") -> None:
        self._database = database
        self._conversation = conversation
        self._open: Session | None = None
        """The transaction of `together`."""

    @contextmanager
    def together(self) -> Iterator[None]:
        """Makes what is recorded within one transaction. One thread uses a journal at a time.

        Raises:
            StoreError: The database failed; nothing of it was written.
        """
        with self._database.writing() as session:
            self._open = session
            try:
                yield
            finally:
                self._open = None

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        if self._open is not None:
            yield self._open
            return
        with self._database.writing() as session:
            yield session

    def save_messages(self, run_id: str, messages: Sequence[Mapping[str, Json]]) -> None:
        """Appends messages to the conversation, all of them or none."""
        with self._writing() as session:
            session.add_all(
                MessageRow(conversation=self._conversation, run_id=run_id, payload=json_copy(message))
                for message in messages
            )

    def load_conversation(self, limit: int | None = None) -> list[JsonObject]:
        """The messages, oldest first; with `limit`, the newest that many."""
        newest = (
            select(MessageRow.payload)
            .where(MessageRow.conversation == self._conversation)
            .order_by(MessageRow.id.desc())
            .limit(limit)
        )
        return self._payloads(newest)[::-1]

    def save_proposal(self, proposal_id: str, run_id: str, status: str, proposal: Mapping[str, Json]) -> None:
        """Stores a proposal, or its newest form."""
        values = {
            "conversation": self._conversation,
            "run_id": run_id,
            "status": status,
            "payload": json_copy(proposal),
            "updated_at": utc_now(),
        }
        with self._writing() as session:
            upsert(session, ProposalRow, {"proposal_id": proposal_id}, values)

    def record_decision(self, proposal_id: str, kind: str, by: str) -> bool:
        """Stores a decision. False, and nothing changed, where there is one already.

        Args:
            proposal_id: The proposal.
            kind: `approve` or `reject`.
            by: Where it came from (`panel`, `voice`, ...).
        """
        with self._writing() as session:
            values = {"kind": kind, "decided_by": by, "decided_at": utc_now()}
            return insert_once(session, DecisionRow, {"proposal_id": proposal_id}, values)

    def record_start(self, proposal_id: str) -> bool:
        """Marks the call as begun. False where it was begun before, or rejected: then it must not run."""
        with self._writing() as session:
            decision = session.get(DecisionRow, proposal_id)
            if decision is not None and decision.kind != "approve":
                return False
            values = {"started_at": utc_now(), "message": ""}
            return insert_once(session, ExecutionRow, {"proposal_id": proposal_id}, values)

    def record_outcome(self, proposal_id: str, ok: bool, message: str) -> None:
        """Stores how a call that was begun went; the first outcome stays."""
        ended = (
            update(ExecutionRow)
            .where(ExecutionRow.proposal_id == proposal_id, ExecutionRow.ended_at.is_(None))
            .values(ended_at=utc_now(), ok=ok, message=message)
        )
        with self._writing() as session:
            session.execute(ended)

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
