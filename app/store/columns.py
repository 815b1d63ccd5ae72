"""What every table shares: the declarative base, naming of constraints, UTC times, ids."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, DateTime, Dialect, MetaData, Text, TypeDecorator
from sqlalchemy.orm import DeclarativeBase

from app.store.json_types import Json

# Named constraints, so that a later migration can change them on every database.
NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """An instant. SQLite keeps no zone, so UTC goes in and UTC comes out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("an instant needs a zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """Base of all models."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {  # noqa: RUF012
        str: Text(),
        datetime: UtcDateTime(),
        dict[str, Json]: JSON(),
        list[str]: JSON(),
        list[Json]: JSON(),
    }


def utc_now() -> datetime:
    """The instant now, with its zone."""
    return datetime.now(UTC)


def new_id() -> str:
    """A new record id, never used before."""
    return str(uuid4())


def json_copy(value: Any) -> Any:
    """Turns mappings and sequences of any class into the dicts and lists that a JSON column can write."""
    if isinstance(value, str | int | float | None):
        return value
    if hasattr(value, "items"):
        return {str(key): json_copy(each) for key, each in value.items()}
    return [json_copy(each) for each in value]
