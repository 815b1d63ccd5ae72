""" "Always allow this": tools that may act on one target without being asked, until revoked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, exists, select

from app.store.columns import utc_now
from app.store.database import Database
from app.store.engine_models import GrantRow
from app.store.upsert import insert_once


@dataclass(frozen=True, slots=True)
class Grant:
    """One thing that is always allowed.

    Attributes:
        tool: Wire name of the tool.
        target: What names the target across restarts, such as "Contributions/Save".
        label: What the list in Settings shows.
    """

    tool: str
    target: str
    label: str
    created_at: datetime


class Grants:
    """The grants of this database. Any method may raise `StoreError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def allow(self, tool: str, target: str, label: str = "") -> None:
        """Allows the tool on that target from now on. Allowing twice changes nothing."""
        with self._database.writing() as session:
            values = {"label": label, "created_at": utc_now()}
            insert_once(session, GrantRow, {"tool": tool, "target": target}, values)

    def is_allowed(self, tool: str, target: str) -> bool:
        """Whether the tool may act on that target without being asked."""
        with self._database.reading() as session:
            found = session.scalar(select(exists().where(GrantRow.tool == tool, GrantRow.target == target)))
            return bool(found)

    def revoke(self, tool: str, target: str) -> None:
        """Takes a grant back. None there is fine."""
        with self._database.writing() as session:
            session.execute(delete(GrantRow).where(GrantRow.tool == tool, GrantRow.target == target))

    def list(self) -> tuple[Grant, ...]:
        """All grants, oldest first."""
        with self._database.reading() as session:
            rows = session.scalars(select(GrantRow).order_by(GrantRow.id))
            return tuple(Grant(row.tool, row.target, row.label, row.created_at) for row in rows)
