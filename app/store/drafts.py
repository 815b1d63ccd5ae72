"""Unsaved changes of forms: written while the person types, so that a crash loses nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from sqlalchemy import delete, select

from app.store.columns import json_copy, utc_now
from app.store.database import Database
from app.store.fields import KINDS, Kind
from app.store.json_types import Json, JsonObject
from app.store.models import Draft
from app.store.upsert import upsert

NEW = "new"
"""The `record_id` of a draft whose record does not exist yet."""


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """What a form held.

    Attributes:
        record_id: The record, or `NEW`.
        fields: Field key to what was typed; it need not be acceptable.
        base_version: The version the form was filled from, to give to `Store.save`; None for a new record.
    """

    kind: Kind
    record_id: str
    fields: JsonObject
    base_version: int | None
    updated_at: datetime


class Drafts:
    """One draft for each record being edited. Each method is one committed transaction."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, kind: Kind, record_id: str, fields: Mapping[str, Json], *, base_version: int | None = None) -> None:
        """Keeps what the form holds now, in place of what was kept before."""
        with self._database.writing() as session:
            upsert(
                session,
                Draft,
                {"kind": kind, "record_id": record_id},
                {"fields": json_copy(fields), "base_version": base_version, "updated_at": utc_now()},
            )

    def load(self) -> tuple[SavedDraft, ...]:
        """All drafts, oldest first."""
        with self._database.reading() as session:
            rows = session.scalars(select(Draft).where(Draft.kind.in_(KINDS)).order_by(Draft.updated_at, Draft.id))
            return tuple(
                SavedDraft(
                    kind=next(kind for kind in KINDS if kind == row.kind),
                    record_id=row.record_id,
                    fields=MappingProxyType(row.fields),
                    base_version=row.base_version,
                    updated_at=row.updated_at,
                )
                for row in rows
            )

    def discard(self, kind: Kind, record_id: str) -> None:
        """Forgets a draft, once it is saved or no longer wanted. None there is fine."""
        with self._database.writing() as session:
            session.execute(delete(Draft).where(Draft.kind == kind, Draft.record_id == record_id))
