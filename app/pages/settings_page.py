"""The Settings page: each control takes effect and is stored at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.pages.api_key_row import ApiKeyRow
from app.pages.background import Background
from app.pages.editors import ChoiceEditor, Editor, LineEditor, SwitchEditor, make_editor
from app.pages.live_settings import LiveSettings
from app.pages.mnemonics import with_mnemonic
from app.pages.record_form import FieldError
from app.pages.sample_data import SampleDataRow
from app.pages.services import PageServices
from app.pages.settings_rows import SECTIONS, Listings, SettingRow
from app.settings import KeyStore, overridden
from app.store.database import Database
from app.widgets.adoption import leave_out
from app.widgets.context import VoiceContext
from app.widgets.theme import GRID, set_text_size
from app.widgets.views import ScrollAdapter

_WIDTH = 720
_LABEL_WIDTH = 152


class SettingsPage(QScrollArea):
    """All settings, section below section.

    Args:
        services: Registry and undo log.
        live: The settings.
        keys: Keeps the key for the model server.
        listings: What is on this machine.
        database: For the sample data, and to say where the data is.
    """

    page_name = "Settings"
    key_changed = Signal()
    """There is another API key now, or none."""

    def __init__(
        self,
        services: PageServices,
        live: LiveSettings,
        keys: KeyStore,
        listings: Listings,
        database: Database,
    ) -> None:
        super().__init__()
        self._errors: dict[str, FieldError] = {}
        self.setAccessibleName(self.page_name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._live = live
        self._listings = listings
        self._background = Background(self)
        self._background.done.connect(self._on_listed)
        self.api_key = ApiKeyRow(keys, self._base_url, self._background)
        self.api_key.key_changed.connect(self.key_changed)
        self.sample_data = SampleDataRow(services.voice, database)
        self._rows: dict[str, SettingRow] = {}
        self._editors: dict[str, Editor] = {}
        self._build(services.voice.without_undo())
        ScrollAdapter(self, services.voice)
        live.changed.connect(self._show_values)
        self._show_values()

    def current_state(self) -> dict[str, Json]:
        """The page and its values by label. The API key is not among them."""
        return {"page": self.page_name, "fields": {e.field.label: e.shown() for e in self._editors.values()}}

    def editor(self, key: str) -> Editor:
        """The editor of a setting, by section and name ("voice.rate")."""
        return self._editors[key]

    def error(self, key: str) -> str:
        """What is said to be wrong with a setting, or an empty string."""
        return self._errors[key].text()

    def close_down(self) -> None:
        """Waits for what runs in the background."""
        self._background.finish()

    def showEvent(self, event: QShowEvent, /) -> None:
        """What is on this machine may be different since."""
        super().showEvent(event)
        for key, listing in self._listings.by_key().items():
            self._background.start(key, listing)
        self.api_key.refresh()

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for error in self._errors.values():
                error.recolour(self.palette())

    # -- building

    def _build(self, context: VoiceContext) -> None:
        inner = QWidget()
        inner.setMaximumWidth(_WIDTH)
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(GRID * 3, GRID * 2, GRID * 3, GRID * 3)
        layout.setSpacing(GRID)
        taken: set[str] = set()
        for title, rows in SECTIONS.items():
            heading = QLabel(title)
            set_text_size(heading, "large", bold=True)
            layout.addSpacing(GRID)
            layout.addWidget(heading)
            form = QFormLayout()
            form.setHorizontalSpacing(GRID * 2)
            form.setVerticalSpacing(GRID)
            form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
            form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
            layout.addLayout(form)
            for row in rows:
                self._add(row, form, context, taken)
            if title == "Assistant":
                label = QLabel("API key")
                label.setBuddy(self.api_key.edit)
                form.addRow(label, self.api_key)
            elif title == "Data":
                form.addRow(self.sample_data)
        layout.addStretch(1)
        self.setWidget(inner)

    def _add(self, row: SettingRow, form: QFormLayout, context: VoiceContext, taken: set[str]) -> None:
        editor = make_editor(row.form_field, context)
        self._rows[row.key], self._editors[row.key] = row, editor
        self._errors[row.key] = error = FieldError()
        variable = overridden().get((row.section, row.name))
        if variable is not None:
            editor.widget.setEnabled(False)
            error.note(f"{variable} in the environment decides this.")
        if row.by_hand:
            leave_out(editor.widget)
        else:
            editor.adapt(context)
        if isinstance(editor, LineEditor):
            # Half an address is no setting.
            editor.only_when_finished()
        editor.edited.connect(self._on_edited)
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(editor.widget, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(error)
        if isinstance(editor, SwitchEditor):
            editor.set_text(with_mnemonic(row.form_field.label, taken))
            form.addRow("", cell)
            return
        label = QLabel(with_mnemonic(row.form_field.label, taken))
        label.setBuddy(editor.widget)
        label.setMinimumWidth(_LABEL_WIDTH)
        form.addRow(label, cell)

    # -- values

    def _on_edited(self) -> None:
        editor = self.sender()
        assert isinstance(editor, Editor)
        row = self._rows[editor.field.key]
        try:
            self._live.change(row.section, row.name, row.to_stored(editor.value()))
        except ToolError as error:
            self._errors[row.key].say(str(error))
            return
        self._errors[row.key].say("")

    def _show_values(self, *_settings: object) -> None:
        for key, row in self._rows.items():
            editor = self._editors[key]
            value = row.to_shown(self._live.value(row.section, row.name))
            if isinstance(editor, ChoiceEditor):
                editor.offer_also(str(value))
            editor.show_value(value)

    def _on_listed(self, key: str, result: object) -> None:
        editor = self._editors.get(key)
        if not isinstance(editor, ChoiceEditor):
            return
        assert isinstance(result, Sequence)
        row = self._rows[key]
        default = {words: stored for words, stored in row.shown.items() if not stored}
        shown = {**default, **dict(result)}
        self._rows[key] = replace(row, shown=shown)
        editor.offer(tuple(shown))
        self._show_values()

    def _base_url(self) -> str:
        return self._live.settings.assistant.base_url
