"""Journeys over the screens of records: edit, save, discard, delete, undo; what is stored is read from the file."""

from __future__ import annotations

import gc
import sqlite3
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from desk_calls import Desk
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.agent.errors import ToolError
from app.pages.collections import CollectionsPage
from app.pages.conferences import ConferencesPage
from app.pages.contributions import ContributionsPage
from app.pages.record_page import RecordPage
from app.pages.services import PageServices
from app.pages.speakers import SpeakersPage
from app.store.fields import KIND_INFO
from app.store.store import Store
from app.widgets.theme import COLOURS

FIRST = "Fine-grained voice control for your app"
SECOND = "Agents that ask first"
Show = Callable[[QWidget], QWidget]


def stored(tmp_path: Path, table: str, title: str, column: str) -> object:
    """A value as it is in the file, read without any of our code."""
    key = "title" if table == "contributions" else "name"
    connection = sqlite3.connect(tmp_path / "records.db")
    try:
        row = connection.execute(f"select {column} from {table} where {key} = ?", (title,)).fetchone()
    finally:
        connection.close()
    return row[0] if row else None


def fields(page: RecordPage) -> dict[str, object]:
    state = page.current_state()["fields"]
    assert isinstance(state, dict)
    return state


@pytest.mark.parametrize(
    ("kind", "make", "buttons"),
    [
        (
            "contribution",
            ContributionsPage,
            ["New contribution", "Save", "Discard changes", "Delete", "Submit to conference"],
        ),
        ("conference", ConferencesPage, ["New conference", "Save", "Discard changes", "Delete"]),
        ("speaker", SpeakersPage, ["New speaker", "Save", "Discard changes", "Delete"]),
        ("collection", CollectionsPage, ["New collection", "Save", "Discard changes", "Delete"]),
    ],
)
def test_a_page_has_the_labels_of_the_design(
    store: Store,
    services: PageServices,
    desk: Desk,
    shown: Show,
    kind: str,
    make: Callable[[PageServices], RecordPage],
    buttons: list[str],
) -> None:
    assert store is not None
    page = shown(make(services))
    assert isinstance(page, RecordPage)
    info = next(info for info in KIND_INFO.values() if info.kind == kind)
    assert page.page_name == info.page
    snapshot = desk.registry.snapshot()
    clickable = [view.label for view in snapshot.available("click")]
    assert clickable == buttons
    for field in info.fields:
        view = desk.view(field.label)
        assert view.available, view.reason
        assert view.aliases == field.aliases
    assert [view.label for view in snapshot.available("open_item")] == [info.page]
    assert list(fields(page)) == [field.label for field in info.fields]
    assert page.selected_title == desk.items(info.page)[0]


def test_status_accepted_and_save_in_one_utterance(page: ContributionsPage, desk: Desk, tmp_path: Path) -> None:
    assert page.selected_title == FIRST
    before = stored(tmp_path, "contributions", FIRST, "status")
    assert before != "Accepted"
    desk.undo.begin("run", "set the status to accepted and save")
    assert desk.call("choose", "Status", value="accepted") == "Status is Accepted."
    assert stored(tmp_path, "contributions", FIRST, "status") == before, "not stored before Save"
    assert desk.preview("click", "Save").effect == f"Stores Status of “{FIRST}”."
    assert desk.call("click", "Save") == f"“{FIRST}” is saved."
    desk.undo.end("run")
    assert stored(tmp_path, "contributions", FIRST, "status") == "Accepted"
    assert not page.book.is_edited(page.key)
    assert desk.undo.undo() == "set the status to accepted and save"
    assert stored(tmp_path, "contributions", FIRST, "status") == before
    assert fields(page)["Status"] == before
    assert not page.book.is_edited(page.key)
    desk.undo.redo()
    assert stored(tmp_path, "contributions", FIRST, "status") == "Accepted"
    assert fields(page)["Status"] == "Accepted"


