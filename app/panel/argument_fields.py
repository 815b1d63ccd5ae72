"""Edit fields for the arguments of a proposal, one for each JSON schema type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Protocol

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QPlainTextEdit, QWidget

from app.agent.json_types import Json, JsonObject
from app.panel.card_words import shown

_LONG_TEXT = 48
_LONG_TEXT_HEIGHT = 88


class FieldError(Exception):
    """What was typed can't be read as the type; the message says what is accepted."""


class ArgumentField(Protocol):
    """One argument being edited."""

    @property
    def widget(self) -> QWidget:
        """Where it is edited."""

    def read(self) -> Json:
        """The value as typed.

        Raises:
            FieldError: It isn't of the type.
        """


def make_field(schema: JsonObject, value: Json, root: JsonObject) -> ArgumentField:
    """A field for one property.

    Args:
        schema: The property's JSON schema.
        value: What it holds now.
        root: The whole schema, for `$ref`.
    """
    schema, nullable = _plain(schema, root)
    choices = schema.get("enum")
    kind = schema.get("type") or _type_of(value)
    if isinstance(choices, Sequence) and not isinstance(choices, str):
        return _Choice(choices, value, nullable=nullable)
    if kind == "boolean" and not nullable:
        return _Switch(bool(value))
    if kind in ("integer", "number"):
        return _Number(value, whole=kind == "integer", nullable=nullable)
    if kind == "string":
        text = shown(value)
        if "\n" in text or len(text) > _LONG_TEXT:
            return _LongText(text)
        return _Text(text, nullable=nullable and value is None)
    items = schema.get("items")
    if kind == "array" and isinstance(items, Mapping) and _plain(items, root)[0].get("type") == "string":
        return _Lines(value)
    return _JsonText(value)


def _plain(schema: JsonObject, root: JsonObject) -> tuple[JsonObject, bool]:
    """Follows `$ref` and takes the null out of a union: the schema that remains, and whether null is allowed."""
    reference = schema.get("$ref")
    if isinstance(reference, str):
        found: Json = root
        for part in reference.removeprefix("#/").split("/"):
            found = found.get(part) if isinstance(found, Mapping) else None
        return _plain(found, root) if isinstance(found, Mapping) else ({}, False)
    options = schema.get("anyOf")
    if isinstance(options, Sequence) and not isinstance(options, str):
        real = [option for option in options if isinstance(option, Mapping) and option.get("type") != "null"]
        if len(real) == 1:
            return _plain(real[0], root)[0], len(options) > 1
        return {}, False
    types = schema.get("type")
    if isinstance(types, Sequence) and not isinstance(types, str):
        real_types = [name for name in types if name != "null"]
        return {**schema, "type": real_types[0] if len(real_types) == 1 else None}, "null" in types
    return schema, False


def _type_of(value: Json) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    return "string" if isinstance(value, str) else "json"


class _Text:
    def __init__(self, text: str, *, nullable: bool) -> None:
        self.widget = QLineEdit(text)
        self._nullable = nullable

    def read(self) -> Json:
        text = self.widget.text()
        return None if self._nullable and not text else text


class _LongText:
    def __init__(self, text: str) -> None:
        self.widget = QPlainTextEdit(text)
        self.widget.setTabChangesFocus(True)
        self.widget.setFixedHeight(_LONG_TEXT_HEIGHT)

    def read(self) -> Json:
        return self.widget.toPlainText()


class _Number:
    """A line of text, not a spin box: what was typed stays as it is until it is accepted."""

    def __init__(self, value: Json, *, whole: bool, nullable: bool) -> None:
        self.widget = QLineEdit(shown(value))
        self._whole = whole
        self._nullable = nullable

    def read(self) -> Json:
        text = self.widget.text().strip()
        if self._nullable and not text:
            return None
        try:
            return int(text) if self._whole else float(text)
        except ValueError:
            raise FieldError("a whole number" if self._whole else "a number") from None


class _Switch:
    def __init__(self, on: bool) -> None:
        self.widget = QCheckBox("Yes")
        self.widget.setChecked(on)

    def read(self) -> Json:
        return self.widget.isChecked()


class _Choice:
    def __init__(self, choices: Sequence[Json], value: Json, *, nullable: bool) -> None:
        self.widget = QComboBox()
        self.widget.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.widget.setMinimumContentsLength(8)
        self._values = [*choices, None] if nullable and None not in choices else list(choices)
        self.widget.addItems([shown(choice) or "(none)" for choice in self._values])
        self.widget.setCurrentIndex(self._values.index(value) if value in self._values else -1)

    def read(self) -> Json:
        index = self.widget.currentIndex()
        if index < 0:
            raise FieldError("one of the choices")
        return self._values[index]


class _Lines:
    def __init__(self, value: Json) -> None:
        items = value if isinstance(value, Sequence) and not isinstance(value, str) else []
        self.widget = QPlainTextEdit("\n".join(shown(item) for item in items))
        self.widget.setPlaceholderText("One on each line")
        self.widget.setTabChangesFocus(True)
        self.widget.setFixedHeight(_LONG_TEXT_HEIGHT)

    def read(self) -> Json:
        return [line.strip() for line in self.widget.toPlainText().splitlines() if line.strip()]


class _JsonText:
    def __init__(self, value: Json) -> None:
        self.widget = QLineEdit(json.dumps(value, ensure_ascii=False, default=dict))

    def read(self) -> Json:
        try:
            value: Json = json.loads(self.widget.text())
        except ValueError:
            raise FieldError("JSON") from None
        return value
