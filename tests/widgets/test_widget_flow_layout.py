"""The row that goes on in the next line: as tall as it has to be, and worked out once for each width."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QWidget

from app.widgets.flow_layout import FlowLayout


class Box(QWidget):
    """Counts how often it is asked how large it is."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.side = 50

    def sizeHint(self) -> QSize:
        self.asked += 1
        return QSize(self.side, self.side)


def row_of(window: QWidget, count: int) -> tuple[FlowLayout, list[Box]]:
    boxes = [Box() for _ in range(count)]
    row = FlowLayout(window, spacing=0)
    for box in boxes:
        row.addWidget(box)
    window.show()
    QCoreApplication.processEvents()
    return row, boxes


def test_its_height_is_worked_out_once_for_each_width(window: QWidget) -> None:
    row, boxes = row_of(window, 4)
    assert (row.heightForWidth(200), row.heightForWidth(120)) == (50, 100)
    asked = boxes[0].asked
    assert (row.heightForWidth(200), row.heightForWidth(120)) == (50, 100)
    assert boxes[0].asked == asked


def test_its_height_follows_what_is_in_it(window: QWidget) -> None:
    row, boxes = row_of(window, 4)
    assert row.heightForWidth(120) == 100
    row.addWidget(Box())
    assert row.heightForWidth(120) == 150
    assert row.takeAt(0) is not None
    assert row.heightForWidth(120) == 100
    boxes[1].side = 60
    boxes[1].updateGeometry()
    assert row.heightForWidth(120) == 110
    boxes[1].hide()
    boxes[2].hide()
    assert row.heightForWidth(120) == 50