def test_every_field_of_a_contribution_by_voice(page: ContributionsPage, desk: Desk, tmp_path: Path) -> None:
    desk.call("fill", "Title", value="Voice control for everyone")
    desk.call("fill", "Abstract", value="A new text.")
    desk.call("fill", "Duration", value="forty five minutes")
    desk.call("fill", "Tags", value="voice, qt and python")
    desk.call("choose", "Level", value="advanced")
    desk.call("choose", "Format", value="lightning talk")
    desk.call("choose", "Language", value="German")
    desk.call("click", "Save")
    title = "Voice control for everyone"
    assert stored(tmp_path, "contributions", title, "abstract") == "A new text."
    assert stored(tmp_path, "contributions", title, "duration_minutes") == 45
    assert stored(tmp_path, "contributions", title, "level") == "Advanced"
    assert stored(tmp_path, "contributions", title, "format") == "Lightning talk"
    assert fields(page)["Tags"] == ["voice", "qt", "python"]
    desk.call("fill", "Tags", value="")
    assert fields(page)["Tags"] == []
    for _ in range(9):
        desk.undo.undo()
    assert page.selected_title == FIRST
    assert not page.book.is_edited(page.key)
    assert stored(tmp_path, "contributions", FIRST, "format") == "Talk"


@pytest.mark.parametrize(
    ("make", "label", "value"),
    [
        (ContributionsPage, "Duration", "Berlin"),
        (ContributionsPage, "Duration", "5000"),
        (ConferencesPage, "Starts on", "Berlin"),
        (ConferencesPage, "Website", "not an address"),
        (SpeakersPage, "Email", "Berlin"),
        (ContributionsPage, "Speakers", "Nobody Of That Name"),
    ],
)
def test_a_value_that_its_field_refuses_changes_nothing(
    store: Store,
    services: PageServices,
    desk: Desk,
    shown: Show,
    make: Callable[[PageServices], RecordPage],
    label: str,
    value: str,
) -> None:
    assert store is not None
    page = shown(make(services))
    assert isinstance(page, RecordPage)
    before = fields(page)
    with pytest.raises(ToolError):
        desk.preview("fill", label, value=value)
    with pytest.raises(ToolError):
        desk.call("fill", label, value=value)
    assert fields(page) == before
    assert not page.book.is_edited(page.key)
    assert not desk.undo.undo_text


def test_typing_a_word_is_one_entry_to_undo(page: ContributionsPage, desk: Desk) -> None:
    edit = page.form.editor("title").widget
    assert isinstance(edit, QLineEdit)
    edit.selectAll()
    QTest.keyClicks(edit, "Hello")
    assert fields(page)["Title"] == "Hello"
    page.form.editor("abstract").widget.setFocus()
    desk.call("choose", "Level", value="Beginner")
    desk.undo.undo()
    assert fields(page)["Title"] == "Hello"
    desk.undo.undo()
    assert fields(page)["Title"] == FIRST
    assert not desk.undo.undo_text


def test_save_with_nothing_to_save_says_so(page: ContributionsPage, desk: Desk) -> None:
    assert desk.view("Save").available
    with pytest.raises(ToolError, match="nothing to save"):
        desk.call("click", "Save")
    QTest.mouseClick(page.save, Qt.MouseButton.LeftButton)
    assert page.heading.text == "There is nothing to save: no field was changed."


def test_a_refused_save_shows_the_message_at_the_field(page: ContributionsPage, desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="can't be empty"):
        desk.call("fill", "Title", value="")
    edit = page.form.editor("title").widget
    assert isinstance(edit, QLineEdit)
    edit.clear()
    desk.call("choose", "Level", value="Beginner")
    with pytest.raises(ToolError, match=r"Nothing was saved. Title is needed."):
        desk.call("click", "Save")
    assert page.form.error("title") == "Title is needed."
    assert page.form.error("level") == ""
    assert stored(tmp_path, "contributions", FIRST, "level") != "Beginner"
    assert page.book.is_edited(page.key), "what was typed is still there"
    desk.call("fill", "Title", value="A title")
    assert page.form.error("title") == ""
    desk.call("click", "Save")
    assert stored(tmp_path, "contributions", "A title", "level") == "Beginner"


