"""One screen of records: buttons above, list on the left, form on the right. All kinds of records share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, Qt, QTimer, Slot
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.agent.errors import ToolError
from app.pages.book import RecordBook
from app.pages.empty_page import EmptyPage
from app.pages.heading import Heading
from app.pages.mnemonics import with_mnemonic
from app.pages.record_form import RecordForm
from app.pages.record_list import RecordList
from app.pages.services import PageServices
from app.store.errors import InvalidFieldsError, StoreError
from app.store.fields import KIND_INFO, Kind
from app.store.json_types import Json
from app.store.store import Option
from app.widgets.adoption import leave_out
from app.widgets.command_button import CommandAdapter, CommandButton
from app.widgets.flow_layout import FlowLayout
from app.widgets.naming import tidy
from app.widgets.theme import GRID, Colours
from app.widgets.theme.paint import make_primary


class RecordPage(QWidget):
    """A screen of records.

    Args:
        services: Store, undo log, registry.
        kind: Which records.
        purpose: What goes here, as a sentence, for the empty screen.
    """

    def __init__(self, services: PageServices, kind: Kind, purpose: str) -> None:
        super().__init__()
        self.info = KIND_INFO[kind]
        self.page_name = self.info.page
        self.setAccessibleName(self.page_name)
        self.services = services
        # To show a page, lay it out and paint it takes a frame or two; what it reads again comes in the next turn.
        self._next_turn = QTimer(self)
        self._next_turn.setSingleShot(True)
        self._next_turn.timeout.connect(self._on_shown)
        self.book = RecordBook(services, kind)
        # Their changes are recorded by the book, which knows the record they belong to.
        context = services.voice.without_undo()
        self._offered: dict[str, tuple[Option, ...]] = {}
        taken: set[str] = set()
        self._buttons = QWidget()
        self._button_row = FlowLayout(self._buttons, spacing=GRID)
        self.new = self._button(f"New {self.info.noun}", "add", self._new, self._effect_of_new, "Ctrl+N", taken)
        self.save = self._button("Save", "save", self._save, self._effect_of_save, "Ctrl+S", taken)
        self.discard = self._button(
            "Discard changes", "discard", self._discard, self._effect_of_discard, "Ctrl+Backspace", taken
        )
        self.delete = self._button("Delete", "delete", self._delete, self._effect_of_delete, "Ctrl+Del", taken)
        self.list = RecordList(self.book, context, self.page_name)
        self.heading = Heading()
        self.form = RecordForm(self.info.fields, context, taken)
        self.empty = EmptyPage(purpose, f"New {self.info.noun}", self.info.kind)
        leave_out(self.empty)
        self.empty.action.clicked.connect(self.new.click)
        self._arrange()
        self.list.current_changed.connect(self._show_entry)
        self.form.field_edited.connect(self._on_field_edited)
        self.book.values_changed.connect(self._on_values_changed)
        self.book.entries_changed.connect(self._show_emptiness)
        self.book.revealed.connect(self.list.select)
        QShortcut(QKeySequence("Ctrl+F"), self, self.list.search.setFocus)
        self.setFocusProxy(self.list.view)
        self.offer_references()
        self._show_emptiness()
        self.list.select_first()

    # -- for the window and the command line

    def current_state(self) -> dict[str, Json]:
        """What the screen shows: the page's name, and the values of the form by label."""
        return {"page": self.page_name, "fields": dict(self.form.shown()) if self.key else {}}

    @property
    def key(self) -> str:
        """The entry shown in the form, or an empty string."""
        return self.list.key

    @property
    def selected_title(self) -> str:
        """The title of the record shown, or an empty string."""
        return self.book.title(self.key) if self.key else ""

    def select_first(self) -> None:
        """Shows the first record."""
        self.list.select_first()

    def reset(self) -> None:
        """Drops what was changed and not saved in this session, and shows the first record."""
        self.book.reset()
        self.heading.say("")
        self.list.select_first()

    def refresh(self) -> None:
        """Reads again what others may have changed; unsaved changes stay."""
        self.book.refresh()
        self.offer_references()
        self._show_entry(self.key)

    def close_down(self) -> None:
        """Keeps unsaved changes before the program ends."""
        self._next_turn.stop()
        self.book.keep_drafts()

    def showEvent(self, event: QShowEvent, /) -> None:
        """Other pages and programs may have changed the records."""
        super().showEvent(event)
        self._primary()
        self._next_turn.start(0)

    @Slot()
    def _on_shown(self) -> None:
        self.refresh()

    def hideEvent(self, event: QHideEvent, /) -> None:
        """Nothing that was typed waits for a pause any longer."""
        super().hideEvent(event)
        self._next_turn.stop()
        self.book.keep_drafts()

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._primary()

    # -- the buttons

    def require_key(self) -> str:
        """The entry shown.

        Raises:
            ToolError: The list is empty.
        """
        if not self.key:
            raise ToolError(f"There is no {self.info.noun} yet. Press New {self.info.noun} first.")
        return self.key

    def _new(self) -> str:
        self.list.search.clear()
        key = self.book.create()
        self.list.select(key)
        self.form.editor(self.info.title_key).widget.setFocus()
        return f"A new {self.info.noun} was begun. Save stores it."

    def _save(self) -> str:
        key = self.require_key()
        try:
            record = self.book.save(key)
        except InvalidFieldsError as error:
            self.form.show_errors(error.errors)
            raise ToolError(f"Nothing was saved. {error}") from error
        except StoreError as error:
            raise ToolError(f"Nothing was saved. {error}") from error
        self.form.show_errors({})
        return f"“{record.title}” is saved."

    def _discard(self) -> str:
        key = self.require_key()
        title = self.book.title(key)
        self.book.discard(key)
        self.form.show_errors({})
        return f"The changes of “{title}” are discarded. Undo brings them back."

    def _delete(self) -> str:
        key = self.require_key()
        title = self.book.title(key)
        try:
            self.book.delete(key)
        except StoreError as error:
            raise ToolError(f"Nothing was deleted. {error}") from error
        return f"“{title}” is deleted. Undo brings it back."

    def _effect_of_new(self) -> str:
        return f"Begins a new {self.info.noun}; nothing is stored yet."

    def _effect_of_save(self) -> str:
        if not self.key:
            return "There is nothing to save now."
        if not self.book.is_edited(self.key):
            # Said of what will have been changed by then: "set the status to accepted and save" is one request.
            return f"Stores what is changed in “{self.book.title(self.key)}”."
        entry = self.book.entry(self.key)
        if entry.base is None:
            return f"Stores the new {self.info.noun}."
        return f"Stores {self._changed_labels()} of “{self.book.title(self.key)}”."

    def _effect_of_discard(self) -> str:
        if not self.key or not self.book.is_edited(self.key):
            return "There is nothing to discard now."
        if self.book.entry(self.key).base is None:
            return f"Drops the new {self.info.noun}."
        return f"Brings back {self._changed_labels()} of “{self.book.title(self.key)}” as stored."

    def _effect_of_delete(self) -> str:
        return f"Moves “{self.book.title(self.key)}” to the bin." if self.key else "There is nothing to delete."

    def _changed_labels(self) -> str:
        changes = self.book.entry(self.key).changes
        return ", ".join(field.label for field in self.info.fields if field.key in changes)

    # -- what is shown

    def offer_references(self) -> None:
        """Reads again which records the fields can refer to."""
        self._offered = {
            field.key: self.services.store.options(self.info.kind, field.key)
            for field in self.info.fields
            if field.references and field.value_type == "choices"
        }
        for key, options in self._offered.items():
            self.form.offer(key, options)

    def _offer_selected(self, values: Mapping[str, Json]) -> None:
        """Offers also what this record refers to although it is in the bin."""
        for key, options in self._offered.items():
            selected = {str(value) for value in _items(values[key])}
            if not selected <= {option.value for option in options}:
                self._offered[key] = self.services.store.options(self.info.kind, key, selected)
                self.form.offer(key, self._offered[key])

    def _show_entry(self, key: str) -> None:
        self.form.show_errors({})
        if key:
            values = self.book.values(key)
            self._offer_selected(values)
            self.form.show_values(values)
            self._show_heading()
        self.on_entry_shown()

    def on_entry_shown(self) -> None:
        """Another entry, or its new state, is shown. For subclasses."""

    def _on_field_edited(self, name: str, value: Json) -> None:
        if self.key:
            self.heading.say("")
            self.book.edit(self.key, name, tuple(value) if isinstance(value, list) else value)

    def _on_values_changed(self, key: str) -> None:
        if key == self.key:
            values = self.book.values(key)
            self._offer_selected(values)
            self.form.show_values(values)
            self._show_heading()

    def _show_heading(self) -> None:
        entry = self.book.entry(self.key)
        note = ""
        if entry.moved:
            note = "Changed elsewhere since you edited it: check it before you save"
        elif entry.base is None:
            note = "Not saved yet"
        elif entry.changes:
            note = "Unsaved changes"
        self.heading.show_record(self.book.title(self.key), note)

    def _show_emptiness(self) -> None:
        empty = not self.book.order()
        self._body.setCurrentIndex(1 if empty else 0)
        if self.key and self.key in self.book.order():
            self._show_heading()

    def _button(
        self,
        text: str,
        icon_name: str,
        command: Callable[[], str],
        effect: Callable[[], str],
        keys: str,
        taken: set[str],
    ) -> CommandButton:
        button = CommandButton(with_mnemonic(text, taken), icon_name, command, effect)
        self.add_button(button, keys)
        return button

    def add_button(self, button: CommandButton, keys: str = "") -> None:
        """Adds a button to the row."""
        if keys:
            shortcut = QShortcut(QKeySequence(keys), self, button.click)
            button.setToolTip(f"{button.text().replace('&', '')} ({shortcut.key().toString()})")
        button.done.connect(self._on_done)
        button.refused.connect(self._on_refused)
        adapter = CommandAdapter(button, self.services.voice, label=tidy(button.text()))
        # What a button would do changes with what is edited.
        self.book.values_changed.connect(adapter.touch)
        self._button_row.addWidget(button)

    def _on_done(self, message: str) -> None:
        self.heading.say(message)

    def _on_refused(self, message: str) -> None:
        self.heading.say(message, refused=True)

    def _primary(self) -> None:
        make_primary(self.save, Colours.of(self.palette()))
        self.save.set_icon_role("on_accent")

    def _arrange(self) -> None:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(GRID, 0, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.heading)
        column.addWidget(self.form, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        filled = QWidget()
        row = QHBoxLayout(filled)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(splitter)
        self._body = QStackedWidget()
        self._body.addWidget(filled)
        self._body.addWidget(self.empty)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 2, GRID * 2, GRID * 2, GRID)
        layout.setSpacing(GRID * 2)
        layout.addWidget(self._buttons)
        layout.addWidget(self._body, 1)


def _items(value: Json) -> tuple[Json, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else ()
