"""What is PostgreSQL's own: the schema, a newer database, a change between reading and writing."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from app.store import engine_models, migrations, models
from app.store.columns import Base
from app.store.database import Database
from app.store.errors import ConflictError, NewerDatabaseError, StoreError
from app.store.models import Speaker
from app.store.rows import flushed
from app.store.store import Store

MODELS = (models, engine_models)
pytestmark = [pytest.mark.postgres, pytest.mark.parametrize("url", ["postgresql"], indirect=True)]


def test_a_new_database_has_the_tables_of_the_models(database: Database) -> None:
    with database.reading() as session:
        assert compare_metadata(MigrationContext.configure(session.connection()), Base.metadata) == []
        assert migrations.current_revision(session.connection()) == migrations.HEAD


def test_a_newer_database_is_refused(url: str, database: Database) -> None:
    with database.writing() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerDatabaseError):
        Database.open(url)


def test_a_database_of_another_program_is_refused(url: str, database: Database) -> None:
    with database.writing() as session:
        session.connection().exec_driver_sql("DROP TABLE alembic_version")

    with pytest.raises(StoreError, match="belongs to another program"):
        Database.open(url)


def test_a_change_between_reading_and_writing_is_a_conflict(database: Database, store: Store) -> None:
    """SQLite has one writer at a time; here two transactions can hold the same row, and the version decides."""
    speaker = store.list("speaker")[0]

    def both_change_it() -> None:
        with database.writing() as session:
            row = session.get_one(Speaker, speaker.id)
            store.save("speaker", speaker.id, {"company": "Theirs"})
            row.company = "Mine"
            flushed(session, "speaker", row)

    with pytest.raises(ConflictError, match="in the meantime"):
        both_change_it()

    assert store.get("speaker", speaker.id).fields["company"] == "Theirs"
