"""Loads what needs no Qt before Qt is loaded."""

from __future__ import annotations

from importlib import import_module

_WITHOUT_QT = (
    "app.store.store",
    "app.store.samples",
    "app.store.journal",
    "app.store.drafts",
    "app.store.grants",
    "app.settings",
    "app.agent.loop",
    "app.agent.registry",
    "app.agent.tracing",
)


def before_qt() -> None:
    """Imports the Qt-free half of the program.

    From the import of PySide6 on, shiboken reads the source of every module that is imported, to see whether it uses
    PySide6 (`shibokensupport/feature.py`): some 600 files, a tenth of the time to the first paint.
    """
    for name in _WITHOUT_QT:
        import_module(name)
