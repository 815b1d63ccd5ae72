"""One editor for each type of field: a widget, its value, and its adapter. The map from type to widget."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QSizePolicy, QSpinBox, QWidget

from app.agent.errors import ToolError
from app.agent.values import parse_value
from app.store.fields import KIND_INFO, Field
from app.store.json_types import Json
from app.store.store import Option
from app.widgets.buttons import SwitchAdapter
from app.widgets.context import VoiceContext
from app.widgets.date_field import DateField
from app.widgets.dictation_field import DictationField
from app.widgets.multi_select import MultiSelect, MultiSelectAdapter, SelectOption
from app.widgets.text_fields import REQUIRED_PROPERTY, VALUE_TYPE_PROPERTY, LineEditAdapter, TextEditAdapter
from app.widgets.value_fields import ComboBoxAdapter, SpinBoxAdapter

NOT_SET = "Not set"
_FEWEST_LINES = 6
_LINE_WIDTH = 280
_HINTS = {
    "email": Qt.InputMethodHint.ImhEmailCharactersOnly,
    "url": Qt.InputMethodHint.ImhUrlCharactersOnly,
    "date": Qt.InputMethodHint.ImhPreferNumbers,
}
_PLACEHOLDERS = {
    "email": "name@example.com",
    "url": "https://example.com",
    "date": "2027-05-03",
    "choices": "Separated by commas",
}


class Editor(QObject):
    """The input of one field. `set_value` is silent; what a person or the assistant changes is `edited`."""

    edited = Signal()

    def __init__(self, field: Field, widget: QWidget) -> None:
        super().__init__(widget)
        self.field = field
        widget.setAccessibleName(field.label)
        widget.setProperty(REQUIRED_PROPERTY, field.required)

    @property
    def widget(self) -> QWidget:
        """What the person sees."""
        widget = self.parent()
        assert isinstance(widget, QWidget)
        return widget

    def value(self) -> Json:
        """The value as records hold it; it need not be acceptable."""
        raise NotImplementedError

    def shown(self) -> Json:
        """The value in the words on screen."""
        value = self.value()
        return list(value) if isinstance(value, tuple) else value

    def show_value(self, value: Json) -> None:
        """Sets the value without saying that it was edited. One that is shown already leaves the cursor alone."""
        if self.value() != value:
            blocked = self.blockSignals(True)
            self._set(value)
            self.blockSignals(blocked)

    def adapt(self, context: VoiceContext) -> None:
        """Makes it operable by voice."""
        raise NotImplementedError

    def _set(self, value: Json) -> None:
        raise NotImplementedError

    def _edited(self, *_values: object) -> None:
        self.edited.emit()


class LineEditor(Editor):
    """A line of text, an address, or a date."""

    def __init__(self, field: Field, context: VoiceContext) -> None:
        self._edit = DateField() if field.value_type == "date" else QLineEdit()
        super().__init__(field, self._edit)
        self._context = context
        self._edit.setMinimumWidth(_LINE_WIDTH)
        self._edit.setProperty(VALUE_TYPE_PROPERTY, field.value_type)
        self._edit.setInputMethodHints(_HINTS.get(field.value_type, Qt.InputMethodHint.ImhNone))
        self._edit.setPlaceholderText(_PLACEHOLDERS.get(field.value_type, ""))
        self._edit.textChanged.connect(self._edited)
        if field.value_type in ("date", "email", "url"):
            self._edit.editingFinished.connect(self._write_out)

    def only_when_finished(self) -> None:
        """Tells of an edit when the person leaves the field or presses Enter, not at each letter."""
        self._edit.textChanged.disconnect(self._edited)
        self._edit.editingFinished.connect(self._edited)

    def value(self) -> Json:
        text = self._edit.text()
        return (text or None) if self.field.value_type == "date" else text

    def adapt(self, context: VoiceContext) -> None:
        LineEditAdapter(self._edit, context, label=self.field.label, aliases=self.field.aliases)

    def _set(self, value: Json) -> None:
        self._edit.setText("" if value is None else str(value))
        self._edit.setCursorPosition(0)

    def _write_out(self) -> None:
        """Turns "3 May 2027" into what is stored. What isn't understood stays, and is refused when it is saved."""
        context = self._context
        text = self._edit.text()
        try:
            value = parse_value(text, self.field.value_type, {}, language=context.language(), today=context.today())
        except ToolError:
            return
        if str(value) != text:
            self._edit.setText(str(value))


class WordsEditor(Editor):
    """Several words of the person's own, separated by commas."""

    def __init__(self, field: Field) -> None:
        self._edit = QLineEdit()
        super().__init__(field, self._edit)
        self._edit.setMinimumWidth(_LINE_WIDTH)
        self._edit.setProperty(VALUE_TYPE_PROPERTY, "choices")
        self._edit.setPlaceholderText(_PLACEHOLDERS["choices"])
        self._edit.textChanged.connect(self._edited)

    def value(self) -> Json:
        words = (word.strip() for word in self._edit.text().split(","))
        return tuple(dict.fromkeys(word for word in words if word))

    def adapt(self, context: VoiceContext) -> None:
        LineEditAdapter(self._edit, context, label=self.field.label, aliases=self.field.aliases)

    def _set(self, value: Json) -> None:
        assert isinstance(value, Sequence)
        self._edit.setText(", ".join(str(word) for word in value))
        self._edit.setCursorPosition(0)


