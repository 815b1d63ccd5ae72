"""Numbers on everything that can be operated, for what has no name that is easy to say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QWidget

from app.agent.errors import ToolError
from app.agent.handles import InstanceHandle
from app.agent.json_types import Json
from app.agent.registry import Registry
from app.agent.snapshot import Example, Preview
from app.agent.tools import ai_tool
from app.widgets.adapter import WidgetAdapter
from app.widgets.operations import Clickable, Scrollable, Switchable
from app.widgets.overlay import Overlay
from app.widgets.theme import GRID, RADIUS, Colours, sized_font
from app.widgets.views import TabsAdapter, ViewAdapter

MAXIMUM_NUMBERS = 99
_PADDING = QMargins(4, 1, 4, 1)


@dataclass(frozen=True, slots=True)
class _Target:
    """What a number stands for: a widget, or one item of a list."""

    adapter: WidgetAdapter[Any]
    index: QPersistentModelIndex | None = None


class NumbersOverlay(Overlay):
    """Shows the numbers, and presses what has the number that is said. Esc, and using one, hides them."""

    def __init__(self, window: QWidget, registry: Registry) -> None:
        super().__init__(window)
        self._registry = registry
        self._targets: list[_Target] = []
        self._handle: InstanceHandle | None = None

    def show_numbers(self) -> int:
        """Numbers what can be operated now, and returns how many there are."""
        self.clear()
        self._targets = self._find()
        for target in self._targets:
            target.adapter.widget.installEventFilter(self)
        self._handle = self._registry.register_instance(self, label="Numbers", state=self.state)
        application = QCoreApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self.cover_window()
        return len(self._targets)

    def clear(self) -> None:
        """Hides the numbers."""
        application = QCoreApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        if self._handle is not None:
            self._handle.dispose()
            self._handle = None
        self._targets = []
        self.hide()

    def state(self) -> Mapping[str, Json]:
        """How many numbers there are; what can't be undone is asked about under its number, too."""
        state: dict[str, Json] = {"minimum": 1, "maximum": len(self._targets)}
        if any(target.adapter.state().get("irreversible") for target in self._targets if target.index is None):
            state["irreversible"] = True
        return state

    @ai_tool(
        name="click_number",
        policy="confirm",
        title="Press number",
        examples=(Example("number 3", {"number": 3}),),
    )
    def click_number(self, number: int) -> str:
        """Presses, opens or goes to what has this number on the screen.

        Args:
            number: The number shown.
        """
        target = self._target(number)
        name = self._name(target)
        adapter, index = target.adapter, target.index
        self.clear()
        adapter.require_available()
        if index is not None and isinstance(adapter, ViewAdapter):
            adapter.show_item(_living(index))
            return f"{name} is open."
        if isinstance(adapter, Clickable):
            return adapter.click()
        if isinstance(adapter, Switchable):
            return adapter.toggle(not adapter.value())
        widget = adapter.widget
        widget.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(widget, QComboBox):
            widget.showPopup()
        return f"The keyboard is in {name}."

    def preview_call(self, tool: str, arguments: Mapping[str, Json]) -> Preview:
        """What the number stands for. Raises ToolError where there is none."""
        assert tool == "click_number"
        number = arguments["number"]
        assert isinstance(number, int)
        target = self._target(number)
        effect = target.adapter.state().get("effect")
        return Preview(effect=effect if isinstance(effect, str) else f"Uses {self._name(target)}.")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc hides the numbers, and so does a page that goes; passes all else on."""
        kind = event.type()
        if kind is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.clear()
            return True
        if kind is QEvent.Type.Hide and any(each.adapter.parent() is watched for each in self._targets):
            self.clear()
        elif kind in (QEvent.Type.Move, QEvent.Type.Resize) and self.isVisible():
            self.update()
        return super().eventFilter(watched, event) if watched is self.covered else False

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Draws a badge at the upper left corner of each."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(sized_font("small", bold=True))
        colours = Colours.of(self.palette())
        metrics = painter.fontMetrics()
        for number, target in enumerate(self._targets, 1):
            text = str(number)
            place = self._place(target)
            badge = QRect(place.topLeft(), metrics.size(0, text).grownBy(_PADDING))
            badge.translate(-GRID // 2, -GRID // 2)
            badge.moveLeft(max(0, badge.left()))
            painter.setPen(QColor(colours.window))
            painter.setBrush(QColor(colours.text))
            painter.drawRoundedRect(badge, RADIUS // 2, RADIUS // 2)
            painter.drawText(badge, Qt.AlignmentFlag.AlignCenter, text)

    def _find(self) -> list[_Target]:
        found: list[_Target] = []
        for adapter in sorted(self.covered.findChildren(WidgetAdapter), key=self._reading_order):
            if not adapter.guid or adapter.available() or adapter.widget.visibleRegion().isEmpty():
                continue
            if isinstance(adapter, ViewAdapter):
                found += [_Target(adapter, index) for index in _visible_rows(adapter.widget)]
            elif isinstance(adapter, Scrollable | TabsAdapter):
                continue
            else:
                found.append(_Target(adapter))
        return found[:MAXIMUM_NUMBERS]

    def _reading_order(self, adapter: WidgetAdapter[Any]) -> tuple[int, int]:
        place = self.place_of(adapter.widget)
        return place.top(), place.left()

    def _place(self, target: _Target) -> QRect:
        widget = target.adapter.widget
        if target.index is not None and isinstance(widget, QAbstractItemView):
            return self.place_of(widget.viewport(), widget.visualRect(_living(target.index)))
        return self.place_of(widget)

    def _target(self, number: int) -> _Target:
        if not 1 <= number <= len(self._targets):
            raise ToolError(f"There is no number {number}: 1 to {len(self._targets)} are shown.")
        return self._targets[number - 1]

    def _name(self, target: _Target) -> str:
        return str(target.index.data()) if target.index is not None else target.adapter.label


def _living(index: QPersistentModelIndex) -> QModelIndex:
    return index.model().index(index.row(), index.column(), index.parent())


def _visible_rows(view: QAbstractItemView) -> list[QPersistentModelIndex]:
    """The rows of a list that can be seen."""
    rows: list[QPersistentModelIndex] = []
    area = view.viewport().rect()
    index = view.indexAt(area.topLeft())
    while index.isValid() and view.visualRect(index).top() <= area.bottom():
        rows.append(QPersistentModelIndex(index))
        below = view.visualRect(index).bottomLeft()
        below.setY(below.y() + 1)
        index = view.indexAt(below)
    return rows
