"""The Settings page: each control takes effect at once, is stored, and is undone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from desk_calls import Desk
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot
from settings_kit import Machine, stored

from app.agent.errors import ToolError
from app.pages.live_settings import LiveSettings
from app.pages.services import PageServices
from app.pages.settings_page import SettingsPage
from app.pages.settings_rows import SECTIONS
from app.settings import Settings
from app.widgets.naming import name_of
from app.widgets.numbers import NumbersOverlay


@pytest.fixture
def page(settings_page: SettingsPage) -> SettingsPage:
    return settings_page


@pytest.mark.parametrize(
    ("tool", "label", "value", "key", "expected"),
    [
        ("choose", "Push-to-talk key", "F8", "voice.push_to_talk_key", "F8"),
        ("choose", "Push-to-talk", "toggle", "voice.push_to_talk_mode", "toggle"),
        ("choose", "Push-to-talk", "hold or tap", "voice.push_to_talk_mode", "hold_or_tap"),
        ("choose", "Microphone", "headset", "voice.device", "headset-0"),
        ("toggle", "Keep the microphone ready", False, "voice.keep_warm", False),
        ("toggle", "Tone when listening begins and ends", True, "voice.cue", True),
        ("choose", "Speech model", "base.en (145 MB)", "voice.model", "base.en"),
        ("choose", "Spoken language", "German", "voice.language", "de"),
        ("choose", "Spoken language", "auto", "voice.language", "auto"),
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


def test_what_decides_how_much_is_asked_kept_and_sent_is_set_by_hand(
    page: SettingsPage, desk: Desk, file: Path
) -> None:
    labels = desk.labels()
    for label in (
        "Ask before",
        "Server address",
        "Model name",
        "Understanding",
        "API key",
        "Keep key",
        "Forget key",
        "Choose a folder for recordings",
        "Keep their texts, too",
        "Send them to",
    ):
        assert label not in labels
    combo = page.editor("policies.ask").widget
    assert isinstance(combo, QComboBox)
    combo.setCurrentText("Everything")
    assert stored(file, "policies", "ask") == "everything"
    assert not desk.undo.undo_text, "a spoken undo would ask less again"


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
    make_page: Callable[[], SettingsPage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GREENROOM_MODEL", "some-model")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    page = make_page()
    assert not page.editor("assistant.model").widget.isEnabled()
    assert page.error("assistant.model") == "GREENROOM_MODEL in the environment decides this."
    assert page.error("tracing.endpoint") == "OTEL_EXPORTER_OTLP_ENDPOINT in the environment decides this."


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


def test_only_what_undo_brings_back_can_be_granted_or_run_unasked(page: SettingsPage, desk: Desk) -> None:
    assert desk.state("Remove sample data")["irreversible"] is True
    assert "irreversible" not in desk.state("Add sample data")
    numbers = NumbersOverlay(page, desk.registry)
    desk.call("scroll", "Settings", direction="bottom")
    assert numbers.show_numbers() > 2
    # A number stands for any of them, so it is asked about as strictly as the strictest.
    assert desk.state("Numbers")["irreversible"] is True
    numbers.clear()


def test_a_microphone_that_is_not_connected_is_told_until_it_is_found(
    page: SettingsPage, live: LiveSettings, machine: Machine, desk: Desk, qtbot: QtBot
) -> None:
    live.change("voice", "device", "Table microphone")
    desk.call("click", "Look for microphones")
    qtbot.waitUntil(lambda: "not connected" in page.error("voice.device"))
    machine.microphones.append(("Table microphone", "Table microphone"))
    desk.call("click", "Look for microphones")
    qtbot.waitUntil(lambda: page.error("voice.device") == "")
    fields = page.current_state()["fields"]
    assert isinstance(fields, dict)
    assert fields["Microphone"] == "Table microphone"


def test_a_language_that_the_speech_model_does_not_know_is_told_with_what_to_do(
    page: SettingsPage, desk: Desk, qtbot: QtBot
) -> None:
    assert page.error("voice.language") == ""
    desk.call("choose", "Spoken language", value="German")
    qtbot.waitUntil(lambda: page.error("voice.language").startswith("tiny.en knows English only: German is heard"))
    assert "Say or press “Get base” (148 MB)" in page.error("voice.language")
    assert "Get base" in desk.labels()
    desk.call("choose", "Spoken language", value="detect it")
    qtbot.waitUntil(lambda: "there is nothing to detect" in page.error("voice.language"))
    desk.call("choose", "Spoken language", value="English")
    qtbot.waitUntil(lambda: page.error("voice.language") == "")


def test_no_microphone_at_all_is_told(page: SettingsPage, machine: Machine, desk: Desk, qtbot: QtBot) -> None:
    machine.microphones.clear()
    desk.call("click", "Look for microphones")
    qtbot.waitUntil(lambda: "No microphone was found" in page.error("voice.device"))


def test_the_wheel_scrolls_the_page_and_changes_no_setting(page: SettingsPage, live: LiveSettings) -> None:
    rate = page.editor("voice.rate").widget
    key = page.editor("voice.push_to_talk_key").widget
    key.setFocus()
    at = QPointF(rate.rect().center())
    event = QWheelEvent(
        at,
        QPointF(rate.mapToGlobal(at)),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(rate, event)
    assert live.value("voice", "rate") == 180


def test_recordings_are_kept_in_a_folder_that_a_hand_has_chosen(
    page: SettingsPage, file: Path, tmp_path: Path, desk: Desk, qtbot: QtBot
) -> None:
    kept = page.kept
    assert kept.about.text() == "Nothing that you say is kept."
    assert kept.stop_button.isHidden()
    folder = tmp_path / "said"
    folder.mkdir()
    QTest.mouseClick(kept.choose_button, Qt.MouseButton.LeftButton)
    (dialog,) = kept.findChildren(QFileDialog)
    dialog.selectFile(str(folder))
    dialog.accept()
    qtbot.waitUntil(file.exists)
    assert stored(file, "voice", "keep_utterances") == str(folder)
    assert "Nothing leaves this machine" in kept.about.text()
    assert kept.folder.toolTip() == str(folder)
    QTest.mouseClick(kept.stop_button, Qt.MouseButton.LeftButton)
    assert stored(file, "voice", "keep_utterances") == ""
    assert str(folder) in kept.about.text()
    assert kept.choose_button.hasFocus()
    assert not desk.undo.undo_text


def test_a_folder_that_cannot_be_written_is_refused(page: SettingsPage, file: Path, tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    page.kept.keep_in(str(folder))
    assert "can't be written" in page.kept.about.text()
    assert not file.exists()


def test_what_keeps_requests_from_being_sent_is_told(page: SettingsPage) -> None:
    page.show_sending_problem("the server did not take them.")
    assert page.error("tracing.endpoint") == "Recent requests can't be sent: the server did not take them."
    page.show_sending_problem("")
    assert page.error("tracing.endpoint") == "The last request was sent."


def test_tab_goes_through_the_page_as_one_reads_it_and_every_stop_has_a_name(page: SettingsPage) -> None:
    first = page.editor("voice.push_to_talk_key").widget
    first.setFocus()
    seen: list[QWidget] = []
    while (focused := QApplication.focusWidget()) is not None and focused not in seen:
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    for kind in (QComboBox, QSpinBox, QLineEdit, QCheckBox, QPushButton):
        for widget in page.findChildren(kind):
            can_stop = widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            # The line inside a spin box is reached as the spin box.
            if can_stop and not isinstance(widget.parent(), QSpinBox):
                assert widget in seen, name_of(widget)
    names = [name_of(widget) for widget in seen]
    assert all(names)
    expected = (
        "Push-to-talk key",
        "Microphone",
        "Look for microphones again",
        "Volume",
        "Choose a folder for recordings",
        "Get base",
        "Get large-v3-turbo",
        "Server address",
        "API key",
        "Ask before",
        "Show recent requests",
        "Add sample data",
        "Colours",
    )
    assert [name for name in names if name in expected] == list(expected)
