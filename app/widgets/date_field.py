"""A line for a date: typed in any form that is understood, or picked from a calendar."""

from __future__ import annotations

from PySide6.QtCore import QDate, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCalendarWidget, QFrame, QLineEdit, QVBoxLayout, QWidget

from app.widgets.adoption import leave_out
from app.widgets.icons import icon
from app.widgets.popup import place_below


class DateField(QLineEdit):
    """Holds an ISO date as text, or whatever was typed: who stores it says what is refused.

    Alt+Down opens a calendar.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._calendar: _Calendar | None = None
        self._open = QAction("Calendar", self)
        self._open.setShortcut("Alt+Down")
        self._open.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self._open.triggered.connect(self.show_calendar)
        self.addAction(self._open, QLineEdit.ActionPosition.TrailingPosition)
        self._recolour()

    def show_calendar(self) -> None:
        """Opens the calendar at the date that is there, or today."""
        if self._calendar is None:
            self._calendar = _Calendar(self)
        self._calendar.open_below(self)

    def pick(self, date: QDate) -> None:
        """Takes a date as a person's choice."""
        self.selectAll()
        self.insert(date.toString(Qt.DateFormat.ISODate))
        self.editingFinished.emit()

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    def _recolour(self) -> None:
        self._open.setIcon(icon("expanded", self.palette(), role="muted"))


class _Calendar(QFrame):
    """The popup. Enter or a click takes a day, Esc closes."""

    def __init__(self, owner: DateField) -> None:
        super().__init__(owner, Qt.WindowType.Popup)
        leave_out(self)
        self._owner = owner
        self._days = QCalendarWidget()
        self._days.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self._days.setFirstDayOfWeek(self.locale().firstDayOfWeek())
        self._days.clicked.connect(self._take)
        self._days.activated.connect(self._take)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._days)

    def open_below(self, owner: DateField) -> None:
        """Shows the month of the date that is there, below the field or above it."""
        date = QDate.fromString(owner.text(), Qt.DateFormat.ISODate)
        self._days.setSelectedDate(date if date.isValid() else QDate.currentDate())
        self.resize(self.sizeHint())
        place_below(self, owner)
        self.show()
        self._days.setFocus()

    def _take(self, date: QDate) -> None:
        self.hide()
        self._owner.pick(date)
