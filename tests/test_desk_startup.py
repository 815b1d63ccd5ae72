"""The window is there before the program is: what is loaded by then, and what becomes of what is done meanwhile."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.agent.events import Event, UtteranceReceived
from app.desk.assembly import Desk
from app.desk.options import DeskOptions
from app.desk.startup import Startup
from app.pages.record_page import RecordPage
from app.settings import AppearanceSettings, Settings, SettingsFile, VoiceSettings
from app.widgets.theme.colours import COLOURS

LONG_MS = 60_000
"""Only a failing test waits that long."""

AT_FIRST_PAINT = """
import json, sys
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QMainWindow, QWidget
from app import cli
from app.desk.gui import make_application

class Watch(QObject):
    def eventFilter(self, watched, event):
        if event.type() is QEvent.Type.Paint and isinstance(watched, QMainWindow):
            application.removeEventFilter(self)
            print(json.dumps(sorted(sys.modules)))
            application.exit(0)
        return False

application = make_application()
watch = Watch()
application.installEventFilter(watch)
sys.argv = ["greenroom"]
cli.main()
"""


def test_the_window_is_painted_before_what_it_does_not_need_is_loaded(tmp_path: Path) -> None:
    environment = {**os.environ, "GREENROOM_DATA_DIR": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(
        [sys.executable, "-c", AT_FIRST_PAINT], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    loaded = set(json.loads(ran.stdout))
    heavy = {"alembic", "numpy", "pydantic", "rapidfuzz", "sqlalchemy", "typer", "yaml"}
    ours = {"app.agent.loop", "app.panel.card", "app.desk.assembly", "app.pages.record_page", "app.store"}
    assert "app.panel.panel" in loaded
    assert not loaded & (heavy | ours)


@pytest.fixture
def startup(qapp: QApplication) -> Iterator[Startup]:
    """A start with sample data that says nothing aloud."""
    assert qapp is QApplication.instance()
    SettingsFile().save(Settings(voice=VoiceSettings(speech="off"), appearance=AppearanceSettings(scheme="dark")))
    startup = Startup(DeskOptions(sample_data=True))
    yield startup
    startup.close()
    startup.deleteLater()


def test_the_window_is_shown_in_its_colours_and_without_a_page(startup: Startup, qapp: QApplication) -> None:
    startup.show()
    assert startup.shell.window.page is None
    assert startup.shell.window.page_name == startup.shell.window.windowTitle() == "Contributions"
    assert startup.shell.panel.status_words == "Starting"
    assert qapp.palette() == COLOURS["dark"].palette()


def test_then_the_page_appears_and_has_the_focus(startup: Startup, qtbot: QtBot) -> None:
    with qtbot.waitSignal(startup.started, timeout=LONG_MS):
        startup.show()
    page = startup.shell.window.page
    assert isinstance(page, RecordPage)
    assert page.key
    assert page.isAncestorOf(startup.shell.window.focusWidget())
    assert startup.shell.panel.status_words != "Starting"


def test_a_page_that_is_chosen_meanwhile_is_the_one_that_appears(startup: Startup, qtbot: QtBot) -> None:
    startup.show()
    QTest.mouseClick(startup.shell.window.sidebar.button("Speakers"), Qt.MouseButton.LeftButton)
    assert startup.shell.window.windowTitle() == "Speakers"
    qtbot.waitSignal(startup.page_made, timeout=LONG_MS).wait()
    assert startup.desk is not None
    assert startup.desk.screen()["page"] == "Speakers"
    assert startup.desk.window.page_name == "Speakers"
    assert [type(page).__name__ for page in startup.desk.window.pages_made()] == ["SpeakersPage"]
    qtbot.waitSignal(startup.started, timeout=LONG_MS).wait()


def test_what_is_sent_meanwhile_is_answered_in_order_and_typing_is_not_disturbed(
    startup: Startup, qtbot: QtBot
) -> None:
    events: list[Event] = []
    startup.show()
    box = startup.shell.panel.input.box
    box.setFocus()
    QTest.keyClicks(box, "undo\r")
    qtbot.waitSignal(startup.page_made, timeout=LONG_MS).wait()
    desk = startup.desk
    assert isinstance(desk, Desk)
    desk.bridge.happened.connect(events.append)
    QTest.keyClicks(box, "help\rand so")
    qtbot.waitSignal(startup.started, timeout=LONG_MS).wait()

    def received() -> list[str]:
        return [event.utterance.text for event in events if isinstance(event, UtteranceReceived)]

    qtbot.waitUntil(lambda: len(received()) == 2, timeout=LONG_MS)
    assert received() == ["undo", "help"]
    assert box.toPlainText() == "and so"
    assert startup.shell.window.focusWidget() is box


def test_a_database_that_cannot_be_opened_is_said_in_front_of_the_window(startup: Startup, qtbot: QtBot) -> None:
    folder = Path(os.environ["GREENROOM_DATA_DIR"])
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("not a folder", encoding="utf-8")
    with qtbot.waitSignal(startup.failed, timeout=LONG_MS) as failed:
        startup.show()
    assert failed.args == ["The folder for the database can't be made. Choose another folder."]
    assert startup.desk is None


def test_it_can_be_closed_before_anything_is_there(startup: Startup) -> None:
    startup.show()
    startup.close()
    assert startup.desk is None


def test_who_holds_the_button_down_when_it_is_there_is_listened_to(startup: Startup, qtbot: QtBot) -> None:
    activities: list[str] = []

    def watch() -> None:
        assert startup.desk is not None
        startup.desk.voice.listening.state_changed.connect(lambda state: activities.append(state.activity))

    startup.page_made.connect(watch)
    startup.show()
    talk = startup.shell.panel.input.talk
    QTest.mousePress(talk, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(startup.started, timeout=LONG_MS):
        pass
    assert activities[0] == "listening"  # whether or not there is a microphone
    QTest.mouseRelease(talk, Qt.MouseButton.LeftButton)
