"""Pages over a real SQLite file with the sample data, and the calls on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desk_calls import Desk, desk
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from settings_kit import corrections, file, live, machine, make_page, models, settings_page

from app.pages.contributions import ContributionsPage
from app.pages.services import PageServices
from app.store.database import Database
from app.store.drafts import Drafts
from app.store.samples import seed_samples
from app.store.store import Store
from app.widgets.context import VoiceContext

__all__ = ["corrections", "desk", "file", "live", "machine", "make_page", "models", "settings_page"]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """An empty database."""
    database = Database.open(f"sqlite:///{tmp_path / 'records.db'}").database
    yield database
    database.close()


@pytest.fixture
def store(database: Database) -> Store:
    """The sample data."""
    seed_samples(database)
    return Store(database)


@pytest.fixture
def other(tmp_path: Path, store: Store) -> Iterator[Store]:
    """The same records as another program sees and changes them."""
    assert store is not None
    database = Database.open(f"sqlite:///{tmp_path / 'records.db'}").database
    yield Store(database)
    database.close()


@pytest.fixture
def services(desk: Desk, database: Database) -> PageServices:
    """What pages are given. The database is as the test's other fixtures left it."""
    return PageServices(Store(database), Drafts(database), desk.undo, VoiceContext(desk.registry, desk.undo.record))


@pytest.fixture
def shown(qtbot: QtBot) -> Callable[[QWidget], QWidget]:
    """Shows a page and closes it after the test."""

    def show(page: QWidget) -> QWidget:
        qtbot.addWidget(page)
        page.resize(760, 720)
        page.show()
        return page

    return show


@pytest.fixture
def page(store: Store, services: PageServices, shown: Callable[[QWidget], QWidget]) -> ContributionsPage:
    """The Contributions page, shown."""
    assert store is not None
    page = shown(ContributionsPage(services))
    assert isinstance(page, ContributionsPage)
    return page
