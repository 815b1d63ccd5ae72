"""A page of many records reads titles first, each record when it is shown, and nothing where nothing was changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from sqlalchemy import Engine, event

from app.pages.book import RecordBook
from app.pages.contributions import ContributionsPage
from app.pages.services import PageServices
from app.store import rows
from app.store.database import Database
from app.store.store import Store

MANY = 300


@pytest.fixture
def many(store: Store, database: Database) -> Store:
    """Many contributions beside the samples."""
    speakers = [each.id for each in store.list("speaker")]
    with database.writing() as session:
        for number in range(MANY):
            rows.create(session, "contribution", {"title": f"Talk {number}", "speakers": speakers[:2]})
    return store


@contextmanager
def statements(database: Database) -> Iterator[list[str]]:
    """What is asked of the database meanwhile."""
    asked: list[str] = []
    engine: Engine = database._engine

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        if statement.startswith("SELECT"):
            asked.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    yield asked
    event.remove(engine, "before_cursor_execute", note)


def full(asked: list[str]) -> list[str]:
    """The statements that read whole contributions."""
    return [each for each in asked if "contributions.abstract" in each]


def test_making_a_page_reads_one_record_whole(
    many: Store, database: Database, services: PageServices, shown: Callable[[QWidget], QWidget]
) -> None:
    assert many is not None
    with statements(database) as asked:
        page = ContributionsPage(services)
    assert len(full(asked)) == 1
    assert "contributions.id = ?" in full(asked)[0]
    shown(page)
    assert len(page.book.order()) > MANY
    assert page.book.title(page.book.order()[-1]) == f"Talk {MANY - 1}"


def test_showing_it_again_asks_the_database_in_a_turn_of_its_own_and_reads_no_record_while_nothing_was_changed(
    many: Store, database: Database, services: PageServices, shown: Callable[[QWidget], QWidget], qtbot: QtBot
) -> None:
    assert many is not None
    page = shown(ContributionsPage(services))
    page.hide()
    with statements(database) as asked:
        page.show()
        assert not asked
        qtbot.waitUntil(lambda: bool(asked))
    assert full(asked) == []
    assert not any("contributions.title" in each for each in asked)


def test_what_others_change_is_read_when_it_is_shown(
    many: Store, other: Store, services: PageServices, shown: Callable[[QWidget], QWidget]
) -> None:
    page = shown(ContributionsPage(services))
    assert isinstance(page, ContributionsPage)
    last = many.list("contribution")[-1]
    other.save("contribution", last.id, {"title": "Renamed", "abstract": "Other words"})
    other.delete("contribution", many.list("contribution")[-2].id)
    count = len(page.book.order())
    page.refresh()
    assert len(page.book.order()) == count - 1
    assert page.book.title(last.id) == "Renamed"
    page.list.select(last.id)
    assert page.book.values(last.id)["abstract"] == "Other words"


def test_a_record_that_others_changed_before_it_was_read_shows_as_changed_elsewhere(
    many: Store, other: Store, services: PageServices
) -> None:
    last = many.list("contribution")[-1]
    book = RecordBook(services, "contribution")
    book.entry(last.id)
    book.edit(last.id, "level", "Advanced")
    book.keep_drafts()
    again = RecordBook(services, "contribution")
    other.save("contribution", last.id, {"abstract": "Other words"})
    entry = again.entry(last.id)
    assert entry.moved
    assert again.values(last.id)["abstract"] == "Other words"
    assert again.values(last.id)["level"] == "Advanced"
    for each in (book, again):
        each.keep_drafts()


def test_who_is_in_the_bin_keeps_their_name_in_the_field(
    many: Store, services: PageServices, shown: Callable[[QWidget], QWidget]
) -> None:
    last = many.list("contribution")[-1]
    gone = many.list("speaker")[0]
    many.delete("speaker", gone.id)
    page = shown(ContributionsPage(services))
    assert isinstance(page, ContributionsPage)
    page.list.select(last.id)
    shown_names = page.form.shown()["Speakers"]
    assert isinstance(shown_names, list)
    assert f"{gone.title} (in the bin)" in shown_names