def test_a_date_typed_by_hand_is_understood_or_refused_at_save(
    store: Store, services: PageServices, shown: Show, tmp_path: Path
) -> None:
    assert store is not None
    page = shown(ConferencesPage(services))
    assert isinstance(page, ConferencesPage)
    name = page.selected_title
    before = stored(tmp_path, "conferences", name, "cfp_closes_on")
    edit = page.form.editor("cfp_closes_on").widget
    assert isinstance(edit, QLineEdit)
    edit.clear()
    QTest.keyClicks(edit, "Berlin")
    edit.editingFinished.emit()
    QTest.mouseClick(page.save, Qt.MouseButton.LeftButton)
    assert "takes a date" in page.form.error("cfp_closes_on")
    assert edit.text() == "Berlin"
    assert stored(tmp_path, "conferences", name, "cfp_closes_on") == before
    edit.clear()
    QTest.keyClicks(edit, "3 May 2027")
    edit.editingFinished.emit()
    assert edit.text() == "2027-05-03"
    QTest.mouseClick(page.save, Qt.MouseButton.LeftButton)
    assert stored(tmp_path, "conferences", name, "cfp_closes_on") == "2027-05-03"


def test_discard_brings_the_stored_values_back_and_undo_the_changes(page: ContributionsPage, desk: Desk) -> None:
    desk.call("fill", "Title", value="Something else")
    desk.call("choose", "Level", value="Beginner")
    desk.call("click", "Discard changes")
    assert page.selected_title == FIRST
    assert not page.book.is_edited(page.key)
    with pytest.raises(ToolError, match="nothing to discard"):
        desk.call("click", "Discard changes")
    desk.undo.undo()
    assert fields(page)["Title"] == "Something else"
    assert fields(page)["Level"] == "Beginner"


def test_going_to_another_record_loses_nothing(page: ContributionsPage, desk: Desk) -> None:
    desk.call("fill", "Title", value="Something else")
    desk.call("open_item", "Contributions", value=SECOND)
    assert page.selected_title == SECOND
    desk.call("choose", "Level", value="Beginner")
    assert "Something else" in desk.items("Contributions")
    desk.call("click", "Save")
    page.select_first()
    assert fields(page)["Title"] == "Something else"
    assert page.book.is_edited(page.key), "Save stored the other record only"


def test_undo_shows_the_record_it_changes(page: ContributionsPage, desk: Desk) -> None:
    desk.call("fill", "Title", value="Something else")
    desk.call("open_item", "Contributions", value=SECOND)
    desk.undo.undo()
    assert page.selected_title == FIRST


def test_delete_and_undo(page: ContributionsPage, desk: Desk, tmp_path: Path) -> None:
    desk.call("choose", "Level", value="Beginner")
    before = desk.items("Contributions")
    assert desk.preview("click", "Delete").effect == f"Moves “{FIRST}” to the bin."
    desk.call("click", "Delete")
    assert desk.items("Contributions") == before[1:]
    assert page.selected_title == SECOND
    assert stored(tmp_path, "contributions", FIRST, "deleted_at") is not None
    desk.undo.undo()
    assert desk.items("Contributions") == before
    assert page.selected_title == FIRST
    assert fields(page)["Level"] == "Beginner", "unsaved changes come back too"
    assert stored(tmp_path, "contributions", FIRST, "deleted_at") is None
    desk.undo.redo()
    assert stored(tmp_path, "contributions", FIRST, "deleted_at") is not None


def test_a_new_record(page: ContributionsPage, desk: Desk, tmp_path: Path) -> None:
    count = len(desk.items("Contributions"))
    desk.call("click", "New contribution")
    assert page.selected_title == "New contribution"
    assert fields(page)["Status"] == "Draft"
    assert stored(tmp_path, "contributions", "Brand new", "title") is None
    desk.call("fill", "Title", value="Brand new")
    desk.call("click", "Save")
    assert stored(tmp_path, "contributions", "Brand new", "status") == "Draft"
    desk.undo.undo()
    assert stored(tmp_path, "contributions", "Brand new", "title") is None
    assert fields(page)["Title"] == "Brand new", "the form still holds it"
    desk.undo.redo()
    assert stored(tmp_path, "contributions", "Brand new", "status") == "Draft"
    for _ in range(3):
        desk.undo.undo()
    assert len(desk.items("Contributions")) == count
    assert page.selected_title != "New contribution"


def test_a_new_record_can_be_given_up(page: ContributionsPage, desk: Desk) -> None:
    for button in ("Discard changes", "Delete"):
        before = desk.items("Contributions")
        desk.call("click", "New contribution")
        desk.call("click", button)
        assert desk.items("Contributions") == before
        desk.undo.undo()
        assert page.selected_title == "New contribution"
        desk.undo.redo()
        assert desk.items("Contributions") == before


