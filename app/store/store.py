"""The records as pages use them: list, read, save, delete, restore, undo, submit."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from app.store import records, rows
from app.store.columns import utc_now
from app.store.database import Database
from app.store.errors import ConflictError
from app.store.fields import KIND_INFO, Kind
from app.store.json_types import Json
from app.store.records import MODELS, Record
from app.store.validation import clean


@dataclass(frozen=True, slots=True)
class Listed:
    """What a list needs of a record: its identity, its title, and which version of it that is."""

    id: str
    title: str
    version: int


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice field: the value to store and the words to show."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class Submitted:
    """One submission of a contribution: the conference's name, and the status."""

    conference: str
    status: str


class Store:
    """The person's records. Each method is one transaction; any of them may raise `StoreError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, kind: Kind) -> tuple[Record, ...]:
        """All records that are not in the bin, oldest first."""
        with self._database.reading() as session:
            return rows.listed(session, kind, in_bin=False)

    def titles(self, kind: Kind) -> tuple[Option, ...]:
        """Id and title of all records that are not in the bin, oldest first: what a list needs, much quicker."""
        with self._database.reading() as session:
            return tuple(Option(record_id, title) for record_id, title in rows.titles(session, kind, in_bin=False))

    def listed(self, kind: Kind) -> tuple[Listed, ...]:
        """Id, title and version of all records that are not in the bin, oldest first; as quick as `titles`."""
        with self._database.reading() as session:
            return tuple(Listed(*each) for each in rows.versions(session, kind))

    def stamp(self, kind: Kind) -> Hashable:
        """Something that is different after any change to the records of a kind, whoever made it; quick to get."""
        with self._database.reading() as session:
            return rows.stamp(session, kind)

    def bin(self, kind: Kind) -> tuple[Record, ...]:
        """The deleted records, oldest first."""
        with self._database.reading() as session:
            return rows.listed(session, kind, in_bin=True)

    def find(self, kind: Kind, record_id: str) -> Record | None:
        """The record, in the bin or not, or None where there is none."""
        with self._database.reading() as session:
            row = session.get(MODELS[kind], record_id)
            return records.read(kind, row) if row else None

    def get(self, kind: Kind, record_id: str) -> Record:
        """The record, in the bin or not.

        Raises:
            NotFoundError: There is none.
        """
        found = self.find(kind, record_id)
        if found is None:
            raise rows.not_found(kind)
        return found

    def options(self, kind: Kind, key: str, selected: Iterable[str] = ()) -> tuple[Option, ...]:
        """What a choice field offers: its fixed choices, the records it refers to, or the words in use.

        Args:
            kind: The kind of record.
            key: A field whose type is `choice` or `choices`.
            selected: What the field holds now. It is offered even if it is in the bin, and says so.
        """
        field = KIND_INFO[kind].field(key)
        if field.choices:
            return tuple(Option(each, each) for each in field.choices)
        with self._database.reading() as session:
            if field.references is None:
                words = dict.fromkeys((*rows.words_in_use(session, kind, key), *selected))
                return tuple(Option(word, word) for word in words)
            live = rows.titles(session, field.references, in_bin=False)
            wanted = set(selected) - {record_id for record_id, _ in live}
            binned = rows.titles(session, field.references, in_bin=True) if wanted else ()
        return (
            *(Option(record_id, title) for record_id, title in live),
            *(Option(record_id, f"{title} (in the bin)") for record_id, title in binned if record_id in wanted),
        )

    def save(
        self, kind: Kind, record_id: str | None, fields: Mapping[str, Json], *, version: int | None = None
    ) -> Record:
        """Writes the fields given and leaves the others as they are. Nothing is written where nothing changes.

        Args:
            kind: The kind of record.
            record_id: None makes a new record.
            fields: Field key to value, as in `Record.fields`.
            version: The version the form was filled from. None overwrites whatever is there.

        Raises:
            InvalidFieldsError: Values do not fit; `errors` says which and why.
            ConflictError: Someone else changed the record since that version.
            NotFoundError: The record is gone or in the bin.
        """
        with self._database.writing() as session:
            if record_id is None:
                return rows.create(session, kind, fields)
            row = rows.live(session, kind, record_id)
            current = records.read(kind, row)
            rows.check_version(current, version)
            values = clean(KIND_INFO[kind], fields, current.fields)
            rows.check_references(session, kind, values, current)
            records.write(kind, row, values)
            if records.read(kind, row).same_content(current):
                return current
            return rows.flushed(session, kind, row)

    def delete(self, kind: Kind, record_id: str, *, version: int | None = None) -> Record:
        """Moves the record to the bin. What refers to it keeps doing so.

        Raises:
            ConflictError: Someone else changed the record since that version.
            NotFoundError: The record is gone or in the bin already.
        """
        with self._database.writing() as session:
            row = rows.live(session, kind, record_id)
            rows.check_version(records.read(kind, row), version)
            row.deleted_at = utc_now()
            return rows.flushed(session, kind, row)

    def restore(self, kind: Kind, record_id: str) -> Record:
        """Takes the record out of the bin; one that is not in it stays as it is.

        Raises:
            NotFoundError: There is no such record.
        """
        with self._database.writing() as session:
            row = session.get(MODELS[kind], record_id)
            if row is None:
                raise rows.not_found(kind)
            if row.deleted_at is None:
                return records.read(kind, row)
            row.deleted_at = None
            return rows.flushed(session, kind, row)

    def set_state(self, kind: Kind, record_id: str, state: Record | None, *, expected: Record | None) -> Record | None:
        """Brings a record back to a former state, for undo and redo: its fields, its place in the bin, its absence.

        Args:
            kind: The kind of record.
            record_id: The record.
            state: The state to bring back; None removes the record for good (it had not been made yet).
            expected: The state it is in now, as far as the caller knows; None where it does not exist.

        Returns:
            The record as it is now, with a new version, or None.

        Raises:
            ConflictError: It is in another state than expected, because someone changed it since.
        """
        with self._database.writing() as session:
            row = session.get(MODELS[kind], record_id)
            current = records.read(kind, row) if row else None
            if not rows.same(current, expected):
                raise ConflictError(f"The {KIND_INFO[kind].noun} has been changed since.", current)
            if state is None:
                if row is not None:
                    session.delete(row)
                return None
            if row is None:
                row = MODELS[kind](id=record_id, created_at=state.created_at)
                session.add(row)
            with session.no_autoflush:
                records.write(kind, row, records.stored_values(state))
            row.is_sample = state.is_sample
            row.deleted_at = (row.deleted_at or utc_now()) if state.in_bin else None
            return rows.flushed(session, kind, row)

    def submit(self, contribution_id: str, conference_id: str) -> Record:
        """Makes a submission: a frozen copy of title and abstract, with the status Draft.

        Raises:
            InvalidFieldsError: It is submitted to that conference already, or one of the two is gone.
        """
        return self.save("submission", None, {"contribution": contribution_id, "conference": conference_id})

    def submissions_of(self, contribution_id: str) -> tuple[Record, ...]:
        """The submissions of a contribution, oldest first."""
        return tuple(each for each in self.list("submission") if each.fields["contribution"] == contribution_id)

    def submitted_to(self, contribution_id: str) -> tuple[Submitted, ...]:
        """Where a contribution was submitted to, and how each submission stands; oldest first, and quick."""
        with self._database.reading() as session:
            return tuple(Submitted(*each) for each in rows.submitted(session, contribution_id))
