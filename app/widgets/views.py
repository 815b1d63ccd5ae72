"""Adapters of lists, tables, trees, rows of tabs and scrolling areas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from PySide6.QtCore import QAbstractItemModel, QModelIndex
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QListView, QTabBar, QTableView, QTreeView, QWidget

from app.agent.json_types import Json
from app.widgets.adapter import WidgetAdapter
from app.widgets.matching import find_item
from app.widgets.naming import name_of, tidy
from app.widgets.operations import Direction, Openable, Scrollable

MAXIMUM_LISTED = 200
"""How many items the state names. The others can be opened too: their names are searched when asked for."""

MAXIMUM_SEARCHED = 20_000


class ScrollAdapter(Scrollable, WidgetAdapter[QAbstractScrollArea]):
    """An area that scrolls."""

    def _connect(self) -> None:
        self.widget.verticalScrollBar().rangeChanged.connect(self.touch)

    def _scroll(self, direction: Direction) -> None:
        scroll_area(self.widget, direction)

    def _refusal(self) -> str:
        bar = self.widget.verticalScrollBar()
        return "all of it is visible" if bar.minimum() == bar.maximum() else ""

    def _found_label(self) -> str:
        return super()._found_label() or "Page"


class ViewAdapter(Openable, Scrollable, WidgetAdapter[QAbstractItemView]):
    """A list, table or tree. Opening an item selects it, scrolls to it, and activates it as Enter does."""

    _model: QAbstractItemModel | None = None

    def _connect(self) -> None:
        self._follow_model()

    def state(self) -> Mapping[str, Json]:
        names: list[str] = []
        more = False
        for name, _index in self._items():
            if len(names) == MAXIMUM_LISTED:
                more = True
                break
            names.append(name)
        state: dict[str, Json] = {**super().state(), "items": names}
        current = self._name(self.widget.currentIndex())
        if current:
            state["value"] = current
        if more:
            state["items_are_more"] = True
        return state

    def _register(self, window: QWidget) -> None:
        self._follow_model()
        super()._register(window)

    def _full_name(self, name: str) -> str:
        return self._find(name)[0]

    def _open(self, name: str) -> str:
        found, index = self._find(name)
        self.show_item(index)
        return found

    def _find(self, name: str) -> tuple[str, QModelIndex]:
        items = list(islice(self._items(), MAXIMUM_SEARCHED))
        return items[find_item(name, [each for each, _ in items])]

    def show_item(self, index: QModelIndex) -> None:
        """Opens the item at a place of the view's model."""
        view = self.widget
        view.setCurrentIndex(index)
        view.scrollTo(index)
        view.activated.emit(index)

    def _scroll(self, direction: Direction) -> None:
        scroll_area(self.widget, direction)

    def _follow_model(self) -> None:
        """Connects the model the view has now; it may have been given another one since."""
        model, selection = self.widget.model(), self.widget.selectionModel()
        if model is self._model:
            return
        self._model = model
        model.modelReset.connect(self.touch)
        model.rowsInserted.connect(self.touch)
        model.rowsRemoved.connect(self.touch)
        model.dataChanged.connect(self.touch)
        model.layoutChanged.connect(self.touch)
        selection.currentChanged.connect(self.touch)

    def _items(self) -> Iterator[tuple[str, QModelIndex]]:
        model = self.widget.model()
        if model is not None:
            yield from self._rows(model, self.widget.rootIndex())

    def _rows(self, model: QAbstractItemModel, parent: QModelIndex) -> Iterator[tuple[str, QModelIndex]]:
        view = self.widget
        for row in range(model.rowCount(parent)):
            if isinstance(view, QListView | QTableView) and view.isRowHidden(row):
                continue
            if isinstance(view, QTreeView) and view.isRowHidden(row, parent):
                continue
            index = model.index(row, view.modelColumn() if isinstance(view, QListView) else 0, parent)
            name = self._name(index)
            if name:
                yield name, index
            if isinstance(view, QTreeView) and model.hasChildren(index):
                yield from self._rows(model, index)

    def _name(self, index: QModelIndex) -> str:
        """The text of the item, in a table that of the first cell of its row that has one."""
        if not index.isValid():
            return ""
        text = str(index.data() or "")
        if text or not isinstance(self.widget, QTableView):
            return text
        columns = index.model().columnCount(index.parent())
        return next((str(data) for column in range(columns) if (data := index.siblingAtColumn(column).data())), "")


class TabsAdapter(Openable, WidgetAdapter[QTabBar]):
    """A row of tabs."""

    def _connect(self) -> None:
        self.widget.currentChanged.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        bar = self.widget
        names = [name for _, name in self._tabs()]
        return {**super().state(), "items": names, "value": tidy(bar.tabText(bar.currentIndex()))}

    def _full_name(self, name: str) -> str:
        return self._find(name)[1]

    def _open(self, name: str) -> str:
        index, found = self._find(name)
        self.widget.setCurrentIndex(index)
        return found

    def _find(self, name: str) -> tuple[int, str]:
        tabs = self._tabs()
        return tabs[find_item(name, [each for _, each in tabs])]

    def _tabs(self) -> list[tuple[int, str]]:
        bar = self.widget
        return [(index, tidy(bar.tabText(index))) for index in range(bar.count()) if bar.isTabVisible(index)]

    def _found_label(self) -> str:
        owner = self.widget.parentWidget()
        return name_of(self.widget) or (name_of(owner) if owner is not None else "") or "Tabs"


def scroll_area(area: QAbstractScrollArea, direction: Direction) -> None:
    """Scrolls by a page, or to an end."""
    bar = area.verticalScrollBar()
    position = {
        "up": bar.value() - bar.pageStep(),
        "down": bar.value() + bar.pageStep(),
        "top": bar.minimum(),
        "bottom": bar.maximum(),
    }
    bar.setValue(position[direction])
