"""Puts the sample records into a database, and takes them out again without touching what the person made."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from app.store import records
from app.store.columns import utc_now
from app.store.database import Database
from app.store.fields import KIND_INFO, KINDS
from app.store.json_types import Json
from app.store.models import RecordRow
from app.store.records import MODELS
from app.store.sample_data import SAMPLES, Sample
from app.store.validation import from_json


@dataclass(frozen=True, slots=True)
class Removed:
    """How many sample records went, and how many stayed because the person changed or uses them."""

    removed: int
    kept: int


def seed_samples(database: Database) -> int:
    """Adds the sample records that the database never had, and returns how many that were.

    A second call changes nothing: a sample that the person changed or deleted stays so.
    """
    begun = utc_now()
    added = 0
    with database.writing() as session:
        present = {kind: set(session.scalars(select(MODELS[kind].id))) for kind in KINDS}
        for position, sample in enumerate(SAMPLES):
            if sample.id in present[sample.kind]:
                continue
            # Lists are in order of creation, so each is a little later than the one before.
            made = begun + timedelta(microseconds=position)
            row = MODELS[sample.kind](id=sample.id, created_at=made, updated_at=made, is_sample=True)
            values = {
                each.key: from_json(each, sample.fields.get(each.key, each.initial))
                for each in KIND_INFO[sample.kind].fields
            }
            records.write(sample.kind, row, values)
            session.add(row)
            # The models know no relationship from here to there, so the order is kept by hand.
            session.flush()
            added += 1
    return added


def remove_samples(database: Database) -> Removed:
    """Removes the sample records for good. Those that were changed, or that others refer to, become the person's."""
    removed = kept = 0
    with database.writing() as session:
        # Backwards, so that what refers goes before what it refers to.
        for sample in reversed(SAMPLES):
            row = session.get(MODELS[sample.kind], sample.id)
            if row is None or not row.is_sample:
                continue
            if _is_untouched(session, sample) and _removed(session, row):
                removed += 1
            else:
                row.is_sample = False
                kept += 1
            session.flush()
    return Removed(removed, kept)


def _is_untouched(session: Session, sample: Sample) -> bool:
    row = session.get_one(MODELS[sample.kind], sample.id)
    initial: dict[str, Json] = KIND_INFO[sample.kind].initial()
    return records.read(sample.kind, row).fields == MappingProxyType({**initial, **sample.fields})


def _removed(session: Session, row: RecordRow) -> bool:
    try:
        with session.begin_nested():
            session.delete(row)
    except IntegrityError:
        return False
    return True
