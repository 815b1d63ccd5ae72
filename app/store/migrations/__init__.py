"""Brings a database to the schema of this version. The Alembic scripts lie in `versions` and ship with the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from app.store.errors import NewerDatabaseError, StoreError

if TYPE_CHECKING:
    from alembic.config import Config

HEAD = "0001"
"""The newest revision, known without importing Alembic: opening an up-to-date database stays quick."""


def current_revision(connection: Connection) -> str:
    """The revision the database stands at, or an empty string where it has no tables.

    Raises:
        StoreError: It has tables that are not ours.
    """
    tables = inspect(connection).get_table_names()
    if not tables:
        return ""
    if "alembic_version" not in tables:
        raise StoreError("The database belongs to another program. Choose another one.")
    return str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar() or "")


def check_known(revision: str) -> None:
    """Makes sure that this version knows a database's revision.

    Raises:
        NewerDatabaseError: It does not, so a newer version wrote it.
    """
    from alembic.script import ScriptDirectory

    known = {script.revision for script in ScriptDirectory.from_config(config()).walk_revisions()}
    if revision and revision not in known:
        raise NewerDatabaseError(
            "The database was written by a newer version of Greenroom and was left untouched. "
            "Install that version, or choose another database."
        )


def upgrade(connection: Connection) -> None:
    """Runs the migrations that are missing, inside the connection's transaction: all of them or none.

    Raises:
        NewerDatabaseError: A newer version wrote the database.
    """
    from alembic import command

    # Read again: another program may have migrated while this one waited for the lock.
    check_known(current_revision(connection))
    settings = config()
    settings.attributes["connection"] = connection
    command.upgrade(settings, HEAD)


def config() -> Config:
    """The Alembic configuration, made here because an installed package has no ini file."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    settings.set_main_option("path_separator", "os")
    return settings
