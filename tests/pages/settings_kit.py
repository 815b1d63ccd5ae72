"""The Settings page over real files, as several tests need it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from desk_calls import Desk
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from app.agent.backends.wire.profile_file import FileProfiles
from app.agent.commands import Corrections
from app.pages.live_settings import LiveSettings
from app.pages.services import PageServices
from app.pages.setting_row import Listings
from app.pages.settings_page import SettingsPage
from app.qtbridge.model_work import ModelWork
from app.settings import KeyStore, Settings, SettingsFile
from app.store.database import Database
from app.voice.model_manager import ModelManager
from app.voice.types import NOTHING_RECORDED

Show = Callable[[QWidget], QWidget]


@dataclass
class Machine:
    """Stands for a sound card and a speech engine, which the machine that runs the tests need not have."""

    microphones: list[tuple[str, str]] = field(
        default_factory=lambda: [("Headset", "headset-0"), ("Built-in", "mic-1")]
    )

    def listings(self) -> Listings:
        return Listings(
            self._microphones,
            lambda: [("tiny.en (75 MB)", "tiny.en"), ("base.en (145 MB)", "base.en")],
            lambda: [("Alice", "en-alice")],
        )

    def _microphones(self) -> Sequence[tuple[str, str]]:
        return tuple(self.microphones)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the settings are stored."""
    return tmp_path / "settings.json"


@pytest.fixture
def live(file: Path, desk: Desk) -> LiveSettings:
    """The settings, at their defaults."""
    return LiveSettings(SettingsFile(file), Settings(), desk.undo)


@pytest.fixture
def machine() -> Machine:
    """What is plugged in."""
    return Machine()


@pytest.fixture
def models(qapp: QObject, tmp_path: Path) -> Iterator[ModelWork]:
    """Speech models, of which none is asked for here."""
    assert qapp is not None
    work = ModelWork(ModelManager(lambda: NOTHING_RECORDED, folder=tmp_path / "models"))
    yield work
    work.close()


@pytest.fixture
def corrections(tmp_path: Path) -> Corrections:
    """What is remembered, in a file as in the program: nothing yet."""
    return Corrections(FileProfiles(tmp_path / "corrections.json"))


@pytest.fixture
def make_page(
    services: PageServices,
    live: LiveSettings,
    models: ModelWork,
    machine: Machine,
    database: Database,
    corrections: Corrections,
    shown: Show,
) -> Iterator[Callable[[], SettingsPage]]:
    """Makes and shows a Settings page."""
    made: list[SettingsPage] = []

    def make() -> SettingsPage:
        made.append(
            SettingsPage(services, live, KeyStore({}), machine.listings(), models, database, lambda: corrections)
        )
        shown(made[-1])
        return made[-1]

    yield make
    for page in made:
        page.close_down()


@pytest.fixture
def settings_page(make_page: Callable[[], SettingsPage], qtbot: QtBot) -> SettingsPage:
    """The Settings page, shown, when it knows what is on this machine."""
    page = make_page()
    qtbot.waitUntil(lambda: "base" in page.speech_models.rows and "There is" in page.api_key.status.text())
    microphone = page.editor("voice.device").widget
    assert isinstance(microphone, QComboBox)
    qtbot.waitUntil(lambda: microphone.count() == 3)
    return page


def stored(file: Path, section: str, name: str) -> object:
    """A setting as the file has it."""
    return json.loads(file.read_text(encoding="utf-8"))[section][name]
