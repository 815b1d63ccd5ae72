"""Records as plain values, and the step between them and the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from app.store.fields import KIND_INFO, Field, Kind
from app.store.json_types import JsonObject
from app.store.models import (
    Collection,
    CollectionItem,
    Conference,
    Contribution,
    ContributionSpeaker,
    RecordRow,
    Speaker,
    Submission,
)
from app.store.validation import Clean, from_json, to_json

MODELS: Mapping[Kind, type[RecordRow]] = MappingProxyType(
    {
        "contribution": Contribution,
        "conference": Conference,
        "speaker": Speaker,
        "collection": Collection,
        "submission": Submission,
    }
)

SUBMISSION_TITLE = " at "
"""Stands between a submission's own title and the name of the conference."""


@dataclass(frozen=True, slots=True)
class Record:
    """One record as it was when it was read.

    Attributes:
        kind: Which of the `KIND_INFO`.
        id: For ever the same.
        title: What lists call it.
        fields: Field key to value. Dates are ISO text, references are record ids, lists are tuples.
        version: Grows with each change; give it back to `Store.save` so that no other person's change is lost.
        is_sample: It came with the sample data.
        in_bin: It was deleted, and can be restored.
    """

    kind: Kind
    id: str
    title: str
    fields: JsonObject
    version: int
    is_sample: bool
    in_bin: bool
    created_at: datetime
    updated_at: datetime

    def strings(self, key: str) -> tuple[str, ...]:
        """The items of a list field."""
        value = self.fields[key]
        return tuple(str(each) for each in value) if isinstance(value, tuple) else ()

    def same_content(self, other: Record) -> bool:
        """Whether both say the same, whatever their versions."""
        return self.fields == other.fields and (self.kind, self.id, self.is_sample, self.in_bin) == (
            other.kind,
            other.id,
            other.is_sample,
            other.in_bin,
        )


@dataclass(frozen=True, slots=True)
class _Link:
    """How a list of references is stored: one row each, with its position."""

    attribute: str
    model: type[ContributionSpeaker | CollectionItem]
    key: str


_LINKS: Mapping[tuple[Kind, str], _Link] = MappingProxyType(
    {
        ("contribution", "speakers"): _Link("speaker_links", ContributionSpeaker, "speaker_id"),
        ("collection", "contributions"): _Link("item_links", CollectionItem, "contribution_id"),
    }
)


def read(kind: Kind, row: RecordRow) -> Record:
    """The record that a row holds."""
    fields = {each.key: to_json(_read_value(kind, row, each)) for each in KIND_INFO[kind].fields}
    return Record(
        kind=kind,
        id=row.id,
        title=_title(kind, row),
        fields=MappingProxyType(fields),
        version=row.version,
        is_sample=row.is_sample,
        in_bin=row.deleted_at is not None,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def stored_values(record: Record) -> dict[str, Clean]:
    """The values of a record as the columns take them, whatever its fields would say of them today."""
    return {each.key: from_json(each, record.fields[each.key]) for each in KIND_INFO[record.kind].fields}


def write(kind: Kind, row: RecordRow, values: Mapping[str, Clean]) -> None:
    """Puts checked values into a row."""
    for key, value in values.items():
        field = KIND_INFO[kind].field(key)
        if isinstance(value, tuple) and (link := _LINKS.get((kind, key))):
            _write_links(row, link, value)
        else:
            setattr(row, _column(field), list(value) if isinstance(value, tuple) else value)


def _read_value(kind: Kind, row: RecordRow, field: Field) -> Clean:
    if link := _LINKS.get((kind, field.key)):
        return tuple(getattr(each, link.key) for each in getattr(row, link.attribute))
    value = getattr(row, _column(field))
    return tuple(value) if isinstance(value, list) else value


def _column(field: Field) -> str:
    return f"{field.key}_id" if field.references else field.key


def _write_links(row: RecordRow, link: _Link, ids: Iterable[str]) -> None:
    links: list[Any] = getattr(row, link.attribute)
    # Rows that stay are moved, not made again: the pair of ids is their key.
    kept = {getattr(each, link.key): each for each in links}
    wanted = []
    for position, each in enumerate(ids):
        item = kept.get(each) or link.model(**{link.key: each})
        item.position = position
        wanted.append(item)
    setattr(row, link.attribute, wanted)


def _title(kind: Kind, row: RecordRow) -> str:
    if isinstance(row, Submission):
        return SUBMISSION_TITLE.join((row.sent_title, row.conference.name))
    return str(getattr(row, KIND_INFO[kind].title_key))