class LongTextEditor(Editor):
    """Many lines of text. Tab goes to the next field."""

    def __init__(self, field: Field) -> None:
        self._edit = QPlainTextEdit()
        super().__init__(field, self._edit)
        self._edit.setTabChangesFocus(True)
        self._edit.setMinimumWidth(_LINE_WIDTH)
        self._edit.setMinimumHeight(_FEWEST_LINES * self._edit.fontMetrics().lineSpacing() + 16)
        self._edit.textChanged.connect(self._edited)

    def value(self) -> Json:
        return self._edit.toPlainText()

    def adapt(self, context: VoiceContext) -> None:
        kind = DictationField if context.dictate is not None else TextEditAdapter
        kind(self._edit, context, label=self.field.label, aliases=self.field.aliases)

    def _set(self, value: Json) -> None:
        self._edit.setPlainText(str(value))


class NumberEditor(Editor):
    """A whole number; where the field may be empty, the step below the lowest means that there is none."""

    def __init__(self, field: Field) -> None:
        self._spin = QSpinBox()
        super().__init__(field, self._spin)
        assert field.minimum is not None
        assert field.maximum is not None
        if field.required:
            self._spin.setRange(field.minimum, field.maximum)
        else:
            self._spin.setRange(field.minimum - 1, field.maximum)
            self._spin.setSpecialValueText(NOT_SET)
        self._spin.setSuffix(f" {field.unit}" if field.unit else "")
        self._spin.setMinimumWidth(_LINE_WIDTH // 2)
        self._spin.valueChanged.connect(self._edited)

    def value(self) -> Json:
        number = self._spin.value()
        return None if self._spin.specialValueText() and number == self._spin.minimum() else number

    def adapt(self, context: VoiceContext) -> None:
        SpinBoxAdapter(self._spin, context, label=self.field.label, aliases=self.field.aliases)

    def _set(self, value: Json) -> None:
        self._spin.setValue(value if isinstance(value, int) else self._spin.minimum())


class ChoiceEditor(Editor):
    """One of fixed choices, or none where the field may be empty."""

    def __init__(self, field: Field) -> None:
        self._combo = QComboBox()
        super().__init__(field, self._combo)
        if not field.required:
            self._combo.addItem("")
        self._combo.addItems(field.choices)
        self._combo.setMinimumWidth(_LINE_WIDTH // 2)
        self._combo.currentTextChanged.connect(self._edited)

    def offer(self, choices: Sequence[str]) -> None:
        """Replaces the choices; what is chosen stays, if only as a choice of its own."""
        blocked = self.blockSignals(True)
        current = self._combo.currentText()
        self._combo.clear()
        self._combo.addItems(list(choices))
        self.offer_also(current)
        self._combo.setCurrentText(current)
        self.blockSignals(blocked)

    def offer_also(self, choice: str) -> None:
        """Adds a choice that isn't there yet."""
        if self._combo.findText(choice) < 0:
            blocked = self.blockSignals(True)
            self._combo.addItem(choice)
            self.blockSignals(blocked)

    def value(self) -> Json:
        return self._combo.currentText() or None

    def adapt(self, context: VoiceContext) -> None:
        ComboBoxAdapter(
            self._combo,
            context,
            label=self.field.label,
            aliases=self.field.aliases,
            synonyms=self.field.synonyms,
        )

    def _set(self, value: Json) -> None:
        self._combo.setCurrentText(str(value or ""))


class SwitchEditor(Editor):
    """On or off."""

    def __init__(self, field: Field) -> None:
        self._box = QCheckBox(field.label)
        super().__init__(field, self._box)
        self._box.toggled.connect(self._edited)

    def set_text(self, text: str) -> None:
        """The words beside the box, with a mnemonic."""
        self._box.setText(text)

    def value(self) -> Json:
        return self._box.isChecked()

    def adapt(self, context: VoiceContext) -> None:
        SwitchAdapter(self._box, context, label=self.field.label, aliases=self.field.aliases)

    def _set(self, value: Json) -> None:
        self._box.setChecked(bool(value))


class ReferencesEditor(Editor):
    """Several other records. What is not offered any more stays selected."""

    def __init__(self, field: Field) -> None:
        self._select = MultiSelect("None yet")
        super().__init__(field, self._select)
        self._select.setMinimumWidth(_LINE_WIDTH)
        self._select.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._select.edited.connect(self._edited)

    def offer(self, options: Sequence[Option]) -> None:
        """Sets the records that can be selected."""
        self._select.set_options([SelectOption(option.value, option.label) for option in options])

    def value(self) -> Json:
        return self._select.selected()

    def shown(self) -> Json:
        return self._select.names()

    def adapt(self, context: VoiceContext) -> None:
        assert self.field.references is not None
        noun = KIND_INFO[self.field.references].noun
        MultiSelectAdapter(self._select, context, noun=noun, label=self.field.label, aliases=self.field.aliases)

    def _set(self, value: Json) -> None:
        assert isinstance(value, Sequence)
        self._select.select([str(each) for each in value])


def make_editor(field: Field, context: VoiceContext) -> Editor:
    """The editor for a field."""
    match field.value_type:
        case "long_text":
            return LongTextEditor(field)
        case "integer":
            return NumberEditor(field)
        case "choice":
            return ChoiceEditor(field)
        case "boolean":
            return SwitchEditor(field)
        case "choices":
            return ReferencesEditor(field) if field.references else WordsEditor(field)
        case _:
            return LineEditor(field, context)
