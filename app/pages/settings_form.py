"""The rows of the Settings page: each setting with its editor, and a line for what is to be said about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFormLayout, QLabel, QVBoxLayout, QWidget

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.pages.editors import ChoiceEditor, Editor, LineEditor, SwitchEditor, make_editor
from app.pages.live_settings import LiveSettings
from app.pages.mnemonics import with_mnemonic
from app.pages.note import Note
from app.pages.setting_row import SettingRow
from app.pages.settings_layout import LABEL_WIDTH, Extra, add_extras, new_form
from app.pages.settings_rows import SECTIONS
from app.settings import overridden
from app.widgets.adoption import leave_out
from app.widgets.context import VoiceContext
from app.widgets.flow_layout import FlowLayout
from app.widgets.theme import GRID, set_text_size

_WIDTH = 720


class SettingsForm(QWidget):
    """Section below section. A change takes effect and is stored at once.

    Args:
        live: The settings.
        context: Where the editors register; their changes are recorded by `live`.
        extras: What else is in the form.
        beside: What stands to the right of an editor, by the key of its setting.
    """

    def __init__(
        self, live: LiveSettings, context: VoiceContext, extras: Sequence[Extra], beside: Mapping[str, QWidget]
    ) -> None:
        super().__init__()
        self._live = live
        self._rows: dict[str, SettingRow] = {}
        self._editors: dict[str, Editor] = {}
        self._notes: dict[str, Note] = {}
        self._wheel = _WheelGuard(self)
        self._beside = beside
        self.setMaximumWidth(_WIDTH)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 3, GRID * 2, GRID * 3, GRID * 3)
        layout.setSpacing(GRID)
        taken: set[str] = set()
        for title, rows in SECTIONS.items():
            heading = QLabel(title)
            set_text_size(heading, "large", bold=True)
            layout.addSpacing(GRID)
            layout.addWidget(heading)
            form = new_form()
            layout.addLayout(form)
            for row in rows:
                self._add(row, form, context, taken)
                add_extras(form, row.key, extras)
            add_extras(form, title, extras)
        layout.addStretch(1)
        live.changed.connect(self.show_values)
        self.show_values()

    def values(self) -> dict[str, Json]:
        """The settings in the words on screen, by label."""
        return {editor.field.label: editor.shown() for editor in self._editors.values()}

    def editor(self, key: str) -> Editor:
        """The editor of a setting, by section and name ("voice.rate")."""
        return self._editors[key]

    def note(self, key: str) -> Note:
        """The line below a setting."""
        return self._notes[key]

    def show_values(self, *_settings: object) -> None:
        """Shows the settings as they are."""
        for key, row in self._rows.items():
            editor = self._editors[key]
            value = row.to_shown(self._live.value(row.section, row.name))
            if isinstance(editor, ChoiceEditor):
                editor.offer_also(str(value))
            editor.show_value(value)

    def offer(self, key: str, found: Sequence[tuple[str, str]]) -> None:
        """Offers what is on this machine, as (words to show, value to store); says if what is chosen is not there."""
        editor, row = self._editors[key], self._rows[key]
        assert isinstance(editor, ChoiceEditor)
        default = {words: stored for words, stored in row.shown.items() if not stored}
        shown = {**default, **dict(found)}
        row = self._rows[key] = replace(row, shown=shown)
        editor.offer(tuple(shown))
        self.show_values()
        chosen = self._live.value(row.section, row.name)
        self._notes[key].say(row.absent if chosen not in shown.values() else "" if found else row.none_found, "caution")

    def _add(self, row: SettingRow, form: QFormLayout, context: VoiceContext, taken: set[str]) -> None:
        editor = make_editor(row.form_field, context)
        editor.widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        editor.widget.installEventFilter(self._wheel)
        self._rows[row.key], self._editors[row.key] = row, editor
        note = self._notes[row.key] = Note()
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
        if row.key in self._beside:
            line = FlowLayout(spacing=GRID)
            line.addWidget(editor.widget)
            line.addWidget(self._beside[row.key])
            column.addLayout(line)
        else:
            column.addWidget(editor.widget, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(note)
        variable = overridden().get((row.section, row.name))
        if variable is not None:
            editor.widget.setEnabled(False)
            note.say(f"{variable} in the environment decides this.")
        elif row.about:
            note.say(row.about)
        if isinstance(editor, SwitchEditor):
            editor.set_text(with_mnemonic(row.form_field.label, taken))
            form.addRow("", cell)
            return
        label = QLabel(with_mnemonic(row.form_field.label, taken))
        label.setBuddy(editor.widget)
        label.setMinimumWidth(LABEL_WIDTH)
        form.addRow(label, cell)

    def _on_edited(self) -> None:
        editor = self.sender()
        assert isinstance(editor, Editor)
        row = self._rows[editor.field.key]
        value = row.to_stored(editor.value())
        # Said before: whoever hears of the change may have more to say.
        self._notes[row.key].say(row.about)
        try:
            if not row.by_hand:
                self._live.change(row.section, row.name, value)
            elif value != self._live.value(row.section, row.name):
                # Not recorded: what only a hand may change must not come back by a spoken "undo" either.
                self._live.put(row.section, row.name, value)
        except ToolError as error:
            self._notes[row.key].say(str(error), "danger")


class _WheelGuard(QObject):
    """Lets the wheel scroll the page, not change a value that happens to lie under the pointer."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False
