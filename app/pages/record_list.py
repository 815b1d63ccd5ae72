"""The list of a page: a search box, and a row for each record with a mark for what is not saved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QLineEdit, QListView, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from app.agent.json_types import Json
from app.pages.book import RecordBook
from app.widgets.context import VoiceContext
from app.widgets.icons import icon
from app.widgets.text_fields import LineEditAdapter
from app.widgets.theme import GRID, Colours
from app.widgets.views import ViewAdapter

EDITED_ROLE = Qt.ItemDataRole.UserRole + 1
KEY_ROLE = Qt.ItemDataRole.UserRole + 2
_DOT = 8
_SHARPNESS = 3
_WIDTH = 232


class RecordModel(QAbstractListModel):
    """The entries of a book as rows."""

    def __init__(self, book: RecordBook) -> None:
        super().__init__()
        self._book = book
        self._keys = book.order()
        book.entries_changed.connect(self._follow)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = QModelIndex(), /) -> int:  # noqa: B008
        """One row an entry."""
        return 0 if parent.isValid() else len(self._keys)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole, /) -> object:
        """Title, key, and whether there is something to save; in words for a screen reader."""
        key = self._keys[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._book.title(key)
        if role == EDITED_ROLE:
            return self._book.is_edited(key)
        if role == KEY_ROLE:
            return key
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._book.title(key)}, edited" if self._book.is_edited(key) else self._book.title(key)
        return None

    def row_of(self, key: str) -> int:
        """The row of an entry, or -1."""
        return self._keys.index(key) if key in self._keys else -1

    def _follow(self) -> None:
        keys = self._book.order()
        if keys == self._keys:
            self.dataChanged.emit(self.index(0), self.index(max(0, len(keys) - 1)))
            return
        self.beginResetModel()
        self._keys = keys
        self.endResetModel()


class RecordList(QWidget):
    """The search box and the list below it.

    Args:
        label: What the list is called: the name of its page.
    """

    current_changed = Signal(str)
    """Another entry is selected; carries its key, or an empty string."""

    def __init__(self, book: RecordBook, context: VoiceContext, label: str) -> None:
        super().__init__()
        self._key = ""
        self._filtering = False
        self.search = QLineEdit()
        self.search.setAccessibleName("Search")
        self.search.setPlaceholderText("Search (Ctrl+F)")
        self.search.setClearButtonEnabled(True)
        self._search_icon = QAction(self.search)
        self.search.addAction(self._search_icon, QLineEdit.ActionPosition.LeadingPosition)
        self.model = RecordModel(book)
        self.model.setParent(self)
        self.proxy = QSortFilterProxyModel(self)
        self.proxy.setSourceModel(self.model)
        self.proxy.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.view = QListView()
        self.view.setModel(self.proxy)
        self.view.setAccessibleName(label)
        self.view.setItemDelegate(_RowDelegate(self.view))
        self.view.setUniformItemSizes(True)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self.search)
        layout.addWidget(self.view)
        self.search.textChanged.connect(self._filter)
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self.model.modelReset.connect(self._reselect)
        RecordsAdapter(self.view, context, owner=self, label=label)
        LineEditAdapter(self.search, context)
        self._recolour()

    @property
    def key(self) -> str:
        """The entry selected, or an empty string."""
        return self._key

    def select(self, key: str) -> None:
        """Selects an entry; a search that hides it is cleared."""
        row = self.model.row_of(key)
        index = self.proxy.mapFromSource(self.model.index(row))
        if row >= 0 and not index.isValid():
            self.search.clear()
            index = self.proxy.mapFromSource(self.model.index(row))
        self._set_key(key if row >= 0 else "")
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)

    def select_first(self) -> None:
        """Selects the first entry of all."""
        self.search.clear()
        self.select(str(self.model.index(0).data(KEY_ROLE)) if self.model.rowCount() else "")

    def sizeHint(self) -> QSize:
        """Wide enough for most titles."""
        return QSize(_WIDTH, super().sizeHint().height())

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    def _recolour(self) -> None:
        self._search_icon.setIcon(icon("search", self.palette(), role="muted"))

    def _filter(self, text: str) -> None:
        # The view moves on to another row when its own is filtered out; the form keeps the record it shows.
        self._filtering = True
        self.proxy.setFilterFixedString(text.strip())
        self.view.selectionModel().clear()
        self._filtering = False
        self._reselect()

    def _on_current(self, current: QModelIndex) -> None:
        if current.isValid() and not self._filtering:
            self._set_key(str(current.data(KEY_ROLE)))

    def _reselect(self) -> None:
        row = self.model.row_of(self._key)
        if row < 0:
            self.select(str(self.model.index(0).data(KEY_ROLE)) if self.model.rowCount() else "")
            return
        index = self.proxy.mapFromSource(self.model.index(row))
        if index.isValid():
            self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _set_key(self, key: str) -> None:
        if key != self._key:
            self._key = key
            self.current_changed.emit(key)


class RecordsAdapter(ViewAdapter):
    """Opens any record of the list, also one that the search hides at the moment."""

    def __init__(self, target: QListView, context: VoiceContext, *, owner: RecordList, label: str) -> None:
        super().__init__(target, context, label=label)
        owner.model.dataChanged.connect(self.touch)
        owner.model.modelReset.connect(self.touch)
        owner.current_changed.connect(self.touch)

    def state(self) -> Mapping[str, Json]:
        owner = self._owner()
        title = owner.model.index(owner.model.row_of(owner.key)).data()
        return {**super().state(), "value": title}

    def _items(self) -> Iterator[tuple[str, QModelIndex]]:
        model = self._owner().model
        for row in range(model.rowCount()):
            index = model.index(row)
            yield str(index.data()), index

    def show_item(self, index: QModelIndex) -> None:
        """Opens the record; the index may be one of the narrowed list."""
        self._owner().select(str(index.data(KEY_ROLE)))

    def _owner(self) -> RecordList:
        owner = self.widget.parentWidget()
        assert isinstance(owner, RecordList)
        return owner


class _RowDelegate(QStyledItemDelegate):
    """Draws a dot at the end of a row that has something to save."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex, /) -> QSize:
        """Rows that are easy to hit."""
        size = super().sizeHint(option, index)
        return QSize(size.width(), max(GRID * 4, size.height() + GRID))

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex, /) -> None:
        """Adds the dot as an icon, so that the style keeps the title clear of it."""
        super().initStyleOption(option, index)
        if index.data(EDITED_ROLE):
            option.features |= QStyleOptionViewItem.ViewItemFeature.HasDecoration
            option.decorationPosition = QStyleOptionViewItem.Position.Right
            option.decorationSize = QSize(_DOT, _DOT)
            option.icon = _dot(Colours.of(option.palette))


def _dot(colours: Colours) -> QIcon:
    dot = QIcon()
    for mode, colour in ((QIcon.Mode.Normal, colours.caution), (QIcon.Mode.Selected, colours.on_accent)):
        pixmap = QPixmap(_DOT * _SHARPNESS, _DOT * _SHARPNESS)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawEllipse(pixmap.rect())
        painter.end()
        pixmap.setDevicePixelRatio(_SHARPNESS)
        dot.addPixmap(pixmap, mode)
    return dot
