"""What waits for the first paint comes after it, and only once."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.desk.first_paint import AfterFirstPaint


def test_it_comes_after_the_first_paint_and_once(qtbot: QtBot) -> None:
    order: list[str] = []

    class Painted(QWidget):
        def paintEvent(self, _event: QPaintEvent, /) -> None:
            order.append("paint")

    widget = Painted()
    qtbot.addWidget(widget)
    AfterFirstPaint(widget, lambda: order.append("work"))
    widget.show()
    qtbot.waitUntil(lambda: "work" in order)
    assert order[0] == "paint"
    widget.repaint()
    qtbot.waitUntil(lambda: order[-1] == "paint")
    assert order.count("work") == 1
