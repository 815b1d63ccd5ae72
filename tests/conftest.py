"""What every test gets: folders of its own, no display, no key; and a check that it leaves nothing running."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Iterator
from functools import partialmethod
from itertools import compress
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

_JOIN_S = 60.0
"""How long a thread that was told to end may take; only a failing test waits that long."""

_PATIENCE_MS = 60_000
"""How long a test waits for a state where it doesn't say; only a failing one does: busy machines stand for seconds."""


class PatientBot(QtBot):
    """Waits for as long as the slowest machine takes."""

    waitSignal = partialmethod(QtBot.waitSignal, timeout=_PATIENCE_MS)  # noqa: N815
    waitSignals = partialmethod(QtBot.waitSignals, timeout=_PATIENCE_MS)  # noqa: N815
    waitUntil = partialmethod(QtBot.waitUntil, timeout=_PATIENCE_MS)  # noqa: N815
    waitExposed = partialmethod(QtBot.waitExposed, timeout=_PATIENCE_MS)  # noqa: N815
    waitActive = partialmethod(QtBot.waitActive, timeout=_PATIENCE_MS)  # noqa: N815


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's, with patience."""
    assert qapp is QApplication.instance()
    return PatientBot(request)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps a test away from the person's data, settings, key and secret service."""
    monkeypatch.setenv("GREENROOM_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("GREENROOM_CONFIG_DIR", str(tmp_path / "config"))
    # The secret service of the desktop is the person's own; the null backend is keyring's, for this purpose.
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GREENROOM_MODEL", "GREENROOM_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test that leaves a thread, a running timer or a top-level widget."""
    threads = set(threading.enumerate())
    widgets = {id(widget) for widget in QApplication.topLevelWidgets()} if QApplication.instance() else set()
    yield
    if QApplication.instance() and "qapp" in request.fixturenames:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        left = [widget for widget in QApplication.topLevelWidgets() if id(widget) not in widgets]
        assert not left, f"top-level widgets left: {left}"
        timers = [(timer, timer.parent()) for timer in _timers() if _active(timer)]
        assert not timers, f"timers left running: {timers}"
    for thread in set(threading.enumerate()) - threads:
        if thread.daemon and thread.name.startswith(("pydevd", "tqdm")):
            continue
        thread.join(_JOIN_S)
        assert not thread.is_alive(), f"thread left: {thread}"


def _timers() -> list[QTimer]:
    """All timers that Python knows, with a parent or without. It runs after each test, so all loops of it are in C."""
    # type(), not isinstance(): that would ask every proxy in the process for the class of what it stands for.
    objects = gc.get_objects()
    kinds = {kind for kind in set(map(type, objects)) if issubclass(kind, QTimer)}
    return list(compress(objects, map(kinds.__contains__, map(type, objects))))


def _active(timer: QTimer) -> bool:
    try:
        return timer.isActive()
    except RuntimeError:  # its C++ half has gone: it can't run
        return False
