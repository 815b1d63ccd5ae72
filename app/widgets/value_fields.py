"""Adapters of fields with a range or fixed choices: numbers, dates, times, sliders, combo boxes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from PySide6.QtCore import QDate, QDateTime, Qt, QTime
from PySide6.QtWidgets import (
    QAbstractSlider,
    QComboBox,
    QDateEdit,
    QDateTimeEdit,
    QDoubleSpinBox,
    QSpinBox,
    QTimeEdit,
)

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.policy import Policy
from app.widgets.adapter import READ_ONLY, WidgetAdapter
from app.widgets.context import VoiceContext
from app.widgets.operations import Choosable, Fillable


class SpinBoxAdapter(Fillable, WidgetAdapter[QSpinBox | QDoubleSpinBox]):
    """A number with a range. Where the lowest value has a text of its own ("Not set"), it means no value."""

    def _connect(self) -> None:
        self.widget.textChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        spin = self.widget
        lowest = spin.minimum() + (spin.singleStep() if spin.specialValueText() else 0)
        return {
            **super().state(),
            "value": self.value(),
            "value_type": "integer" if isinstance(spin, QSpinBox) else "number",
            "minimum": lowest,
            "maximum": spin.maximum(),
            "unit": spin.suffix().strip(),
            "required": not spin.specialValueText(),
        }

    def value(self) -> Json:
        spin = self.widget
        if spin.specialValueText() and spin.value() == spin.minimum():
            return None
        return spin.value()

    def assign(self, value: Json) -> None:
        spin = self.widget
        # One class for both kinds of box: a QSpinBox gets whole numbers, because `value` reads as that.
        spin.setValue(cast("int", spin.minimum() if value is None else value))
        spin.editingFinished.emit()

    def _normalised(self, text: str) -> Json:
        spin = self.widget
        if not text.strip() and spin.specialValueText():
            return None
        value = super()._normalised(text)
        if not isinstance(value, (int, float)) or not spin.minimum() <= value <= spin.maximum():
            raise ToolError(f"{self.label} takes a number from {spin.minimum()} to {spin.maximum()}.")
        return value

    def _refusal(self) -> str:
        return READ_ONLY if self.widget.isReadOnly() else ""


class SliderAdapter(Fillable, WidgetAdapter[QAbstractSlider]):
    """A slider or dial."""

    def _connect(self) -> None:
        self.widget.valueChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        slider = self.widget
        return {
            **super().state(),
            "value": slider.value(),
            "value_type": "integer",
            "minimum": slider.minimum(),
            "maximum": slider.maximum(),
            "required": True,
        }

    def value(self) -> Json:
        return self.widget.value()

    def assign(self, value: Json) -> None:
        self.widget.setValue(cast("int", value))


class DateTimeAdapter(Fillable, WidgetAdapter[QDateTimeEdit]):
    """A date, or a time of day. Values are ISO texts."""

    def _connect(self) -> None:
        self.widget.dateTimeChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        value_type = "time" if isinstance(self.widget, QTimeEdit) else "date"
        return {**super().state(), "value": self.value(), "value_type": value_type, "required": True}

    def value(self) -> Json:
        edit = self.widget
        if isinstance(edit, QTimeEdit):
            return edit.time().toString("HH:mm")
        return edit.date().toString(Qt.DateFormat.ISODate)

    def assign(self, value: Json) -> None:
        edit = self.widget
        if isinstance(edit, QTimeEdit):
            edit.setTime(_time(value))
        elif isinstance(edit, QDateEdit):
            edit.setDate(_date(value))
        else:
            edit.setDateTime(QDateTime(_date(value), edit.time()))
        edit.editingFinished.emit()

    def _normalised(self, text: str) -> Json:
        value = super()._normalised(text)
        edit = self.widget
        if isinstance(edit, QTimeEdit):
            return _time(value).toString("HH:mm")
        if not edit.minimumDate() <= _date(value) <= edit.maximumDate():
            first, last = (each.toString(Qt.DateFormat.ISODate) for each in (edit.minimumDate(), edit.maximumDate()))
            raise ToolError(f"{self.label} takes a date from {first} to {last}.")
        return value

    def _refusal(self) -> str:
        return READ_ONLY if self.widget.isReadOnly() else ""


def _date(value: Json) -> QDate:
    return QDate.fromString(str(value), Qt.DateFormat.ISODate)


def _time(value: Json) -> QTime:
    return QTime.fromString(str(value), Qt.DateFormat.ISODate)


class ComboBoxAdapter(Choosable, WidgetAdapter[QComboBox]):
    """A combo box. An entry without text stands for no choice.

    Args:
        synonyms: Choice to other words a person may say for it.
    """

    def __init__(
        self,
        target: QComboBox,
        context: VoiceContext,
        *,
        label: str = "",
        aliases: tuple[str, ...] = (),
        policy: Policy | None = None,
        synonyms: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self._synonyms = dict(synonyms or {})
        super().__init__(target, context, label=label, aliases=aliases, policy=policy)

    def _connect(self) -> None:
        self.widget.currentTextChanged.connect(self.touch)
        model = self.widget.model()
        model.rowsInserted.connect(self.touch)
        model.rowsRemoved.connect(self.touch)
        model.modelReset.connect(self.touch)
        model.dataChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        combo = self.widget
        texts = [combo.itemText(index) for index in range(combo.count())]
        state: dict[str, Json] = {
            **super().state(),
            "value": combo.currentText(),
            "value_type": "choice",
            "choices": [text for text in texts if text],
            "required": "" not in texts,
        }
        if self._synonyms:
            state["synonyms"] = self._synonyms
        return state

    def value(self) -> Json:
        return self.widget.currentText()

    def assign(self, value: Json) -> None:
        combo = self.widget
        index = combo.findText(str(value))
        if index < 0:
            raise ToolError(f"{self.label} has no “{value}” any more.")
        combo.setCurrentIndex(index)
        combo.activated.emit(index)
