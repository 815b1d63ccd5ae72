"""The row that goes on in the next line: as tall as it has to be, and worked out once for each width."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSize
from PySide6.QtWidgets import QWidget, QWidgetItem

from app.widgets.flow_layout import FlowLayout


class Box(QWidget):
    """A square."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.side = 50

    def sizeHint(self) -> QSize:
        return QSize(self.side, self.side)


class Counted(QWidgetItem):
    """Counts how often it is asked how large it is."""

    asked = 0

    def sizeHint(self) -> QSize:
        self.asked += 1
        return super().sizeHint()


def test_its_height_is_worked_out_once_for_each_width(window: QWidget) -> None:
    row = FlowLayout(window, spacing=0)
    items = [Counted(Box(window)) for _ in range(4)]
    for item in items:
        row.addItem(item)
    window.show()
    assert (row.heightForWidth(200), row.heightForWidth(120)) == (50, 100)
    asked = items[0].asked
    assert asked > 0
    assert (row.heightForWidth(200), row.heightForWidth(120)) == (50, 100)
    assert items[0].asked == asked


def test_its_height_follows_what_is_in_it(window: QWidget) -> None:
    row, boxes = FlowLayout(window, spacing=0), [Box(window) for _ in range(4)]
    for box in boxes:
        row.addWidget(box)
    window.show()
    assert row.heightForWidth(120) == 100
    row.addWidget(Box(window))
    QCoreApplication.processEvents()
    assert row.heightForWidth(120) == 150
    assert row.takeAt(0) is not None
    assert row.heightForWidth(120) == 100
    boxes[1].side = 60
    boxes[1].updateGeometry()
    assert row.heightForWidth(120) == 110
    boxes[1].hide()
    boxes[2].hide()
    assert row.heightForWidth(120) == 50