def test_drafts_survive_the_page_and_the_program(
    page: ContributionsPage, desk: Desk, services: PageServices, shown: Show
) -> None:
    desk.call("fill", "Title", value="Unfinished")
    desk.call("fill", "Tags", value="one, two")
    desk.call("click", "New contribution")
    desk.call("fill", "Abstract", value="Only this so far")
    page.close_down()
    page.hide()
    again = shown(ContributionsPage(services))
    assert isinstance(again, ContributionsPage)
    assert again.selected_title == "Unfinished"
    assert fields(again)["Tags"] == ["one", "two"]
    assert again.book.is_edited(again.key)
    again.list.select(again.book.order()[-1])
    assert fields(again)["Abstract"] == "Only this so far"
    assert again.selected_title == "New contribution"


def test_drafts_are_written_after_a_pause(
    page: ContributionsPage, desk: Desk, services: PageServices, qtbot: QtBot
) -> None:
    desk.call("fill", "Title", value="Unfinished")
    drafts = services.drafts
    assert drafts is not None
    assert drafts.load() == ()
    qtbot.waitUntil(lambda: len(drafts.load()) == 1)
    assert drafts.load()[0].fields == {"title": "Unfinished"}
    desk.call("click", "Discard changes")
    page.close_down()
    assert drafts.load() == ()


def test_reset_drops_what_was_not_saved(page: ContributionsPage, desk: Desk) -> None:
    desk.call("fill", "Title", value="Unfinished")
    desk.call("click", "New contribution")
    page.reset()
    assert page.selected_title == FIRST
    assert not page.book.is_edited(page.key)


def test_a_record_changed_elsewhere_is_not_overwritten(
    page: ContributionsPage, desk: Desk, other: Store, tmp_path: Path
) -> None:
    record = next(each for each in other.list("contribution") if each.title == FIRST)
    desk.call("choose", "Level", value="Beginner")
    other.save("contribution", record.id, {"level": "Advanced", "language": "Spanish"})
    with pytest.raises(ToolError, match="Nothing was saved"):
        desk.call("click", "Save")
    assert stored(tmp_path, "contributions", FIRST, "level") == "Advanced"
    assert fields(page)["Language"] == "Spanish", "what was not edited here is shown as it is now"
    assert fields(page)["Level"] == "Beginner", "what was edited here is kept"
    assert page.book.entry(page.key).moved
    desk.call("click", "Save")
    assert stored(tmp_path, "contributions", FIRST, "level") == "Beginner"
    assert stored(tmp_path, "contributions", FIRST, "language") == "Spanish"


def test_a_change_made_elsewhere_is_told_when_the_page_is_shown(
    page: ContributionsPage, desk: Desk, other: Store, qtbot: QtBot
) -> None:
    record = next(each for each in other.list("contribution") if each.title == FIRST)
    desk.call("choose", "Level", value="Beginner")
    page.hide()
    other.save("contribution", record.id, {"level": "Advanced"})
    page.show()
    qtbot.waitUntil(lambda: page.heading.text.startswith("Changed elsewhere"))
    assert fields(page)["Level"] == "Beginner"


def test_undoing_a_save_does_not_overwrite_what_came_after(
    page: ContributionsPage, desk: Desk, other: Store, tmp_path: Path
) -> None:
    assert page is not None
    desk.call("choose", "Level", value="Beginner")
    desk.call("click", "Save")
    record = next(each for each in other.list("contribution") if each.title == FIRST)
    other.save("contribution", record.id, {"level": "Advanced"})
    with pytest.raises(ToolError, match="changed"):
        desk.undo.undo()
    assert stored(tmp_path, "contributions", FIRST, "level") == "Advanced"


def test_a_record_deleted_elsewhere_goes(page: ContributionsPage, desk: Desk, other: Store) -> None:
    record = next(each for each in other.list("contribution") if each.title == SECOND)
    other.delete("contribution", record.id)
    page.refresh()
    assert SECOND not in desk.items("Contributions")


