"""Submitting a contribution: a dialog that is answered by voice, and what it stores."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from desk_calls import Desk
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.agent.errors import ToolError
from app.pages.contributions import ContributionsPage
from app.pages.services import PageServices
from app.pages.submit_dialog import SubmitDialog
from app.store.store import Store

Show = Callable[[QWidget], QWidget]


def dialog_of(page: ContributionsPage) -> SubmitDialog:
    dialog = page.findChild(SubmitDialog)
    assert isinstance(dialog, SubmitDialog)
    return dialog


def test_submit_by_voice_and_undo(page: ContributionsPage, desk: Desk, store: Store) -> None:
    desk.undo.begin("run", "submit to conference")
    assert desk.call("click", "Submit to conference") == "Choose the conference, then press Submit."
    assert not desk.view("Save").available
    assert desk.view("Save").reason == "the dialog “Submit to conference” has to be answered first"
    names = desk.state("Conference")["choices"]
    assert isinstance(names, tuple)
    desk.call("choose", "Conference", value=str(names[1]))
    assert str(names[1]) in desk.preview("click", "Submit").effect
    desk.call("click", "Submit")
    desk.undo.end("run")
    made = store.submissions_of(page.key)[-1]
    assert made.fields["sent_title"] == page.selected_title
    assert f"{names[1]} (Draft)" in page.submissions.text()
    assert desk.view("Save").available
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert "Conference" not in desk.labels()
    count = len(store.submissions_of(page.key))
    desk.undo.undo()
    assert len(store.submissions_of(page.key)) == count - 1
    assert f"{names[1]} (Draft)" not in page.submissions.text()
    desk.undo.redo()
    assert len(store.submissions_of(page.key)) == count


def test_what_was_sent_stays_as_it_was(page: ContributionsPage, desk: Desk, store: Store) -> None:
    before = page.selected_title
    desk.call("click", "Submit to conference")
    desk.call("click", "Submit")
    desk.call("fill", "Title", value="A later title")
    desk.call("click", "Save")
    assert store.submissions_of(page.key)[-1].fields["sent_title"] == before


def test_cancel_submits_nothing(page: ContributionsPage, desk: Desk, store: Store) -> None:
    count = len(store.submissions_of(page.key))
    desk.call("click", "Submit to conference")
    desk.call("click", "Cancel")
    assert not dialog_of(page).isVisible()
    desk.call("click", "Submit to conference")
    QTest.keyClick(page.findChildren(SubmitDialog)[-1], Qt.Key.Key_Escape)
    assert len(store.submissions_of(page.key)) == count
    assert desk.view("Save").available


def test_twice_to_the_same_conference_is_refused_in_the_dialog(
    page: ContributionsPage, desk: Desk, store: Store
) -> None:
    for _ in range(2):
        desk.call("click", "Submit to conference")
        choices = desk.state("Conference")["choices"]
        assert isinstance(choices, tuple)
        desk.call("choose", "Conference", value=str(choices[2]))
        if _ == 0:
            desk.call("click", "Submit")
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    count = len(store.submissions_of(page.key))
    with pytest.raises(ToolError):
        desk.call("click", "Submit")
    assert dialog_of(page).isVisible()
    assert dialog_of(page).error
    assert len(store.submissions_of(page.key)) == count


def test_a_new_contribution_is_saved_first(page: ContributionsPage, desk: Desk) -> None:
    desk.call("click", "New contribution")
    with pytest.raises(ToolError, match="Save the new contribution first"):
        desk.call("click", "Submit to conference")
    assert page.findChild(SubmitDialog) is None


def test_without_conferences_it_says_where_to_add_one(services: PageServices, desk: Desk, shown: Show) -> None:
    page = shown(ContributionsPage(services))
    services.store.save("contribution", None, {"title": "A talk"})
    assert isinstance(page, ContributionsPage)
    page.refresh()
    page.select_first()
    with pytest.raises(ToolError, match="Conferences page"):
        desk.call("click", "Submit to conference")
