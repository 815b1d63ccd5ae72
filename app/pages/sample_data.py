"""Adds and removes the sample records, and says where the data is."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.pages.changes import in_words
from app.pages.note import Note
from app.store.database import Database
from app.store.samples import remove_samples, seed_samples
from app.widgets.command_button import CommandAdapter, CommandButton, IrreversibleAdapter
from app.widgets.context import VoiceContext
from app.widgets.flow_layout import FlowLayout
from app.widgets.theme import GRID

_PLACES = {
    "sqlite": "Your records are in a file on this machine.",
    "postgresql": "Your records are on a PostgreSQL server.",
}


class SampleDataRow(QWidget):
    """Two buttons and a line that says what they did."""

    def __init__(self, voice: VoiceContext, database: Database) -> None:
        super().__init__()
        self._database = database
        place = QLabel(_PLACES[database.kind])
        place.setWordWrap(True)
        self.status = Note()
        buttons = QWidget()
        row = FlowLayout(buttons, spacing=GRID)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(place)
        layout.addWidget(buttons)
        layout.addWidget(self.status)
        for button, kind in (
            (CommandButton("Add sample data", "add", self._add, self._effect_of_add), CommandAdapter),
            (CommandButton("Remove sample data", "delete", self._remove, self._effect_of_remove), IrreversibleAdapter),
        ):
            kind(button, voice)
            button.done.connect(self.status.say)
            button.refused.connect(self.status.say)
            row.addWidget(button)

    def _add(self) -> str:
        added = in_words(lambda: seed_samples(self._database))
        return f"{added} sample records were added." if added else "The sample records are there already."

    def _remove(self) -> str:
        gone = in_words(lambda: remove_samples(self._database))
        kept = f" {gone.kept} that you changed or use were kept." if gone.kept else ""
        return f"{gone.removed} sample records were removed.{kept}"

    def _effect_of_add(self) -> str:
        return "Adds sample records that can be removed again."

    def _effect_of_remove(self) -> str:
        return "Removes the sample records that you have not changed, for good."
