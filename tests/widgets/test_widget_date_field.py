"""The line for a date and its calendar."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCalendarWidget, QVBoxLayout, QWidget

from app.widgets.date_field import DateField


@pytest.fixture
def field(window: QWidget) -> DateField:
    field = DateField()
    QVBoxLayout(window).addWidget(field)
    window.show()
    return field


def calendar_of(field: DateField) -> QCalendarWidget:
    calendar = field.findChild(QCalendarWidget)
    assert isinstance(calendar, QCalendarWidget)
    return calendar


def test_the_calendar_opens_at_the_date_and_takes_another(field: DateField) -> None:
    finished: list[str] = []
    field.editingFinished.connect(lambda: finished.append(field.text()))
    field.setText("2027-05-03")
    field.show_calendar()
    calendar = calendar_of(field)
    assert calendar.isVisible()
    assert calendar.selectedDate() == QDate(2027, 5, 3)
    calendar.setSelectedDate(QDate(2027, 5, 9))
    calendar.activated.emit(calendar.selectedDate())
    assert field.text() == "2027-05-09"
    assert finished[-1] == "2027-05-09"
    assert not calendar.isVisible()


def test_without_a_date_it_opens_today_and_escape_changes_nothing(field: DateField) -> None:
    field.setText("some day")
    field.show_calendar()
    calendar = calendar_of(field)
    assert calendar.selectedDate() == QDate.currentDate()
    QTest.keyClick(calendar.window(), Qt.Key.Key_Escape)
    assert field.text() == "some day"
    assert not calendar.isVisible()
