"""The navigation on the left: one named button for each page, Settings at the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QVBoxLayout, QWidget

from app.widgets.icons import icon
from app.widgets.theme import GAP, GRID, ICON, RADIUS, Colours

_ROW_HEIGHT = 40
_WIDTH = 184
_MARK_WIDTH = 3


@dataclass(frozen=True, slots=True)
class NavItem:
    """One page in the navigation.

    Attributes:
        name: What is read and said.
        icon: A name of `app.widgets.icons`.
        at_bottom: Set apart at the lower end.
    """

    name: str
    icon: str
    at_bottom: bool = False


class Sidebar(QWidget):
    """A list of pages of which exactly one is current. Up, Down, Home and End walk through it."""

    page_chosen = Signal(str)
    """The name of the page that the person chose; nothing is sent when the program sets the current page."""

    def __init__(self, items: Sequence[NavItem], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(_WIDTH)
        self.setAccessibleName("Pages")
        self._group = QButtonGroup(self)
        self._buttons: dict[str, NavButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        layout.setSpacing(GAP)
        ordered = [item for item in items if not item.at_bottom]
        for item in ordered:
            layout.addWidget(self._make(item))
        layout.addStretch(1)
        for item in items:
            if item.at_bottom:
                layout.addWidget(self._make(item))
        self._group.buttonClicked.connect(self._clicked)
        if self._buttons:
            self._mark(next(iter(self._buttons.values())))

    @property
    def current(self) -> str:
        """The name of the current page, or nothing where there are no pages."""
        button = self._group.checkedButton()
        return button.text() if button is not None else ""

    @Slot(str)
    def set_current(self, name: str) -> None:
        """Marks a page as the current one.

        Raises:
            KeyError: There is no such page.
        """
        self._mark(self._buttons[name])

    def button(self, name: str) -> QAbstractButton:
        """The button of a page.

        Raises:
            KeyError: There is no such page.
        """
        return self._buttons[name]

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Walks through the pages, across the gap above Settings."""
        buttons = list(self._buttons.values())
        place = next((index for index, button in enumerate(buttons) if button.isChecked()), 0)
        goal = {
            Qt.Key.Key_Up: place - 1,
            Qt.Key.Key_Down: place + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(buttons) - 1,
        }.get(Qt.Key(event.key()))
        if goal is None:
            super().keyPressEvent(event)
        elif 0 <= goal < len(buttons) and goal != place:
            buttons[goal].setFocus(Qt.FocusReason.TabFocusReason)
            buttons[goal].click()

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the line that parts it from the page."""
        QPainter(self).fillRect(self.width() - 1, 0, 1, self.height(), Colours.of(self.palette()).line)

    def _make(self, item: NavItem) -> NavButton:
        button = NavButton(item)
        self._buttons[item.name] = button
        self._group.addButton(button)
        return button

    def _clicked(self, button: QAbstractButton) -> None:
        self._mark(button)
        self.page_chosen.emit(button.text())

    def _mark(self, current: QAbstractButton) -> None:
        current.setChecked(True)
        for button in self._buttons.values():
            # One stop for Tab; the arrow keys do the rest.
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if button is current else Qt.FocusPolicy.ClickFocus)
            button.setAccessibleDescription("Current page" if button is current else "")


class NavButton(QAbstractButton):
    """One row: icon and name, with a mark at its edge while its page is open."""

    def __init__(self, item: NavItem, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = item.icon
        self.setText(item.name)
        self.setAccessibleName(item.name)
        self.setCheckable(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """One row of 40 pixels."""
        return QSize(self.fontMetrics().horizontalAdvance(self.text()) + ICON + 4 * GRID, _ROW_HEIGHT)

    def keyPressEvent(self, event: QKeyEvent, /) -> None:
        """Leaves the arrow keys to the list: a button group would walk without opening the page."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette and the font."""
        super().changeEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        """Paints the row."""
        colours = Colours.of(self.palette())
        chosen = self.isChecked()
        role = "accent_text" if chosen else "text"
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        if chosen or self.underMouse():
            painter.setBrush(QColor(colours.said if chosen else colours.raised))
            painter.drawRoundedRect(self.rect(), RADIUS, RADIUS)
        if chosen:
            mark = QRect(0, GRID, _MARK_WIDTH, self.height() - 2 * GRID)
            painter.setBrush(QColor(colours.accent))
            painter.drawRoundedRect(mark, 1, 1)
        left = GRID + GAP
        box = QRect(left, (self.height() - ICON) // 2, ICON, ICON)
        icon(self._icon, self.palette(), role=role).paint(painter, box)
        font = self.font()
        font.setBold(chosen)
        painter.setFont(font)
        painter.setPen(QColor(colours.role(role)))
        words = self.rect().adjusted(left + ICON + GRID + GAP, 0, -GAP, 0)
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, words.width())
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)
