"""What Settings says of microphones and does to them, in the whole program, with devices that come and go."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QPushButton
from pytestqt.qtbot import QtBot
from voice_kit import WAIT_S, FakeSound

from app.desk.assembly import Desk
from app.desk.options import DeskOptions
from app.pages.settings_page import SettingsPage
from app.panel.panel import AssistantPanel
from app.settings import Settings, SettingsFile, VoiceSettings
from app.voice.sound_system import InputDevice

pytestmark = pytest.mark.speech  # the speech model is loaded when the microphone is opened


@pytest.fixture
def sound() -> FakeSound:
    """No machine that runs the tests has a microphone to be plugged in. This one tells nobody that it was."""
    sound = FakeSound()
    sound.tells_changes = False
    return sound


@pytest.fixture
def page(qapp: QApplication, qtbot: QtBot, sound: FakeSound) -> Iterator[SettingsPage]:
    assert qapp is not None
    SettingsFile().save(Settings(voice=VoiceSettings(speech="off")))
    desk = Desk(DeskOptions(), sound)
    desk.window.show()
    desk.voice.start()
    desk.open_page("Settings")
    page = desk.window.page
    assert isinstance(page, SettingsPage)
    qtbot.waitUntil(lambda: "Desk microphone" in choices(page))
    yield page
    desk.close()
    desk.deleteLater()


def choices(page: SettingsPage) -> list[str]:
    combo = page.editor("voice.device").widget
    assert isinstance(combo, QComboBox)
    return [combo.itemText(row) for row in range(combo.count())]


def test_looking_again_lets_go_of_the_microphone_so_that_new_ones_are_found(
    page: SettingsPage, sound: FakeSound, qtbot: QtBot
) -> None:
    first = sound.wait_open()
    sound.devices = (InputDevice("Headset", 48_000, 1, is_default=True), *sound.devices)
    button = next(each for each in page.findChildren(QPushButton) if each.text() == "Look again")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert first.closed.wait(WAIT_S)
    qtbot.waitUntil(lambda: "Headset" in choices(page))
    qtbot.waitUntil(lambda: sound.opened_names[-1] == "Headset")


def test_the_microphone_is_kept_ready_or_not_from_now_on(page: SettingsPage, sound: FakeSound) -> None:
    first = sound.wait_open()
    box = page.editor("voice.keep_warm").widget
    assert isinstance(box, QCheckBox)
    box.click()
    assert first.closed.wait(WAIT_S)
    box.click()
    assert not sound.wait_open().closed.is_set()


def test_a_tone_sounds_from_the_moment_it_is_wanted(page: SettingsPage, sound: FakeSound, qtbot: QtBot) -> None:
    sound.wait_open()
    panel = page.window().findChild(AssistantPanel)
    assert panel is not None
    panel.push_to_talk_pressed.emit()
    panel.cancel_requested.emit()
    assert sound.playbacks == []
    box = page.editor("voice.cue").widget
    assert isinstance(box, QCheckBox)
    box.click()
    panel.push_to_talk_pressed.emit()
    qtbot.waitUntil(lambda: len(sound.playbacks) == 1)
    panel.cancel_requested.emit()
    sound.playbacks[0].close()
