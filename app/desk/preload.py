"""What is imported between the first paint and the first page, and how."""

from __future__ import annotations

import builtins
from importlib import import_module

WITHOUT_QT = (
    "app.store.store",
    "app.store.samples",
    "app.store.journal",
    "app.store.drafts",
    "app.store.grants",
    "app.store.traces",
    "app.settings.keys",
    "app.agent.loop",
    "app.agent.ranking",
    "app.agent.registry",
    "app.agent.tracing",
    "app.desk.backends",
    "app.desk.conversation",
    "app.desk.foundations",
)
"""For the first page; a thread imports them while the window answers."""

WITH_QT = (
    "app.panel.card",
    "app.widgets.adapter",
    "app.qtbridge.engine_bridge",
    "app.widgets.numbers",
    "app.pages.record_form",
    "app.pages.record_list",
    "app.pages.record_page",
    "app.desk.catalogue",
    "app.pages.settings_page",
    "app.desk.assembly",
)
"""For the first page; classes of Qt's are made in the GUI thread, a few between two turns of its event loop."""

VOICE_WITHOUT_QT = ("app.desk.recogniser", "app.voice.portaudio")
VOICE_WITH_QT = ("app.qtbridge.listening", "app.qtbridge.speaking", "app.desk.expecting", "app.desk.voice")


def import_all(names: tuple[str, ...]) -> None:
    """Imports modules, in whichever thread."""
    for name in names:
        import_module(name)


def plain_imports() -> None:
    """Loads Qt, and lets Python import as it does without it.

    PySide6 puts a function of its own in the place of `__import__`, for its features `snake_case` and `true_property`,
    which are used nowhere here: it reads the source of every module imported afterwards, to see whether the word
    PySide6 is in it (`shibokensupport/feature.py`), and is called for each import statement that is passed.
    """
    import PySide6.QtWidgets  # noqa: F401

    original = getattr(builtins, "__orig_import__", None)
    if original is not None:
        builtins.__import__ = original
