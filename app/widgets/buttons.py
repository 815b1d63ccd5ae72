"""Adapters of what is pressed or switched: buttons, menu actions, check and radio boxes."""

from __future__ import annotations

import weakref
from collections.abc import Mapping

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QGroupBox, QRadioButton, QWidget

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.policy import Policy
from app.widgets.adapter import DISABLED, HIDDEN, Adapter, WidgetAdapter
from app.widgets.context import VoiceContext
from app.widgets.modality import ModalityWatch
from app.widgets.naming import name_of
from app.widgets.operations import Clickable, Switchable


class _ButtonLabel(WidgetAdapter[QAbstractButton]):
    """Follows the text of a button: Qt sends no event when it changes, but it does repaint."""

    _text = ""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and self._text != self.widget.text():
            self.unregister()
            self._register(self.widget.window())
        return super().eventFilter(watched, event)

    def _register(self, window: QWidget) -> None:
        self._text = self.widget.text()
        super()._register(window)


class ButtonAdapter(Clickable, _ButtonLabel):
    """A push button or tool button.

    Args:
        effect: One sentence that says what pressing it does; by default its tool tip.
    """

    def __init__(
        self,
        target: QAbstractButton,
        context: VoiceContext,
        *,
        label: str = "",
        aliases: tuple[str, ...] = (),
        policy: Policy | None = None,
        effect: str = "",
    ) -> None:
        self._effect = effect
        super().__init__(target, context, label=label, aliases=aliases, policy=policy)

    def state(self) -> Mapping[str, Json]:
        effect = self._effect or self.widget.toolTip()
        state = dict(super().state())
        if effect and effect != self.widget.text():
            state["effect"] = effect
        return state

    def _press(self) -> str:
        self.widget.click()
        return ""


class SwitchAdapter(Switchable, _ButtonLabel):
    """A check box, radio button, or push button that stays down."""

    def _connect(self) -> None:
        self.widget.toggled.connect(self.touch)

    def value(self) -> Json:
        return self.widget.isChecked()

    def assign(self, value: Json) -> None:
        button = self.widget
        if button.isChecked() == value:
            return
        if not value and isinstance(button, QRadioButton) and button.autoExclusive():
            raise ToolError(f"{self.label} is switched off by choosing another option.")
        button.click()


class GroupBoxAdapter(Switchable, WidgetAdapter[QGroupBox]):
    """A group box with a check mark."""

    def _connect(self) -> None:
        self.widget.toggled.connect(self.touch)

    def value(self) -> Json:
        return self.widget.isChecked()

    def assign(self, value: Json) -> None:
        self.widget.setChecked(bool(value))


class _ActionAdapter(Adapter):
    """An action of a menu or tool bar; registered while its window is visible.

    Args:
        target: The action.
        window: The window whose menu it is in.
    """

    _window: weakref.ref[QWidget] | None = None

    def __init__(self, target: QAction, context: VoiceContext, window: QWidget) -> None:
        super().__init__(target, context)
        self._window = weakref.ref(window)
        self._text = target.text()
        window.installEventFilter(self)
        target.changed.connect(self._on_changed)
        self._follow()

    @property
    def action(self) -> QAction:
        """The action itself."""
        action = self.parent()
        assert isinstance(action, QAction)
        return action

    def available(self) -> str:
        window = self._shown_in()
        if window is None:
            return HIDDEN
        return ModalityWatch.of(window).reason() if self.action.isEnabled() else DISABLED

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follows the window's visibility; passes everything on."""
        if event.type() in (QEvent.Type.Show, QEvent.Type.Hide) and not event.spontaneous():
            self._follow()
        return False

    def _on_changed(self) -> None:
        if self._text != self.action.text():
            self.unregister()
        self._follow()
        self.touch()

    def _follow(self) -> None:
        window = self._shown_in()
        if window is None:
            self.unregister()
        else:
            self._text = self.action.text()
            self._register(window)

    def _shown_in(self) -> QWidget | None:
        """The window of the action, if both are visible."""
        window = self._window() if self._window is not None else None
        return window if window is not None and window.isVisible() and self.action.isVisible() else None

    def _found_label(self) -> str:
        return name_of(self.action)


class ActionAdapter(Clickable, _ActionAdapter):
    """An action that does something."""

    def _press(self) -> str:
        self.action.trigger()
        return ""


class SwitchActionAdapter(Switchable, _ActionAdapter):
    """An action that is on or off."""

    def value(self) -> Json:
        return self.action.isChecked()

    def assign(self, value: Json) -> None:
        if self.action.isChecked() != value:
            self.action.trigger()
