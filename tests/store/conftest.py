"""Databases as real files, and on a PostgreSQL server where one is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from app.store.database import Database
from app.store.samples import seed_samples
from app.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database file is, or will be."""
    return tmp_path / "data" / "greenroom.db"


@pytest.fixture(scope="session")
def postgres_socket() -> Iterator[str]:
    """The folder of a running server's socket."""
    pytest.importorskip("psycopg", reason="the extra 'postgres' is not installed")
    postgres_server = pytest.importorskip("postgres_server", reason="no PostgreSQL server on this system")
    if reason := postgres_server.reason_to_skip():
        pytest.skip(reason)
    with postgres_server.running() as socket:
        yield socket


@pytest.fixture
def url(request: pytest.FixtureRequest, path: Path) -> str:
    """The address of a database that does not exist yet: a file, or where a test asks for it, PostgreSQL's."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return f"sqlite:///{path}"
    return new_postgres_database(request.getfixturevalue("postgres_socket"))


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    opened = Database.open(url)
    assert opened.notice == ""
    yield opened.database
    opened.database.close()


@pytest.fixture
def store(database: Database) -> Store:
    """A store with the sample data."""
    seed_samples(database)
    return Store(database)


def new_postgres_database(socket: str) -> str:
    """A schema of its own in one database: making a whole database takes 7 MB and much longer."""
    import psycopg

    name = f"greenroom_{uuid4().hex}"
    with psycopg.connect(host=socket, user="postgres", dbname="postgres", autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"postgresql://postgres@/postgres?host={socket}&options=-csearch_path%3D{name}"
