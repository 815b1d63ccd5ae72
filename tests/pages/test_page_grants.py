"""What is always allowed, in Settings: listed from the database, revoked by hand, out of the assistant's reach."""

from __future__ import annotations

import pytest
from desk_calls import Desk
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from sqlalchemy import text

from app.pages.grants_section import GrantsSection
from app.pages.settings_page import SettingsPage
from app.store.database import Database
from app.store.grants import Grants


@pytest.fixture
def grants(database: Database) -> Grants:
    return Grants(database)


@pytest.fixture
def section(settings_page: SettingsPage) -> GrantsSection:
    return settings_page.grants


def names(section: GrantsSection) -> list[str]:
    return [button.accessibleName() for button in section.revoke_buttons]


def test_nothing_allowed_says_how_something_would_be(section: GrantsSection) -> None:
    assert section.status.text() == "Nothing is always allowed. “Always allow” on the card of an action adds it here."
    assert section.revoke_buttons == []
    assert section.revoke_all.isHidden()


def test_one_is_revoked_and_the_others_stay(
    section: GrantsSection, grants: Grants, settings_page: SettingsPage
) -> None:
    grants.allow("choose", "Contributions/Status", "Choose Status on Contributions")
    grants.allow("click", "Contributions/Save", "Click Save on Contributions")
    settings_page.refresh()
    assert names(section) == ["Revoke: Choose Status on Contributions", "Revoke: Click Save on Contributions"]
    QTest.mouseClick(section.revoke_buttons[0], Qt.MouseButton.LeftButton)
    assert [grant.tool for grant in grants.list()] == ["click"]
    assert names(section) == ["Revoke: Click Save on Contributions"]
    assert section.revoke_buttons[0].hasFocus(), "the keyboard stays in the list"
    assert section.revoke_all.isHidden()


def test_all_are_revoked_at_once(section: GrantsSection, grants: Grants) -> None:
    for label in ("Save", "Submit", "Status"):
        grants.allow("click", f"Contributions/{label}", label)
    section.refresh()
    # One that came meanwhile goes, too.
    grants.allow("click", "Speakers/Save", "Save")
    QTest.mouseClick(section.revoke_all, Qt.MouseButton.LeftButton)
    assert grants.list() == ()
    assert "Nothing is always allowed" in section.status.text()


def test_a_grant_without_a_label_is_still_named(section: GrantsSection, grants: Grants) -> None:
    grants.allow("find_tools", "*")
    section.refresh()
    assert names(section) == ["Revoke: find_tools on *"]


def test_the_assistant_does_not_reach_it(section: GrantsSection, grants: Grants, desk: Desk) -> None:
    grants.allow("click", "Contributions/Save", "Save")
    grants.allow("click", "Contributions/Delete", "Delete")
    section.refresh()
    assert section.revoke_all.isVisible()
    assert [label for label in desk.labels() if "Revoke" in label] == []


def test_a_database_that_fails_is_told_and_nothing_is_shown_as_revoked(
    section: GrantsSection, grants: Grants, database: Database
) -> None:
    grants.allow("click", "Contributions/Save", "Save")
    section.refresh()
    with database.writing() as session:
        session.execute(text("ALTER TABLE grants RENAME TO gone"))
    QTest.mouseClick(section.revoke_buttons[0], Qt.MouseButton.LeftButton)
    assert section.status.text() == "The database could not do that. Nothing was saved."
    assert section.status.tone == "danger"
    assert len(section.revoke_buttons) == 1
    section.refresh()
    assert section.status.tone == "danger"
    assert section.revoke_buttons == []
