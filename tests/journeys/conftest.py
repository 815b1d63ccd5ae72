"""The whole program on a fresh database, in front of a person; and with a model server behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from journey_kit import Person
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from sse_server import SseServer

from app.desk.assembly import Desk
from app.desk.options import DeskOptions
from app.pages.background import Background
from app.settings import Settings, SettingsFile, VoiceSettings

KEY = "sk-journey-0123456789abcdef"


@pytest.fixture
def person(qapp: QApplication, qtbot: QtBot) -> Iterator[Person]:
    """A person in front of the window with sample data. Voice is there, the microphone is not opened."""
    assert qapp is QApplication.instance()
    yield from _seated(Desk(DeskOptions(sample_data=True)), qtbot)


@pytest.fixture
def server() -> Iterator[SseServer]:
    """A model server without a script yet."""
    with SseServer() as running:
        yield running


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """The key for the model server, in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return KEY


@pytest.fixture
def model_person(qapp: QApplication, qtbot: QtBot, server: SseServer, key: str) -> Iterator[Person]:
    """A person whose free speech goes to `server`. Nothing is spoken aloud: speech output has journeys of its own."""
    assert qapp is QApplication.instance()
    assert key
    SettingsFile().save(Settings(voice=VoiceSettings(speech="off")))
    desk = Desk(DeskOptions(sample_data=True, backend="routed", model="journey", base_url=server.base_url))
    background = desk.findChild(Background, options=Qt.FindChildOption.FindDirectChildrenOnly)
    assert isinstance(background, Background)
    with qtbot.waitSignal(background.done):  # the key has been found
        desk.choose_backend()
    yield from _seated(desk, qtbot)


def _seated(desk: Desk, qtbot: QtBot) -> Iterator[Person]:
    desk.window.show()
    qtbot.waitExposed(desk.window)
    yield Person(desk, qtbot)
    desk.close()
    desk.deleteLater()
