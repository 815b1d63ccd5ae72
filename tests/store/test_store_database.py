"""Opening: new, migrated, newer, damaged, foreign, read-only, locked, full."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import app
from app.store import engine_models, migrations, models
from app.store.columns import Base
from app.store.database import Database
from app.store.errors import NewerDatabaseError, StoreError
from app.store.location import data_folder, database_url
from app.store.samples import seed_samples
from app.store.store import Store

MODELS = (models, engine_models)


def test_a_new_database_has_the_tables_of_the_models(database: Database) -> None:
    with database.reading() as session:
        context = MigrationContext.configure(session.connection())
        assert compare_metadata(context, Base.metadata) == []
        assert len(Base.metadata.tables) == 14


def test_the_head_that_opening_relies_on_is_the_newest_script() -> None:
    assert ScriptDirectory.from_config(migrations.config()).get_current_head() == migrations.HEAD


def test_sqlite_is_set_up_for_two_programs(database: Database) -> None:
    with database.reading() as session:
        read = session.connection().exec_driver_sql
        assert read("PRAGMA journal_mode").scalar() == "wal"
        assert read("PRAGMA foreign_keys").scalar() == 1
        assert read("PRAGMA busy_timeout").scalar() == 2000


def test_opening_again_keeps_what_is_there(url: str) -> None:
    first = Database.open(url).database
    seed_samples(first)
    talks = Store(first).list("contribution")
    first.close()

    second = Database.open(url)

    assert second.notice == ""
    assert Store(second.database).list("contribution") == talks
    second.database.close()


def test_an_empty_file_becomes_a_database(path: Path, url: str) -> None:
    path.parent.mkdir()
    path.touch()

    opened = Database.open(url)

    assert opened.notice == ""
    assert Store(opened.database).list("speaker") == ()
    opened.database.close()


def test_a_newer_database_is_refused_and_not_touched(path: Path, url: str) -> None:
    make_database(url)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}

    with pytest.raises(NewerDatabaseError, match="newer version of Greenroom and was left untouched"):
        Database.open(url)

    after = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    assert {name: after[name] for name in before} == before
    assert all(not content for name, content in after.items() if name.endswith("-wal"))


def test_the_file_of_another_program_is_refused_and_not_touched(path: Path, url: str) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()

    with pytest.raises(StoreError, match="belongs to another program"):
        Database.open(url)

    assert path.read_bytes() == before


def overwrite_all(path: Path) -> None:
    path.write_bytes(b"This is no database. " * 500)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwrite_pages(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[8192 : 8192 + 20_000] = b"\xa5" * 20_000
    path.write_bytes(content)


@pytest.mark.parametrize("damage", [overwrite_all, cut_off, overwrite_pages])
def test_a_damaged_database_is_set_aside_and_a_new_one_begun(
    path: Path, url: str, damage: Callable[[Path], None]
) -> None:
    make_database(url)
    damage(path)
    damaged = path.read_bytes()

    opened = Database.open(url)

    kept = next(path.parent.glob("greenroom-damaged-*.db"))
    assert kept.read_bytes() == damaged
    assert kept.name in opened.notice
    assert Store(opened.database).list("contribution") == ()
    opened.database.close()
    again = Database.open(url)
    assert again.notice == ""
    again.database.close()


def test_what_lies_beside_a_damaged_database_goes_with_it_and_nothing_is_replaced(path: Path, url: str) -> None:
    path.parent.mkdir()
    for round_ in ("first", "second"):
        path.write_text(f"{round_} {'x' * 2000}", "utf-8")
        path.with_name("greenroom.db-wal").write_text(f"{round_} wal", "utf-8")
        Database.open(url).database.close()
        path.unlink()

    beside = (each for each in path.parent.glob("greenroom-damaged-*") if not each.name.endswith("-shm"))
    kept = sorted(each.read_text("utf-8").split(" x")[0] for each in beside)
    assert kept == ["first", "first wal", "second", "second wal"]


def test_a_folder_in_the_place_of_the_file_is_said(path: Path, url: str) -> None:
    path.mkdir(parents=True)

    with pytest.raises(StoreError, match="there is a folder where its file should be"):
        Database.open(url)


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "occupied").touch()

    with pytest.raises(StoreError, match="can't be made"):
        Database.open(f"sqlite:///{tmp_path}/occupied/greenroom.db")


READ_ONLY = """
import os, sys
import encodings.idna
from app.store.database import Database
from app.store.errors import StoreError
if os.geteuid() == 0:
    os.setuid(65534)  # root may write everywhere
