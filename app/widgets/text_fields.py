"""Adapters of text: one line, many lines. Text that must stay secret is never read nor written."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QDoubleValidator, QIntValidator, QTextCursor, QValidator
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QTextEdit

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.snapshot import ValueType
from app.widgets.adapter import READ_ONLY, WidgetAdapter
from app.widgets.naming import is_secret_name, name_of
from app.widgets.operations import Fillable, as_argument

VALUE_TYPE_PROPERTY = "value_type"
"""A dynamic property that says what a line edit holds where no input hint can: "date", for example."""

REQUIRED_PROPERTY = "required"

_HINTS: tuple[tuple[Qt.InputMethodHint, ValueType], ...] = (
    (Qt.InputMethodHint.ImhEmailCharactersOnly, "email"),
    (Qt.InputMethodHint.ImhUrlCharactersOnly, "url"),
    (Qt.InputMethodHint.ImhDialableCharactersOnly, "phone"),
    (Qt.InputMethodHint.ImhDate, "date"),
    (Qt.InputMethodHint.ImhTime, "time"),
    (Qt.InputMethodHint.ImhDigitsOnly, "integer"),
    (Qt.InputMethodHint.ImhFormattedNumbersOnly, "number"),
)


def is_secret(edit: QLineEdit) -> bool:
    """Whether the field hides what is typed, or is named like a password or key."""
    return edit.echoMode() is not QLineEdit.EchoMode.Normal or any(
        is_secret_name(name) for name in (name_of(edit), edit.objectName(), edit.placeholderText())
    )


class LineEditAdapter(Fillable, WidgetAdapter[QLineEdit]):
    """A line of text."""

    def _connect(self) -> None:
        self.widget.textChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        edit = self.widget
        if is_secret(edit):
            return {}
        state: dict[str, Json] = {**super().state(), "value": edit.text(), "value_type": self._value_type()}
        validator = edit.validator()
        if isinstance(validator, (QIntValidator, QDoubleValidator)):
            state |= {"minimum": validator.bottom(), "maximum": validator.top()}
        if edit.property(REQUIRED_PROPERTY):
            state["required"] = True
        return state

    def value(self) -> Json:
        return self.widget.text()

    def assign(self, value: Json) -> None:
        edit = self.widget
        # Selecting and inserting is what typing does: it keeps the field's own undo and emits textEdited.
        edit.selectAll()
        edit.insert(str(value))
        edit.editingFinished.emit()

    def _normalised(self, text: str) -> Json:
        if is_secret(self.widget):
            raise ToolError(f"{self.label} holds a secret: type it yourself.")
        value = as_argument(super()._normalised(text))
        edit = self.widget
        if len(value) > edit.maxLength():
            raise ToolError(f"{self.label} takes at most {edit.maxLength()} characters.")
        if not _is_acceptable(edit.validator(), value):
            raise ToolError(f"{self.label} does not take “{value}”.")
        return value

    def _refusal(self) -> str:
        if is_secret(self.widget):
            return "it holds a secret, to be typed by hand"
        return READ_ONLY if self.widget.isReadOnly() else ""

    def _value_type(self) -> ValueType:
        edit = self.widget
        told = edit.property(VALUE_TYPE_PROPERTY)
        if told:
            return told  # type: ignore[no-any-return]
        if isinstance(edit.validator(), QIntValidator):
            return "integer"
        if isinstance(edit.validator(), QDoubleValidator):
            return "number"
        hints = edit.inputMethodHints()
        return next((value_type for hint, value_type in _HINTS if hints & hint), "text")


def _is_acceptable(validator: QValidator | None, text: str) -> bool:
    """Whether the text would be accepted. Qt gives None for a field without a validator."""
    if validator is None:
        return True
    result = validator.validate(text, len(text))
    return isinstance(result, tuple) and result[0] is QValidator.State.Acceptable


class TextEditAdapter(Fillable, WidgetAdapter[QTextEdit | QPlainTextEdit]):
    """Many lines of text."""

    def _connect(self) -> None:
        self.widget.textChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        return {**super().state(), "value": self.value(), "value_type": "long_text"}

    def value(self) -> Json:
        return self.widget.toPlainText()

    def assign(self, value: Json) -> None:
        edit = self.widget
        cursor = edit.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(str(value))
        edit.setTextCursor(cursor)

    def _normalised(self, text: str) -> Json:
        return as_argument(super()._normalised(text))

    def _refusal(self) -> str:
        return READ_ONLY if self.widget.isReadOnly() else ""
