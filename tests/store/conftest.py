"""Databases as real files, and a PostgreSQL server where one is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.database import Database
from app.store.samples import seed_samples
from app.store.store import Store


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the database file is, or will be."""
    return tmp_path / "data" / "greenroom.db"


@pytest.fixture
def url(path: Path) -> str:
    return f"sqlite:///{path}"


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
