"""Values of Qt's classes as text, told by the shape of the object: Qt is not imported here."""

from __future__ import annotations

from typing import Any

_BINDINGS = frozenset({"PySide6", "PyQt6", "shiboken6"})


def describe_qt(value: Any) -> str:
    """A date, time, URL, colour, point, size or rectangle in words; an empty string for anything else."""
    if not any(base.__module__.partition(".")[0] in _BINDINGS for base in type(value).__mro__):
        return ""
    if hasattr(value, "toPython"):  # QDate, QTime, QDateTime
        return str(value.toPython().isoformat()) if value.isValid() else "(no date or time)"
    if hasattr(value, "toString"):  # QUrl, QUuid, QKeySequence, QFont
        return str(value.toString())
    if hasattr(value, "alphaF") and hasattr(value, "name"):  # QColor
        return str(value.name())
    measures = [name for name in ("x", "y", "width", "height") if hasattr(value, name)]
    if measures and not hasattr(value, "objectName"):  # QPoint, QSize, QRect
        return ", ".join(f"{name} {getattr(value, name)()}" for name in measures)
    if hasattr(value, "objectName"):
        return f"({type(value).__name__} {value.objectName()})".replace(" )", ")")
    return ""