def test_speakers_of_a_contribution_by_name(page: ContributionsPage, desk: Desk, services: PageServices) -> None:
    names = desk.state("Speakers")["choices"]
    assert isinstance(names, tuple)
    assert len(names) >= 2
    one, two = str(names[0]), str(names[1])
    desk.call("fill", "Speakers", value=f"{two} and {one}")
    assert fields(page)["Speakers"] == [two, one]
    desk.call("click", "Save")
    record = services.store.get("contribution", page.key)
    speakers = {each.title: each.id for each in services.store.list("speaker")}
    assert record.fields["speakers"] == (speakers[two], speakers[one])
    desk.call("fill", "Title", value="Another title")
    desk.call("click", "Save")
    assert services.store.get("contribution", page.key).fields["speakers"] == (speakers[two], speakers[one])
    with pytest.raises(ToolError, match="There is no speaker called “Zaphod”"):
        desk.call("fill", "Speakers", value=f"{one} and Zaphod")
    assert fields(page)["Speakers"] == [two, one]


def test_a_speaker_in_the_bin_is_not_dropped(
    page: ContributionsPage, desk: Desk, other: Store, services: PageServices
) -> None:
    names = desk.state("Speakers")["choices"]
    assert isinstance(names, tuple)
    desk.call("fill", "Speakers", value=f"{names[0]} and {names[1]}")
    desk.call("click", "Save")
    before = services.store.get("contribution", page.key).fields["speakers"]
    gone = next(each for each in other.list("speaker") if each.title == names[0])
    other.delete("speaker", gone.id)
    page.refresh()
    desk.call("fill", "Title", value="Another title")
    desk.call("click", "Save")
    assert services.store.get("contribution", page.key).fields["speakers"] == before
    assert fields(page)["Speakers"] == [f"{names[0]} (in the bin)", names[1]]


def test_the_search_narrows_the_list_and_open_finds_all(page: ContributionsPage, desk: Desk) -> None:
    desk.call("fill", "Search", value="whisper")
    assert page.list.proxy.rowCount() == 1
    assert page.selected_title == FIRST, "the form keeps its record"
    desk.call("open_item", "Contributions", value=SECOND)
    assert page.selected_title == SECOND
    assert page.list.search.text() == ""


def test_an_empty_page_invites(services: PageServices, desk: Desk, shown: Show) -> None:
    page = shown(SpeakersPage(services))
    assert isinstance(page, SpeakersPage)
    assert page.empty.isVisible()
    assert page.current_state() == {"page": "Speakers", "fields": {}}
    for button in ("Save", "Discard changes", "Delete"):
        with pytest.raises(ToolError, match="There is no speaker yet"):
            desk.call("click", button)
    QTest.mouseClick(page.empty.action, Qt.MouseButton.LeftButton)
    assert not page.empty.isVisible()
    desk.call("fill", "Name", value="Jane Doe")
    desk.call("click", "Save")
    assert desk.items("Speakers") == ["Jane Doe"]


def test_a_page_that_is_not_in_front_is_not_offered(page: ContributionsPage, desk: Desk) -> None:
    page.hide()
    assert desk.labels() == []


def test_pages_that_are_closed_leave_nothing(store: Store, services: PageServices, desk: Desk) -> None:
    assert store is not None
    gone = []
    for _ in range(10):
        for make in (ContributionsPage, ConferencesPage):
            page = make(services)
            page.show()
            desk.registry.snapshot()
            gone.append(weakref.ref(page))
            page.close()
            page.deleteLater()
            del page
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert desk.labels() == []
    assert [each for each in gone if each() is not None] == []


def test_colours_follow_a_change_of_the_scheme(page: ContributionsPage, qapp: QApplication) -> None:
    edit = page.form.editor("title").widget
    assert isinstance(edit, QLineEdit)
    edit.clear()
    page.save.click()
    before = qapp.palette()
    try:
        for scheme in ("light", "dark", "high_contrast"):
            colours = COLOURS[scheme]
            qapp.setPalette(colours.palette())
            # Qt posts the news to the widgets.
            QCoreApplication.processEvents()
            for label in (page.form.error_line("title"), page.heading.note):
                assert label.text()
                assert label.palette().color(QPalette.ColorRole.WindowText) == QColor(colours.danger)
            assert page.save.palette().color(QPalette.ColorRole.Button) == QColor(colours.accent)
    finally:
        qapp.setPalette(before)
