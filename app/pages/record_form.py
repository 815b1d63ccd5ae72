"""The form of one record: a label, an editor and a line for what is wrong, for each field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFormLayout, QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.pages.editors import Editor, ReferencesEditor, SwitchEditor, make_editor
from app.pages.mnemonics import with_mnemonic
from app.store.fields import Field
from app.store.json_types import Json
from app.store.store import Option
from app.widgets.context import VoiceContext
from app.widgets.theme import GRID, Colours, set_text_size
from app.widgets.theme.paint import set_label_colour
from app.widgets.views import ScrollAdapter


class RecordForm(QScrollArea):
    """Shows the values of one record and tells of each change.

    Args:
        fields: What to show, in order.
        context: Where the editors register. Their changes are recorded by the page, not by them.
        taken: Letters that mnemonics may not use.
    """

    field_edited = Signal(str, object)
    """A field was changed by a person or the assistant: its key and its value."""

    def __init__(self, fields: Iterable[Field], context: VoiceContext, taken: set[str]) -> None:
        super().__init__()
        self._errors: dict[str, FieldError] = {}
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Form")
        self._inner = QWidget()
        self._layout = QFormLayout()
        column = QVBoxLayout(self._inner)
        # Room for the focus ring on the left, and for the scroll bar on the right.
        column.setContentsMargins(GRID // 2, GRID // 2, GRID * 2, GRID)
        column.addLayout(self._layout)
        column.addStretch(1)
        self._layout.setHorizontalSpacing(GRID * 2)
        self._layout.setVerticalSpacing(GRID)
        self._layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._layout.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        self._layout.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._editors: dict[str, Editor] = {}
        for field in fields:
            self._add(field, context, taken)
        self.setWidget(self._inner)
        ScrollAdapter(self, context, aliases=("page",))

    def add_line(self, label: str, widget: QWidget) -> None:
        """Adds a line that is not a field of the record."""
        self._layout.addRow(label, widget)

    def show_values(self, values: Mapping[str, Json]) -> None:
        """Shows the values of a record."""
        for key, editor in self._editors.items():
            editor.show_value(values[key])

    def show_errors(self, errors: Mapping[str, str]) -> None:
        """Says at each field what is wrong with it; fields that aren't named are right. Goes to the first."""
        for key, line in self._errors.items():
            line.say(errors.get(key, ""))
        first = next((key for key in self._editors if key in errors), None)
        if first is not None:
            self.ensureWidgetVisible(self._errors[first])
            self.ensureWidgetVisible(self._editors[first].widget)

    def error(self, key: str) -> str:
        """What is said to be wrong with a field, or an empty string."""
        return self._errors[key].text()

    def error_line(self, key: str) -> FieldError:
        """The line below a field."""
        return self._errors[key]

    def offer(self, key: str, options: tuple[Option, ...]) -> None:
        """Sets the records that a field can refer to."""
        editor = self._editors[key]
        assert isinstance(editor, ReferencesEditor)
        editor.offer(options)

    def shown(self) -> dict[str, Json]:
        """The values in the words on screen, by label."""
        return {editor.field.label: editor.shown() for editor in self._editors.values()}

    def editor(self, key: str) -> Editor:
        """The editor of a field."""
        return self._editors[key]

    def sizeHint(self) -> QSize:
        """As wide as its fields, so that nothing has to be scrolled sideways."""
        return QSize(self._inner.sizeHint().width() + self.verticalScrollBar().sizeHint().width(), 400)

    def minimumSizeHint(self) -> QSize:
        """Never narrower than its narrowest form: it scrolls only up and down."""
        return QSize(self._inner.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width(), 120)

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for error in self._errors.values():
                error.recolour(self.palette())

    def _add(self, field: Field, context: VoiceContext, taken: set[str]) -> None:
        editor = make_editor(field, context)
        editor.adapt(context)
        editor.edited.connect(self._on_edited)
        self._editors[field.key] = editor
        error = FieldError()
        self._errors[field.key] = error
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(editor.widget)
        column.addWidget(error)
        if isinstance(editor, SwitchEditor):
            editor.set_text(with_mnemonic(field.label, taken))
            self._layout.addRow("", cell)
            return
        label = QLabel(with_mnemonic(field.label, taken))
        label.setBuddy(editor.widget)
        self._layout.addRow(label, cell)

    def _on_edited(self) -> None:
        editor = self.sender()
        assert isinstance(editor, Editor)
        self._errors[editor.field.key].say("")
        self.field_edited.emit(editor.field.key, editor.value())


class FieldError(QLabel):
    """What is wrong with a field, below it; takes no room while nothing is."""

    def __init__(self) -> None:
        super().__init__()
        self._colour = "danger"
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        set_text_size(self, "small")
        self.say("")

    def say(self, message: str) -> None:
        """Shows what is wrong, or nothing."""
        self._show(message, "danger")

    def note(self, message: str) -> None:
        """Shows something to know that is not wrong."""
        self._show(message, "muted")

    def _show(self, message: str, colour: str) -> None:
        self._colour = colour
        self.setText(message)
        self.setVisible(bool(message))
        parent = self.parentWidget()
        if parent is not None:
            self.recolour(parent.palette())

    def recolour(self, palette: QPalette) -> None:
        """Takes its colour from the palette of what it is in: its own holds the colour it has."""
        set_label_colour(self, getattr(Colours.of(palette), self._colour))
