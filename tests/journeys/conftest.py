"""The whole program on a fresh database, in front of a person."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from journey_kit import Person
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.desk.assembly import Desk, DeskOptions
from app.settings import Settings, SettingsFile, VoiceSettings


@pytest.fixture
def person(qapp: QApplication, qtbot: QtBot) -> Iterator[Person]:
    """A person in front of the window with sample data. Voice is there, the microphone is not opened.

    Results are not spoken: the speech output has tests of its own, and would take one of two processors here.
    """
    SettingsFile().save(Settings(voice=VoiceSettings(speech="off")))
    assert qapp is QApplication.instance()
    desk = Desk(DeskOptions(sample_data=True))
    desk.window.show()
    qtbot.waitExposed(desk.window)
    yield Person(desk, qtbot)
    desk.close()
    desk.deleteLater()
