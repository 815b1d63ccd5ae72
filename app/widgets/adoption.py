"""`voice_enable(window)`: any Qt window becomes operable by voice, without a change to its own code."""

from __future__ import annotations

from weakref import WeakSet

import shiboken6
from PySide6.QtCore import QChildEvent, QEvent, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QCalendarWidget,
    QCheckBox,
    QComboBox,
    QDateTimeEdit,
    QDial,
    QDoubleSpinBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QScrollBar,
    QSlider,
    QSpinBox,
    QTabBar,
    QTextEdit,
    QToolButton,
    QWidget,
)

from app.agent.registry import Registry
from app.qtbridge.undo import UndoLog
from app.widgets.adapter import Adapter, adapter_of
from app.widgets.buttons import ActionAdapter, ButtonAdapter, GroupBoxAdapter, SwitchActionAdapter, SwitchAdapter
from app.widgets.context import VoiceContext
from app.widgets.text_fields import LineEditAdapter, TextEditAdapter, is_secret
from app.widgets.value_fields import ComboBoxAdapter, DateTimeAdapter, SliderAdapter, SpinBoxAdapter
from app.widgets.views import ScrollAdapter, TabsAdapter, ViewAdapter

_LEFT_OUT = "voice_left_out"

_WHOLE = (
    QAbstractSpinBox,
    QComboBox,
    QAbstractItemView,
    QTabBar,
    QTextEdit,
    QPlainTextEdit,
    QLineEdit,
    QScrollBar,
    QCalendarWidget,
    QAbstractButton,
    QMenu,
    QMenuBar,
)
"""Widgets whose inner widgets are their own affair."""


def leave_out(widget: QWidget) -> None:
    """Keeps a widget, and all that is in it, from being adopted."""
    widget.setProperty(_LEFT_OUT, True)


def make_adapter(widget: QWidget, context: VoiceContext) -> Adapter | None:
    """An adapter for a widget of a kind that is known, or None."""
    if isinstance(widget, QLineEdit):
        return None if is_secret(widget) else LineEditAdapter(widget, context)
    if isinstance(widget, QTextEdit | QPlainTextEdit):
        return TextEditAdapter(widget, context)
    if isinstance(widget, QSpinBox | QDoubleSpinBox):
        return SpinBoxAdapter(widget, context)
    if isinstance(widget, QDateTimeEdit):
        return DateTimeAdapter(widget, context)
    if isinstance(widget, QComboBox):
        return ComboBoxAdapter(widget, context)
    return _make_pressed(widget, context) or _make_area(widget, context)


def _make_pressed(widget: QWidget, context: VoiceContext) -> Adapter | None:
    if isinstance(widget, QAbstractButton):
        switched = isinstance(widget, QCheckBox | QRadioButton) or widget.isCheckable()
        return SwitchAdapter(widget, context) if switched else ButtonAdapter(widget, context)
    if isinstance(widget, QGroupBox) and widget.isCheckable():
        return GroupBoxAdapter(widget, context)
    return None


def _make_area(widget: QWidget, context: VoiceContext) -> Adapter | None:
    if isinstance(widget, QAbstractItemView):
        return ViewAdapter(widget, context)
    if isinstance(widget, QTabBar):
        return TabsAdapter(widget, context)
    if isinstance(widget, QSlider | QDial):
        assert isinstance(widget, QAbstractSlider)
        return SliderAdapter(widget, context)
    return ScrollAdapter(widget, context) if isinstance(widget, QScrollArea) else None


class VoiceEnabled(QObject):
    """The voice control of one window: adopts what is in it, and what is added later."""

    def __init__(self, window: QWidget, context: VoiceContext) -> None:
        super().__init__(window)
        self._context = context
        self._own: WeakSet[Adapter] = WeakSet()
        self._adopt(window)

    def dispose(self) -> None:
        """Takes the window's widgets out of the registry and follows it no longer. May be called twice."""
        window = self._window()
        for widget in (window, *window.findChildren(QWidget)):
            widget.removeEventFilter(self)
        for adapter in tuple(self._own):
            if shiboken6.isValid(adapter):
                adapter.dispose()
        self._own.clear()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adopts what is added; passes everything on."""
        kind = event.type()
        # A child that has only been added is not finished yet; it is polished before it is shown.
        if kind is QEvent.Type.ChildPolished and isinstance(event, QChildEvent):
            child = event.child()
            if isinstance(child, QWidget):
                self._adopt(child)
        elif kind is QEvent.Type.ActionAdded and isinstance(watched, QMenuBar | QMenu):
            self._adopt_actions(watched)
        return False

    def _adopt(self, widget: QWidget) -> None:
        if isinstance(widget, QMenu | QLabel) or widget.property(_LEFT_OUT):
            return
        if isinstance(widget, QMenuBar):
            self._adopt_actions(widget)
            return
        menu = widget.menu() if isinstance(widget, QPushButton | QToolButton) else None
        if isinstance(menu, QMenu):
            # Pressing the button would only open the menu, and wait for it.
            self._adopt_actions(menu)
            return
        if adapter_of(widget) is None:
            adapter = make_adapter(widget, self._context)
            if adapter is not None:
                self._own.add(adapter)
        if isinstance(widget, _WHOLE):
            return
        widget.installEventFilter(self)
        for child in widget.children():
            if isinstance(child, QWidget):
                self._adopt(child)

    def _adopt_actions(self, menu: QMenuBar | QMenu) -> None:
        menu.installEventFilter(self)
        for action in menu.actions():
            submenu = action.menu()
            if isinstance(submenu, QMenu):
                self._adopt_actions(submenu)
            elif not action.isSeparator() and adapter_of(action) is None and not _has_button(action):
                kind = SwitchActionAdapter if action.isCheckable() else ActionAdapter
                self._own.add(kind(action, self._context, self._window()))

    def _window(self) -> QWidget:
        window = self.parent()
        assert isinstance(window, QWidget)
        return window


def _has_button(action: QAction) -> bool:
    """Whether a tool bar shows the action too: its button is adopted, and one of them is enough."""
    return any(isinstance(each, QToolButton) for each in action.associatedObjects())


def voice_enable(window: QWidget, registry: Registry, undo: UndoLog) -> VoiceEnabled:
    """Makes everything in a window operable by voice: also its menus, and what is added to it later.

    Args:
        window: Any window; its own code needs no change. `leave_out` excludes a part of it beforehand.
        registry: Where its widgets are registered while they are visible.
        undo: Takes the changes made by voice.

    Returns:
        What ends it by `dispose()`; it ends with the window by itself.
    """
    return VoiceEnabled(window, VoiceContext(registry, undo.record))
