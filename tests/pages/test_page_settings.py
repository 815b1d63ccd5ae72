"""The Settings page: each control takes effect at once, is stored, and is undone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desk_calls import Desk
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.agent.errors import ToolError
from app.pages.live_settings import LiveSettings
from app.pages.services import PageServices
from app.pages.settings_page import SettingsPage
from app.pages.setting_row import Listings
from app.pages.settings_rows import SECTIONS
from app.qtbridge.model_work import ModelWork
from app.settings import KeyStore, Settings, SettingsFile
from app.store.database import Database
from app.voice.model_manager import ModelManager
from app.voice.types import NOTHING_RECORDED

Show = Callable[[QWidget], QWidget]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


@pytest.fixture
def live(file: Path, desk: Desk) -> LiveSettings:
    return LiveSettings(SettingsFile(file), Settings(), desk.undo)


@pytest.fixture
def models(desk: Desk, tmp_path: Path) -> Iterator[ModelWork]:
    work = ModelWork(ModelManager(lambda: NOTHING_RECORDED, folder=tmp_path / "models"), desk.undo)
    yield work
    work.close()


@pytest.fixture
def page(
    services: PageServices, live: LiveSettings, models: ModelWork, database: Database, shown: Show, qtbot: QtBot
) -> Iterator[SettingsPage]:
    # The listings stand for a sound card and a speech engine, which the machine that runs this need not have.
    listings = Listings(
        lambda: [("Headset", "headset-0"), ("Built-in", "mic-1")],
        lambda: [("tiny.en (75 MB)", "tiny.en"), ("base.en (145 MB)", "base.en")],
        lambda: [("Alice", "en-alice")],
    )
    page = SettingsPage(services, live, KeyStore({}), listings, models, database)
    shown(page)
    microphone = page.editor("voice.device").widget
    assert isinstance(microphone, QComboBox)
    qtbot.waitUntil(lambda: microphone.count() == 3)
    yield page
    page.close_down()


def stored(file: Path, section: str, name: str) -> object:
    return json.loads(file.read_text(encoding="utf-8"))[section][name]


@pytest.mark.parametrize(
    ("tool", "label", "value", "key", "expected"),
    [
        ("choose", "Push-to-talk key", "F8", "voice.push_to_talk_key", "F8"),
        ("choose", "Push-to-talk", "toggle", "voice.push_to_talk_mode", "toggle"),
        ("choose", "Microphone", "headset", "voice.device", "headset-0"),
        ("toggle", "Keep the microphone ready", False, "voice.keep_warm", False),
        ("choose", "Speech model", "base.en (145 MB)", "voice.model", "base.en"),
        ("choose", "Spoken language", "German", "voice.language", "de"),
        ("choose", "Say aloud", "errors", "voice.speech", "errors"),
        ("choose", "Voice", "Alice", "voice.voice", "en-alice"),
        ("fill", "Speaking rate", "two hundred", "voice.rate", 200),
        ("fill", "Volume", "fifty percent", "voice.volume", 0.5),
        ("choose", "Colours", "dark", "appearance.scheme", "dark"),
        ("choose", "Text size", "large", "appearance.text_size", "large"),
    ],
)
def test_a_setting_by_voice_is_stored_told_and_undone(
    page: SettingsPage,
    desk: Desk,
    live: LiveSettings,
    file: Path,
    tool: str,
    label: str,
    value: str | bool,
    key: str,
    expected: object,
) -> None:
    section, name = key.split(".")
    before = live.value(section, name)
    told: list[Settings] = []
    live.changed.connect(told.append)
    desk.call(tool, label, value=value)
    assert stored(file, section, name) == expected
    assert live.value(section, name) == expected
    assert len(told) == 1
    desk.undo.undo()
    assert stored(file, section, name) == before
    assert live.value(section, name) == before
    shown = page.current_state()["fields"]
    assert isinstance(shown, dict)
    assert not desk.undo.undo_text


def test_what_decides_how_much_is_asked_is_set_by_hand(page: SettingsPage, desk: Desk, file: Path) -> None:
    labels = desk.labels()
    for label in ("Ask before", "Server address", "Model name", "Understanding", "API key", "Keep key", "Forget key"):
        assert label not in labels
    combo = page.editor("policies.ask").widget
    assert isinstance(combo, QComboBox)
    combo.setCurrentText("Everything")
    assert stored(file, "policies", "ask") == "everything"


def test_every_row_has_a_place_in_the_settings() -> None:
    settings = Settings()
    for rows in SECTIONS.values():
        for row in rows:
            value = getattr(getattr(settings, row.section), row.name)
            assert row.to_stored(row.to_shown(value)) == value


def test_an_address_counts_when_it_is_finished_and_a_bad_one_is_told(page: SettingsPage, file: Path) -> None:
    edit = page.editor("assistant.base_url").widget
    assert isinstance(edit, QLineEdit)
    QTest.keyClicks(edit, "http://127.0.0.1:8080/v1")
    assert not file.exists(), "nothing is stored at each letter"
    edit.editingFinished.emit()
    assert stored(file, "assistant", "base_url") == "http://127.0.0.1:8080/v1"
    edit.setText("no address")
    edit.editingFinished.emit()
    assert "does not take" in page.error("assistant.base_url")
    assert stored(file, "assistant", "base_url") == "http://127.0.0.1:8080/v1"


def test_a_file_that_cannot_be_written_is_told(live: LiveSettings, file: Path, desk: Desk) -> None:
    file.mkdir()
    with pytest.raises(ToolError, match="can't be saved"):
        live.change("voice", "rate", 200)
    assert live.value("voice", "rate") == 180
    assert not desk.undo.undo_text


def test_what_the_environment_decides_is_said(
    services: PageServices,
    live: LiveSettings,
    models: ModelWork,
    database: Database,
    shown: Show,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GREENROOM_MODEL", "some-model")
    page = SettingsPage(services, live, KeyStore({}), Listings(lambda: [], lambda: [], lambda: []), models, database)
    shown(page)
    assert not page.editor("assistant.model").widget.isEnabled()
    assert page.error("assistant.model") == "GREENROOM_MODEL in the environment decides this."
    page.close_down()


def test_a_key_is_kept_for_this_run_where_there_is_no_secret_service(page: SettingsPage, qtbot: QtBot) -> None:
    row = page.api_key
    qtbot.waitUntil(lambda: row.status.text() == "There is no key.")
    row.edit.setText("sk-example")
    with qtbot.waitSignal(page.key_changed):
        QTest.mouseClick(row.keep_button, Qt.MouseButton.LeftButton)
    assert row.edit.text() == ""
    assert "for this run only" in row.status.text()
    assert "sk-example" not in json.dumps(page.current_state())
    with qtbot.waitSignal(page.key_changed):
        QTest.mouseClick(row.forget_button, Qt.MouseButton.LeftButton)
    assert row.status.text() == "There is no key."


def test_a_key_with_a_blank_is_refused(page: SettingsPage, qtbot: QtBot) -> None:
    page.api_key.edit.setText("two words")
    QTest.keyClick(page.api_key.edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "one word" in page.api_key.status.text())


def test_sample_data_comes_and_goes(page: SettingsPage, desk: Desk, services: PageServices) -> None:
    assert services.store.list("contribution") == ()
    desk.call("click", "Add sample data")
    assert "added" in page.sample_data.status.text()
    assert len(services.store.list("contribution")) >= 3
    desk.call("click", "Remove sample data")
    assert "removed" in page.sample_data.status.text()
    assert services.store.list("contribution") == ()
