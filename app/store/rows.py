"""The steps inside a transaction that `Store` is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TypeVarTuple

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session
from sqlalchemy.orm.exc import StaleDataError

from app.store import records
from app.store.columns import new_id, utc_now
from app.store.enums import CLOSED_SUBMISSIONS
from app.store.errors import ConflictError, InvalidFieldsError, NotFoundError
from app.store.fields import KIND_INFO, Kind
from app.store.json_types import Json
from app.store.models import Conference, Contribution, RecordRow, Submission
from app.store.records import MODELS, Record
from app.store.validation import Clean, clean

Columns = TypeVarTuple("Columns")


def listed(session: Session, kind: Kind, *, in_bin: bool) -> tuple[Record, ...]:
    """The records of a kind, oldest first, either those in the bin or those that are not."""
    model = MODELS[kind]
    rows = session.scalars(_oldest_first(select(model), model, in_bin=in_bin))
    return tuple(records.read(kind, row) for row in rows)


def titles(session: Session, kind: Kind, *, in_bin: bool) -> tuple[tuple[str, str], ...]:
    """Id and title of each of these records, without reading the rest of them."""
    return tuple((record_id, title) for record_id, title, _version in _outlines(session, kind, in_bin=in_bin))


def versions(session: Session, kind: Kind) -> tuple[tuple[str, str, int], ...]:
    """Id, title and version of each record that is not in the bin, without reading the rest of them."""
    return tuple(_outlines(session, kind, in_bin=False))


def _outlines(session: Session, kind: Kind, *, in_bin: bool) -> Iterator[tuple[str, str, int]]:
    model = MODELS[kind]
    if model is Submission:
        named = select(Submission.id, Submission.version, Submission.sent_title, Conference.name)
        named = named.join(Submission.conference)
    else:
        named = select(model.id, model.version, getattr(model, KIND_INFO[kind].title_key))
    for record_id, version, *words in session.execute(_oldest_first(named, model, in_bin=in_bin)):
        yield record_id, records.SUBMISSION_TITLE.join(words), version


def stamp(session: Session, kind: Kind) -> tuple[int, int, datetime | None]:
    """How many records there are, how often they were changed in all, and when for the last time.

    A change raises a version, and what is removed takes its versions along: no two changes bring the same back.
    """
    model = MODELS[kind]
    row = session.execute(select(func.count(), func.coalesce(func.sum(model.version), 0), func.max(model.updated_at)))
    count, changes, last = row.one()
    return count, changes, last


def submitted(session: Session, contribution_id: str) -> tuple[tuple[str, str], ...]:
    """The conference's name and the status of each submission of a contribution that is not in the bin."""
    named = select(Conference.name, Submission.status).join(Submission.conference)
    named = named.where(Submission.contribution_id == contribution_id)
    found = session.execute(_oldest_first(named, Submission, in_bin=False))
    return tuple((conference, status) for conference, status in found)


def words_in_use(session: Session, kind: Kind, key: str) -> tuple[str, ...]:
    """The words that a list field without fixed choices holds anywhere outside the bin, in order of appearance."""
    model = MODELS[kind]
    lists = session.scalars(_oldest_first(select(getattr(model, key)), model, in_bin=False))
    return tuple(dict.fromkeys(word for words in lists for word in words))


def _oldest_first(statement: Select[*Columns], model: type[RecordRow], *, in_bin: bool) -> Select[*Columns]:
    wanted = model.deleted_at.is_not(None) if in_bin else model.deleted_at.is_(None)
    return statement.where(wanted).order_by(model.created_at, model.id)


def not_found(kind: Kind) -> NotFoundError:
    """The error for a record that does not exist."""
    return NotFoundError(f"The {KIND_INFO[kind].noun} no longer exists.")


def live(session: Session, kind: Kind, record_id: str) -> RecordRow:
    """The row of a record that exists and is not in the bin."""
    row = session.get(MODELS[kind], record_id)
    if row is None:
        raise not_found(kind)
    if row.deleted_at is not None:
        raise NotFoundError(f"The {KIND_INFO[kind].noun} is in the bin. Restore it first.")
    return row


def check_version(current: Record, version: int | None) -> None:
    """Raises ConflictError if the record is not at that version any more."""
    if version is not None and current.version != version:
        raise _conflict(current.kind, current)


def same(current: Record | None, expected: Record | None) -> bool:
    """Whether both are absent, or both say the same."""
    if current is None or expected is None:
        return current is expected
    return current.same_content(expected)


def flushed(session: Session, kind: Kind, row: RecordRow) -> Record:
    """Sends the row's changes to the database, which raises its version, and reads it back.

    Raises:
        ConflictError: Another program changed the row at the same time.
    """
    # Written even if only a list of references changed, which is in another table: the version must grow then too.
    row.updated_at = utc_now()
    try:
        session.flush()
    except StaleDataError as error:
        raise _conflict(kind, None) from error
    return records.read(kind, row)


def create(session: Session, kind: Kind, fields: Mapping[str, Json]) -> Record:
    """Makes a new record from the values of a form."""
    values = clean(KIND_INFO[kind], fields, None)
    check_references(session, kind, values, None)
    if kind == "submission":
        values |= _frozen_copy(session, values)
    row = MODELS[kind](id=new_id())
    records.write(kind, row, values)
    session.add(row)
    return flushed(session, kind, row)


def check_references(session: Session, kind: Kind, values: Mapping[str, Clean], current: Record | None) -> None:
    """Raises InvalidFieldsError if a value newly refers to a record that is not there or is in the bin."""
    errors = {}
    for field in KIND_INFO[kind].fields:
        if field.references and field.key in values:
            new = _ids(values[field.key]) - (_ids(current.fields[field.key]) if current else set())
            model = MODELS[field.references]
            found = session.scalars(select(model.id).where(model.id.in_(new), model.deleted_at.is_(None)))
            if new - set(found):
                errors[field.key] = f"{field.label} names a {KIND_INFO[field.references].noun} that is not there."
    if errors:
        raise InvalidFieldsError(errors)


def _ids(value: object) -> set[str]:
    if isinstance(value, tuple):
        return set(value)
    return {value} if isinstance(value, str) else set()


def _frozen_copy(session: Session, values: Mapping[str, Clean]) -> dict[str, Clean]:
    contribution = session.get_one(Contribution, values["contribution"])
    is_open = (
        Submission.contribution_id == contribution.id,
        Submission.conference_id == values["conference"],
        Submission.deleted_at.is_(None),
        Submission.status.not_in(CLOSED_SUBMISSIONS),
    )
    if session.scalars(select(Submission.id).where(*is_open)).first():
        raise InvalidFieldsError({"conference": "This contribution is already submitted to that conference."})
    return {"sent_title": contribution.title, "sent_text": contribution.abstract}


def _conflict(kind: Kind, current: Record | None) -> ConflictError:
    return ConflictError(
        f"Someone else changed this {KIND_INFO[kind].noun} in the meantime. Nothing was saved.", current
    )
