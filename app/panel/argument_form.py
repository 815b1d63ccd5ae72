"""The form in a proposal card in which its arguments are edited."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.agent.json_types import Json, JsonObject
from app.agent.proposal import Proposal
from app.panel.argument_fields import ArgumentField, FieldError, make_field
from app.panel.card_words import words
from app.panel.text_block import WrapLabel
from app.widgets.theme import GAP, set_text_size
from app.widgets.theme.colours import Colours
from app.widgets.theme.paint import set_label_colour
from app.widgets.theme.palette_widget import PaletteWidget


class ArgumentForm(PaletteWidget):
    """One field for each argument, its name above it. What was typed stays until the form is closed."""

    submitted = Signal(object)
    """The arguments as typed: a mapping."""
    cancelled = Signal()

    def __init__(self, proposal: Proposal, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before = dict(proposal.arguments)
        # The one value of a field is best called by the field's own name.
        self._names = {"value": proposal.target} if proposal.target else {}
        self._fields: dict[str, ArgumentField] = {}
        self._initial: dict[str, Json] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        for name, schema in _properties(proposal).items():
            self._add(name, schema, proposal.parameters)
        self._refusal = WrapLabel()
        self._refusal.hide()
        layout.addWidget(self._refusal)
        self.follow_palette()

    def field(self, name: str) -> QWidget:
        """The widget in which an argument is edited.

        Raises:
            KeyError: There is no such argument.
        """
        return self._fields[name].widget

    def focus_first(self) -> None:
        """Puts the keyboard into the first field."""
        first = next(iter(self._fields.values()), None)
        if first is not None:
            first.widget.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def refusal(self) -> str:
        """Why the last try was not accepted, or nothing."""
        return self._refusal.accessibleName()

    def show_refusal(self, message: str) -> None:
        """Says why what was typed is not accepted, leaving it there. An empty message takes that back."""
        self._refusal.set_text(message)
        self._refusal.setVisible(bool(message))

    def submit(self) -> None:
        """Emits `submitted`, or says what can't be read."""
        try:
            arguments = self._read()
        except FieldError as error:
            self.show_refusal(str(error))
            return
        self.show_refusal("")
        self.submitted.emit(arguments)

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        set_label_colour(self._refusal, Colours.of(self.palette()).danger)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Enter submits, Escape gives up; in a long text Enter is a new line, and Ctrl+Enter submits."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.submit()
        elif event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _read(self) -> dict[str, Json]:
        arguments = dict(self._before)
        for name, field in self._fields.items():
            try:
                value = field.read()
            except FieldError as error:
                field.widget.setFocus(Qt.FocusReason.OtherFocusReason)
                raise FieldError(f"{self._name(name)} takes {error}.") from None
            # An argument that was left out stays out, unless something was entered.
            if name in self._before or value != self._initial[name]:
                arguments[name] = value
        return arguments

    def _name(self, argument: str) -> str:
        return self._names.get(argument) or words(argument)

    def _add(self, name: str, schema: JsonObject, root: JsonObject) -> None:
        field = make_field(schema, self._before.get(name, schema.get("default")), root)
        try:
            self._initial[name] = field.read()
        except FieldError:
            self._initial[name] = None
        self._fields[name] = field
        label = QLabel(self._name(name))
        set_text_size(label, "small")
        label.setBuddy(field.widget)
        field.widget.setAccessibleName(self._name(name))
        if isinstance(field.widget, QPlainTextEdit):
            field.widget.setToolTip("Ctrl+Enter to update")
        layout = self.layout()
        assert layout is not None
        layout.addWidget(label)
        layout.addWidget(field.widget)


def _properties(proposal: Proposal) -> dict[str, JsonObject]:
    """The schema of each argument; of those the schema doesn't know, an empty one."""
    known = proposal.parameters.get("properties")
    properties = known if isinstance(known, Mapping) else {}
    found = {name: schema for name, schema in properties.items() if isinstance(schema, Mapping)}
    return {**found, **{name: {} for name in proposal.arguments if name not in found}}
