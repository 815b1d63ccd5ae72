"""Objects of which each window has one of its own, found at once however much is in the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

T = TypeVar("T", bound=QObject)


def of_window(window: QWidget, kind: Callable[[QWidget], T]) -> T:
    """The object of that class that belongs to `window`; made with it as parent at the first call."""
    # A dynamic property, since looking among the children of a window costs time for each of them.
    name = f"voice_{kind.__name__}"
    found: T | None = window.property(name)
    if found is None:
        found = kind(window)
        window.setProperty(name, found)
    return found
