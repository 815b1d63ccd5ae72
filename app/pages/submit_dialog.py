"""Asks for the conference that a contribution is submitted to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.pages.changes import in_words
from app.pages.services import PageServices
from app.store.records import Record
from app.widgets.adoption import VoiceEnabled
from app.widgets.command_button import CommandAdapter, CommandButton
from app.widgets.theme import GRID, Colours
from app.widgets.theme.paint import make_primary, set_label_colour

_WIDTH = 400


class SubmitDialog(QDialog):
    """A window-modal question. Show it with `open()`."""

    submitted = Signal(object)
    """The submission's Record."""

    def __init__(
        self,
        parent: QWidget,
        services: PageServices,
        contribution: Record,
        conferences: Sequence[Record],
        *,
        unsaved: bool,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Submit to conference")
        self.setMinimumWidth(_WIDTH)
        self._services = services
        self._contribution = contribution
        self._ids = [record.id for record in conferences]
        what = f"A copy of “{contribution.title}” is kept as it was sent."
        if unsaved:
            what += " Your unsaved changes are not in it: save first to send them."
        text = QLabel(what)
        text.setWordWrap(True)
        self.conference = QComboBox()
        self.conference.addItems([record.title for record in conferences])
        self._error = QLabel()
        self._error.setWordWrap(True)
        set_label_colour(self._error, Colours.of(self.palette()).danger)
        self._error.hide()
        self.submit = CommandButton("Su&bmit", "submit", self._submit, self._effect)
        self.submit.setDefault(True)
        self.submit.refused.connect(self._on_refused)
        make_primary(self.submit, Colours.of(self.palette()))
        self.submit.set_icon_role("on_accent")
        cancel = QPushButton("Cancel")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        form = QFormLayout()
        form.addRow("C&onference", self.conference)
        buttons = QHBoxLayout()
        buttons.addStretch()
        buttons.addWidget(self.submit)
        buttons.addWidget(cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID * 2)
        layout.setSpacing(GRID * 2)
        layout.addWidget(text)
        layout.addLayout(form)
        layout.addWidget(self._error)
        layout.addLayout(buttons)
        CommandAdapter(self.submit, services.voice)
        VoiceEnabled(self, services.voice)

    @property
    def error(self) -> str:
        """Why it was refused, or an empty string."""
        return self._error.text()

    def _submit(self) -> str:
        conference = self._ids[self.conference.currentIndex()]
        made = in_words(lambda: self._services.store.submit(self._contribution.id, conference))
        self.submitted.emit(made)
        self.accept()
        return f"“{self._contribution.title}” is submitted to {self.conference.currentText()}."

    def _effect(self) -> str:
        return f"Keeps a copy of “{self._contribution.title}” as sent to {self.conference.currentText()}."

    def _on_refused(self, message: str) -> None:
        self._error.setText(message)
        self._error.show()
