"""What is always allowed, on the Settings page: a list, and Revoke for each. By hand only."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QDate, QLocale, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.pages.note import Note
from app.store.errors import StoreError
from app.store.grants import Grant, Grants
from app.widgets.adoption import leave_out
from app.widgets.theme import GRID

_EMPTY = "Nothing is always allowed. “Always allow” on the card of an action adds it here."
_ABOUT = "These are done without asking:"


class GrantsSection(QWidget):
    """A row for each grant. No tool of voice or assistant reaches it: they must not widen what they may do, and what
    narrows it should be as plain.

    Args:
        grants: Those of the database.
    """

    revoked = Signal()
    """There are fewer now."""

    def __init__(self, grants: Grants) -> None:
        super().__init__()
        leave_out(self)
        self._grants = grants
        self.status = Note()
        self.revoke_all = QPushButton("Revoke all")
        self.revoke_all.setAutoDefault(False)
        self.revoke_all.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.revoke_all.clicked.connect(self._on_revoke_all)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GRID)
        self.revoke_buttons: list[QPushButton] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.status)
        layout.addLayout(self._rows)
        layout.addWidget(self.revoke_all)
        self.revoke_all.hide()

    def refresh(self) -> None:
        """Reads the list again."""
        try:
            grants = self._grants.list()
        except StoreError as error:
            self._show(())
            self.status.say(str(error), "danger")
            return
        self._show(grants)
        self.status.say(_ABOUT if grants else _EMPTY)

    def _show(self, grants: tuple[Grant, ...]) -> None:
        while (item := self._rows.takeAt(0)) is not None:
            row = item.widget()
            if row is not None:
                row.hide()
                row.deleteLater()
        self.revoke_buttons.clear()
        for grant in grants:
            self._rows.addWidget(self._row(grant))
        self.revoke_all.setVisible(len(grants) > 1)

    def _row(self, grant: Grant) -> QWidget:
        row = QWidget()
        words = QLabel(_words(grant))
        words.setWordWrap(True)
        since = Note(f"since {_day(grant)}")
        button = QPushButton("Revoke")
        button.setAutoDefault(False)
        button.setAccessibleName(f"Revoke: {_words(grant)}")
        button.clicked.connect(partial(self._revoke, (grant,)))
        self.revoke_buttons.append(button)
        layout = QHBoxLayout(row)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(words, 1)
        layout.addWidget(since)
        layout.addWidget(button)
        return row

    def _on_revoke_all(self) -> None:
        self._revoke(self._listed())

    def _listed(self) -> tuple[Grant, ...]:
        try:
            return self._grants.list()
        except StoreError as error:
            self.status.say(str(error), "danger")
            return ()

    def _revoke(self, grants: tuple[Grant, ...], _checked: bool = False) -> None:
        try:
            for grant in grants:
                self._grants.revoke(grant.tool, grant.target)
        except StoreError as error:
            self.status.say(str(error), "danger")
            return
        self.refresh()
        if self.revoke_buttons:
            self.revoke_buttons[0].setFocus()
        self.revoked.emit()


def _words(grant: Grant) -> str:
    return grant.label or f"{grant.tool} on {grant.target}"


def _day(grant: Grant) -> str:
    at = grant.created_at.astimezone()
    return QLocale().toString(QDate(at.year, at.month, at.day), QLocale.FormatType.ShortFormat)
