"""Insert or update in one statement, which both SQLite and PostgreSQL run atomically."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import Executable, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.orm import Session

from app.store.columns import Base

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def upsert(session: Session, model: type[Base], key: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Writes `values` to the row with this unique `key`, which is made if there is none."""
    statement = _insert_into(session.get_bind().dialect.name, model).values(**key, **values)
    session.execute(statement.on_conflict_do_update(index_elements=list(key), set_=dict(values)))


def insert_once(session: Session, model: type[Base], key: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Makes the row with this unique `key`. False, and nothing changed, where there is one already."""
    names = list(key)
    statement = _insert_into(session.get_bind().dialect.name, model).values(**key, **values)
    statement = statement.on_conflict_do_nothing(index_elements=names)
    # What was inserted is what comes back; the row count is not known for every driver.
    return session.execute(statement.returning(getattr(model, names[0]))).first() is not None


def upsert_statement(dialect: str, table: Table, key: str, values: Sequence[str]) -> Executable:
    """Writes the columns `values` to the row with this unique `key`, which is made if there is none."""
    statement = _insert_into(dialect, table)
    written = {name: statement.excluded[name] for name in values}
    return statement.on_conflict_do_update(index_elements=[key], set_=written)


def once_statement(dialect: str, table: Table, key: str) -> Executable:
    """Makes the row with this unique `key`, and gives the key back. Gives nothing where there is one already."""
    statement = _insert_into(dialect, table).on_conflict_do_nothing(index_elements=[key])
    return statement.returning(table.c[key])


def _insert_into(dialect: str, table: Table | type[Base]) -> postgresql.Insert | sqlite.Insert:
    if dialect == "postgresql":
        from sqlalchemy.dialects import postgresql  # a tenth of a second, which a program on SQLite saves

        return postgresql.insert(table)
    return sqlite.insert(table)
