"""Which label names which widget of a window, without asking all labels for each widget."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractButton, QAbstractSpinBox, QComboBox, QFormLayout, QLabel, QLineEdit, QWidget

from app.widgets.of_window import of_window

_WITHOUT_LABELS = (QAbstractButton, QAbstractSpinBox, QComboBox, QLineEdit)
"""Widgets in which no label for another widget is looked for."""

_REARRANGED = frozenset(
    {
        QEvent.Type.ChildAdded,
        QEvent.Type.ChildRemoved,
        # The only news of a label that was there before and has been given a buddy.
        QEvent.Type.LayoutRequest,
    }
)


def label_of(widget: QWidget) -> QLabel | None:
    """The label in the widget's window that has it as buddy, the nearest if there are several, or None."""
    if widget.parentWidget() is None or widget.isWindow():
        return None
    labels = of_window(widget.window(), WindowLabels)
    # While rows are being added, one after the other, a form tells sooner than all labels of the window.
    return (None if labels.are_read else _in_form(widget)) or labels.find(widget)


def _in_form(widget: QWidget) -> QLabel | None:
    parent = widget.parentWidget()
    form = parent.layout() if parent is not None else None
    label = form.labelForField(widget) if isinstance(form, QFormLayout) else None
    return label if isinstance(label, QLabel) and label.buddy() is widget else None


class WindowLabels(QObject):
    """The labels of one window by their buddies; read again when something was added to it or taken from it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._labels: dict[int, list[QLabel]] | None = None

    @property
    def are_read(self) -> bool:
        """Whether finding one takes no time."""
        return self._labels is not None

    def find(self, widget: QWidget) -> QLabel | None:
        """The label that has `widget` as buddy."""
        if self._labels is None:
            self._labels = {}
            self._read(widget.window(), self._labels)
        found = self._labels.get(_address(widget), [])
        if all(shiboken6.isValid(label) and label.buddy() is widget for label in found):
            return found[0] if len(found) == 1 else _nearest(widget, found)
        self._labels = None
        return self.find(widget)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Passes everything on."""
        if event.type() in _REARRANGED:
            self._labels = None
        return False

    def _read(self, owner: QWidget, labels: dict[int, list[QLabel]]) -> None:
        owner.installEventFilter(self)
        for child in owner.children():
            if isinstance(child, QLabel):
                buddy = child.buddy()
                if buddy is not None:
                    labels.setdefault(_address(buddy), []).append(child)
            elif isinstance(child, QWidget) and not isinstance(child, _WITHOUT_LABELS) and not child.isWindow():
                self._read(child, labels)


def _address(widget: QWidget) -> int:
    """What tells widgets apart without keeping them. It may be given to another one later: the buddy is asked, too."""
    address: int = shiboken6.getCppPointer(widget)[0]
    return address


def _nearest(widget: QWidget, labels: list[QLabel]) -> QLabel | None:
    owner = widget.parentWidget()
    while labels and owner is not None:
        for label in labels:
            if owner.isAncestorOf(label):
                return label
        owner = owner.parentWidget()
    return None
