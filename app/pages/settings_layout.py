"""How the Settings page is laid out: forms, headings, and what stands between the settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QFrame, QHBoxLayout, QLabel, QLayout, QScrollArea, QVBoxLayout, QWidget

from app.widgets.theme import GRID, set_text_size

LABEL_WIDTH = 152


@dataclass(frozen=True, slots=True)
class Extra:
    """Something in the form that is no plain setting.

    Attributes:
        after: The key of the setting, or the title of the section, that it follows.
        label: The words on the left; without any it takes the whole width.
        buddy: What the label's letter goes to, if anything.
    """

    after: str
    widget: QWidget
    label: str = ""
    buddy: QWidget | None = None


def new_form() -> QFormLayout:
    """The form of one section."""
    form = QFormLayout()
    form.setHorizontalSpacing(GRID * 2)
    form.setVerticalSpacing(GRID)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
    return form


def add_extras(form: QFormLayout, after: str, extras: Sequence[Extra]) -> None:
    """Adds what follows a setting or a section."""
    for extra in extras:
        if extra.after != after:
            continue
        if not extra.label:
            form.addRow(extra.widget)
            continue
        label = QLabel(extra.label)
        label.setMinimumWidth(LABEL_WIDTH)
        if extra.buddy is not None:
            label.setBuddy(extra.buddy)
        form.addRow(label, extra.widget)


def lay_out(widget: QWidget, line: Sequence[QWidget], below: QWidget) -> None:
    """Puts widgets in one line, of which the first takes the room there is, and another below."""
    row = QHBoxLayout()
    row.setSpacing(GRID)
    for index, each in enumerate(line):
        row.addWidget(each, 0 if index else 1)
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GRID // 2)
    layout.addLayout(row)
    layout.addWidget(below)


def put_tabs_in_order(inner: QWidget) -> None:
    """Lets Tab go through a form as one reads it, whenever its parts were made."""
    stops = list(_tab_stops(inner))
    for one, next_one in pairwise(stops):
        QWidget.setTabOrder(one, next_one)


def _tab_stops(widget: QWidget) -> Iterator[QWidget]:
    if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
        yield widget
    layout = widget.layout()
    if layout is not None:
        yield from _tab_stops_of(layout)


def _tab_stops_of(layout: QLayout) -> Iterator[QWidget]:
    index = 0
    while (item := layout.itemAt(index)) is not None:
        index += 1
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            yield from _tab_stops(widget)
        elif inner is not None:
            yield from _tab_stops_of(inner)


def scrolling(inner: QWidget, name: str) -> QScrollArea:
    """An area that scrolls up and down only."""
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(inner)
    return area


def under_heading(text: str, widget: QWidget) -> QWidget:
    """A part of a section with a heading of its own."""
    heading = QLabel(text)
    set_text_size(heading, "normal", bold=True)
    block = QWidget()
    layout = QVBoxLayout(block)
    layout.setContentsMargins(0, GRID, 0, 0)
    layout.setSpacing(GRID)
    layout.addWidget(heading)
    layout.addWidget(widget)
    return block