try:
    Database.open(sys.argv[1])
except StoreError as error:
    print(error)
"""


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX systems")
def test_a_read_only_database_is_said() -> None:
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/greenroom.db"
        make_database(url)
        Path(folder, "greenroom.db").chmod(0o444)
        Path(folder).chmod(0o555)
        environment = {**os.environ, "PYTHONPATH": str(Path(app.__file__).parents[1])}
        said = subprocess.run(
            [sys.executable, "-c", READ_ONLY, url], env=environment, capture_output=True, text=True, check=True
        )
        Path(folder).chmod(0o755)

    assert said.stdout == "The database can't be changed: its file or folder is read-only.\n"


def test_a_full_disk_is_said_and_nothing_is_lost(database: Database, store: Store) -> None:
    talk = store.list("contribution")[0]
    with database.reading() as session:
        # SQLite's own limit gives the same error as a full disk; the pool hands out this connection again.
        pages = session.connection().exec_driver_sql("PRAGMA page_count").scalar()
        session.connection().exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    with pytest.raises(StoreError, match="The disk is full"):
        store.save("contribution", talk.id, {"abstract": "x" * 1_000_000})

    assert store.get("contribution", talk.id) == talk


def test_a_database_that_another_program_holds_is_said(path: Path, store: Store) -> None:
    talk = store.list("contribution")[0]
    with closing(sqlite3.connect(path, isolation_level=None)) as theirs:
        theirs.execute("BEGIN IMMEDIATE")

        assert store.get("contribution", talk.id) == talk
        with pytest.raises(StoreError, match="Another program is using the database"):
            store.save("contribution", talk.id, {"title": "Mine"})

        theirs.execute("ROLLBACK")
    assert store.save("contribution", talk.id, {"title": "Mine"}).title == "Mine"


def test_a_database_damaged_while_open_is_said(path: Path, store: Store, database: Database) -> None:
    database.close()  # so that the next connection reads the file afresh
    overwrite_all(path)

    with pytest.raises(StoreError, match="The database is damaged"):
        store.list("contribution")


def test_where_the_database_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert data_folder() == tmp_path / "data"
    assert database_url().database == str(tmp_path / "data" / "greenroom.db")
    assert database_url(f"sqlite:///{tmp_path}/set.db").database == f"{tmp_path}/set.db"
    monkeypatch.setenv("GREENROOM_DATABASE_URL", "postgresql://db.example.com/greenroom")
    assert database_url("sqlite:///set.db").drivername == "postgresql+psycopg"
    monkeypatch.delenv("GREENROOM_DATABASE_URL")
    monkeypatch.delenv("GREENROOM_DATA_DIR")
    assert data_folder().name == "greenroom"


@pytest.mark.parametrize(
    "address", ["no address", "mysql://host/x", "sqlite://", "sqlite:///:memory:", "postgresql://a:b:c"]
)
def test_an_address_that_cannot_be_used_is_said_without_repeating_it(address: str) -> None:
    with pytest.raises(StoreError, match=r"^The address of the database") as raised:
        Database.open(address)

    assert address not in str(raised.value)


def test_a_server_that_is_not_there_is_said_without_its_password() -> None:
    pytest.importorskip("psycopg", reason="the extra 'postgres' is not installed")

    with pytest.raises(StoreError, match="server can't be reached") as raised:
        Database.open("postgresql://me:hunter2@127.0.0.1:1/greenroom")

    assert "hunter2" not in str(raised.value)


def make_database(url: str) -> None:
    opened = Database.open(url)
    seed_samples(opened.database)
    opened.database.close()
