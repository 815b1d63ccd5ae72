"""A field that holds several of a list: shows their names, and a list with check marks when it is opened."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.policy import Policy
from app.agent.values import parse_value
from app.widgets.adapter import WidgetAdapter
from app.widgets.adoption import leave_out
from app.widgets.context import VoiceContext
from app.widgets.operations import Fillable, as_argument
from app.widgets.popup import place_below

_POPUP_WIDTH = 240
_POPUP_HEIGHT = 240
_SEPARATOR = re.compile(r"(\s*,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SelectOption:
    """One thing to select: its value, and the words shown."""

    value: str
    label: str


class MultiSelect(QComboBox):
    """Several of a list. What is selected and not in the list is kept: it is only left out of the popup.

    Args:
        nothing: What is shown where nothing is selected ("Nobody yet").
    """

    edited = Signal()
    """A person has changed the selection."""

    def __init__(self, nothing: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._nothing = nothing
        self._options: dict[str, str] = {}
        self._selected: tuple[str, ...] = ()
        self._popup: CheckList | None = None
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(12)
        self._show_names()

    def options(self) -> tuple[SelectOption, ...]:
        """What can be selected."""
        return tuple(SelectOption(value, label) for value, label in self._options.items())

    def set_options(self, options: Sequence[SelectOption]) -> None:
        """Replaces what can be selected; the selection stays."""
        offered = {option.value: option.label for option in options}
        if offered != self._options:
            self._options = offered
            self._show_names()

    def selected(self) -> tuple[str, ...]:
        """The values selected, in the order in which they were."""
        return self._selected

    def select(self, values: Sequence[str]) -> None:
        """Sets the selection without saying that it was edited."""
        self._selected = tuple(dict.fromkeys(values))
        self._show_names()

    def names(self) -> list[str]:
        """The words for what is selected."""
        return [self._options.get(value, "(unknown)") for value in self._selected]

    def edit(self, values: Sequence[str]) -> None:
        """Sets the selection as a person does."""
        before = self._selected
        self.select(values)
        if self._selected != before:
            self.edited.emit()

    def showPopup(self) -> None:
        """Opens the list with check marks."""
        if self._popup is None:
            self._popup = CheckList(self)
        self._popup.open_below(self)

    def hidePopup(self) -> None:
        """Closes it."""
        if self._popup is not None:
            self._popup.hide()

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """As a combo box, with an ellipsis where the names are longer than the field."""
        painter = QStylePainter(self)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        option.currentText = self.fontMetrics().elidedText(
            option.currentText, Qt.TextElideMode.ElideRight, room.width() - 4
        )
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)

    def _show_names(self) -> None:
        text = ", ".join(self.names()) or self._nothing
        self.clear()
        self.addItem(text)
        self.setToolTip(text)


class CheckList(QFrame):
    """The popup: a search box and the options with check marks. Esc or Enter closes it."""

    def __init__(self, owner: MultiSelect) -> None:
        super().__init__(owner, Qt.WindowType.Popup)
        leave_out(self)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._owner = owner
        self._search = QLineEdit()
        self._search.setPlaceholderText("Search")
        self._search.setAccessibleName("Search the options")
        self._search.textChanged.connect(self._filter)
        self._list = QListWidget()
        self._list.setAccessibleName("Options")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.addWidget(self._search)
        layout.addWidget(self._list)
        self._list.itemChanged.connect(self._on_changed)

    def open_below(self, owner: MultiSelect) -> None:
        """Shows what can be selected now, below the field or above it."""
        self._search.clear()
        blocked = self._list.blockSignals(True)
        self._list.clear()
        for option in owner.options():
            item = QListWidgetItem(option.label)
            item.setData(Qt.ItemDataRole.UserRole, option.value)
            item.setCheckState(_check_state(option.value in owner.selected()))
            self._list.addItem(item)
        self._list.blockSignals(blocked)
        self.setFixedSize(max(owner.width(), _POPUP_WIDTH), _POPUP_HEIGHT)
        place_below(self, owner)
        self._list.setCurrentRow(0)
        self.show()
        self._list.setFocus()

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Enter closes, as Esc does."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.hide()
        else:
            super().keyPressEvent(event)

    def _filter(self, text: str) -> None:
        for row in range(self._list.count()):
            item = self._list.item(row)
            item.setHidden(text.casefold() not in item.text().casefold())

    def _on_changed(self, item: QListWidgetItem) -> None:
        value = item.data(Qt.ItemDataRole.UserRole)
        kept = [each for each in self._owner.selected() if each != value]
        self._owner.edit([*kept, value] if item.checkState() is Qt.CheckState.Checked else kept)


def _check_state(checked: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked


class MultiSelectAdapter(Fillable, WidgetAdapter[MultiSelect]):
    """Fills the field by names: "Jane Doe and John Roe".

    Args:
        noun: What one option is called, for messages ("speaker").
    """

    def __init__(
        self,
        target: MultiSelect,
        context: VoiceContext,
        *,
        noun: str,
        label: str = "",
        aliases: tuple[str, ...] = (),
        policy: Policy | None = None,
    ) -> None:
        self._noun = noun
        super().__init__(target, context, label=label, aliases=aliases, policy=policy)

    def _connect(self) -> None:
        self.widget.currentTextChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        names = [option.label for option in self.widget.options()]
        return {**super().state(), "value": self.value(), "value_type": "choices", "choices": names}

    def value(self) -> Json:
        return self.widget.names()

    def assign(self, value: Json) -> None:
        assert isinstance(value, list)
        self.widget.edit([self._value_of(str(name)) for name in value])

    def _normalised(self, text: str) -> Json:
        parts = _SEPARATOR.split(text.strip())
        found: list[str] = []
        while parts and parts[0]:
            taken, name = self._longest_known(parts)
            self._value_of(name)
            found.append(name)
            # The separator after it goes too.
            parts = parts[taken + 1 :]
        return list(dict.fromkeys(found))

    def _longest_known(self, parts: list[str]) -> tuple[int, str]:
        """How many of the parts are one name, and the name: names may hold commas and "and" themselves."""
        known = {option.label.casefold(): option.label for option in self.widget.options()}
        for end in range(len(parts), 0, -2):
            name = known.get("".join(parts[:end]).casefold())
            if name is not None:
                return end, name
        context = self.context
        try:
            named = parse_value(parts[0], "choice", self.state(), language=context.language(), today=context.today())
        except ToolError as error:
            shown = as_argument(list(known.values())[:5]) or "none yet"
            raise ToolError(f"There is no {self._noun} called “{parts[0]}”. There are: {shown}.") from error
        return 1, str(named)

    def _value_of(self, name: str) -> str:
        values = [option.value for option in self.widget.options() if option.label == name]
        chosen = [value for value in values if value in self.widget.selected()]
        if len(values) > 1 and len(chosen) != 1:
            raise ToolError(f"There are several called “{name}”: choose by hand.")
        return (chosen or values)[0]
