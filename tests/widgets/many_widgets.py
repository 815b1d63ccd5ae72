"""Windows with many widgets, for the tests of scale and for `benchmarks/bench_widgets.py`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QLineEdit, QPushButton, QSpinBox, QVBoxLayout, QWidget

KINDS: tuple[Callable[[], QWidget], ...] = (QLineEdit, QComboBox, QSpinBox, QCheckBox, QPushButton)


LIGHT_KINDS: tuple[Callable[[], QWidget], ...] = (QPushButton, QCheckBox)
"""Those that Qt makes and shows in a third of the time."""


def form_of(count: int, first: int = 0, kinds: Sequence[Callable[[], QWidget]] = KINDS) -> QWidget:
    """A form of these kinds of widgets in turn, each with a name of its own, numbered from `first`."""
    form = QWidget()
    layout = QFormLayout(form)
    for number in range(first, first + count):
        widget = kinds[number % len(kinds)]()
        name = f"Thing {number}"
        if isinstance(widget, QPushButton | QCheckBox):
            widget.setText(name)
            layout.addRow(widget)
        else:
            layout.addRow(name, widget)
        if isinstance(widget, QComboBox):
            widget.addItems(["One", "Two", "Three"])
    return form


def window_of(count: int, in_a_form: int) -> QWidget:
    """A window of that many widgets, in forms below each other."""
    window = QWidget()
    column = QVBoxLayout(window)
    for first in range(0, count, in_a_form):
        column.addWidget(form_of(in_a_form, first))
    return window
