"""What waits until the program listens comes once: after the signal, or after a while without it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desk import after_ready
from app.desk.after_ready import AfterReady


class Source(QObject):
    ready = Signal()


@pytest.fixture
def source(qapp: QApplication) -> Source:
    assert qapp is QApplication.instance()
    return Source()


def test_it_comes_in_the_turn_after_the_signal_and_once(source: Source, qtbot: QtBot) -> None:
    done: list[str] = []
    AfterReady(source.ready, lambda: done.append("work"), source)
    source.ready.emit()
    assert done == []
    qtbot.waitUntil(lambda: done == ["work"])
    source.ready.emit()  # another speech model is loaded
    QCoreApplication.processEvents()
    assert done == ["work"]


def test_without_the_signal_it_comes_all_the_same(
    source: Source, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(after_ready, "_AT_THE_LATEST_MS", 1)
    done: list[str] = []
    AfterReady(source.ready, lambda: done.append("work"), source)
    qtbot.waitUntil(lambda: done == ["work"])
    source.ready.emit()
    QCoreApplication.processEvents()
    assert done == ["work"]
