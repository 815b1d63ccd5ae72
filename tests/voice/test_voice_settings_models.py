"""The list of speech models in Settings: real downloads over loopback, real files, one real model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desk_calls import Desk, desk
from model_server import FILES, ModelServer, cut, model_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from voice_kit import recording

from app.agent.errors import ToolError
from app.pages.model_row import ModelRow
from app.pages.speech_models import SpeechModels
from app.qtbridge.model_work import ModelWork, ModelWorkEnded
from app.voice.model_manager import ModelManager
from app.widgets.context import VoiceContext

__all__ = ["desk"]


class Shown:
    """The list on screen, with what the settings name."""

    def __init__(self, work: ModelWork, desk: Desk, qtbot: QtBot) -> None:
        self.in_use = "tiny.en"
        self.qtbot = qtbot
        self.ended: list[ModelWorkEnded] = []
        work.ended.connect(self.ended.append)
        self.list = SpeechModels(work, VoiceContext(desk.registry), lambda: self.in_use, self.use)
        qtbot.addWidget(self.list)
        self.list.resize(640, 480)
        self.list.show()
        self.list.refresh()
        qtbot.waitUntil(lambda: "small" in self.list.rows)

    def use(self, name: str) -> None:
        self.in_use = name
        self.list.refresh()

    def row(self, name: str) -> ModelRow:
        return self.list.rows[name]

    def buttons(self, name: str) -> dict[str, bool]:
        """The buttons to be seen, and whether each can be pressed."""
        return {verb: each.isEnabled() for verb, each in self.row(name).buttons.items() if each.isVisible()}

    def press(self, name: str, verb: str) -> None:
        QTest.mouseClick(self.row(name).buttons[verb], Qt.MouseButton.LeftButton)

    def until_buttons(self, name: str, *verbs: str) -> None:
        self.qtbot.waitUntil(lambda: set(self.buttons(name)) == set(verbs))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer() as server:
        monkeypatch.setenv("GREENROOM_MODEL_HUB", server.address)
        yield server


@pytest.fixture
def work(qapp: QApplication, tmp_path: Path) -> Iterator[ModelWork]:
    assert qapp is not None
    catalogue = {"small": model_of(), "tiny.en": model_of(name="tiny.en")}
    manager = ModelManager(lambda: recording("save-joe"), folder=tmp_path / "models", catalogue=catalogue)
    work = ModelWork(manager)
    yield work
    work.close()


@pytest.fixture
def shown(work: ModelWork, desk: Desk, qtbot: QtBot) -> Shown:
    return Shown(work, desk, qtbot)


def test_what_there_is_and_why_some_of_it_stays(shown: Shown) -> None:
    row = shown.row("tiny.en")
    assert row.mark.text() == "In use"
    assert row.facts.text() == "English  ·  78 MB  ·  came with a package  ·  speed not measured"
    assert shown.buttons("tiny.en") == {"Measure": True, "Remove": False}
    assert "belongs to it" in row.words.text()
    assert row.buttons["Remove"].toolTip() == row.words.text()
    assert shown.row("small").facts.text() == "about 100 languages  ·  3 MB to download"
    assert shown.buttons("small") == {"Get": True}
    assert {each.accessibleName() for each in shown.row("small").findChildren(QPushButton)} >= {"Get small"}


def test_a_download_shows_how_far_it_is_is_stopped_and_goes_on(
    shown: Shown, server: ModelServer, tmp_path: Path, qtbot: QtBot
) -> None:
    server.script = [cut(1_000_000, server.held)]
    row = shown.row("small")
    row.buttons["Get"].setFocus()
    QTest.keyClick(row.buttons["Get"], Qt.Key.Key_Space)
    assert shown.buttons("small") == {"Cancel": True}
    assert row.buttons["Cancel"].hasFocus(), "the keyboard stays where the work is"
    assert row.bar.isVisible()
    # It is told at most ten times a second, so what came last need not be.
    qtbot.waitUntil(lambda: 0 < row.bar.value() < 400)
    assert row.words.text().endswith(" MB of 3 MB")
    part = tmp_path / "models" / ".partial" / "small" / "model.bin.part"
    qtbot.waitUntil(lambda: part.is_file() and part.stat().st_size > 0)
    QTest.keyClick(row.buttons["Cancel"], Qt.Key.Key_Space)
    shown.until_buttons("small", "Get", "Remove")
    assert row.words.text() == "The download was stopped. Getting the model again goes on from here."
    assert row.words.tone == "muted"
    assert row.facts.text().endswith(" MB of 3 MB have come")
    assert not row.bar.isVisible()
    shown.press("small", "Get")
    shown.until_buttons("small", "Use", "Measure", "Remove")
    assert server.ranges[-1].startswith("bytes=")
    assert "downloaded" in row.facts.text()


def test_a_model_is_got_used_and_removed_by_voice(
    shown: Shown, server: ModelServer, desk: Desk, qtbot: QtBot, tmp_path: Path
) -> None:
    assert server.requests == []
    with qtbot.waitSignal(shown.list.models_changed):
        assert desk.call("click", "Get small") == "small is being downloaded."
    shown.until_buttons("small", "Use", "Measure", "Remove")
    assert desk.state("Remove small")["irreversible"] is True
    desk.call("click", "Use small")
    qtbot.waitUntil(lambda: shown.row("small").mark.text() == "In use")
    assert shown.row("tiny.en").mark.text() == ""
    assert shown.buttons("small")["Remove"] is False
    assert "in use" in shown.row("small").words.text()
    with pytest.raises(ToolError, match="disabled"):
        desk.call("click", "Remove small")
    desk.call("click", "Use tiny.en")
    qtbot.waitUntil(lambda: shown.buttons("small").get("Remove") is True)
    desk.call("click", "Remove small")
    shown.until_buttons("small", "Get")
    assert shown.row("small").words.text() == "small was removed. 3 MB are free again."
    assert not (tmp_path / "models" / "small").exists()


@pytest.mark.parametrize(
    ("broken", "words"),
    [({"model.bin": b"x" * 3_000_000}, "its checksum is wrong"), ({}, "404")],
    ids=["another file", "no file"],
)
def test_what_went_wrong_is_said_and_stays_until_the_next_try(
    work: ModelWork,
    desk: Desk,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    broken: dict[str, bytes],
    words: str,
) -> None:
    good = dict(FILES) | broken if broken else {}
    with ModelServer(good) as server:
        monkeypatch.setenv("GREENROOM_MODEL_HUB", server.address)
        shown = Shown(work, desk, qtbot)
        shown.press("small", "Get")
        qtbot.waitUntil(lambda: bool(shown.ended))
        row = shown.row("small")
        qtbot.waitUntil(lambda: "Get" in shown.buttons("small"))
        assert row.words.text() == shown.ended[0].words
        assert row.words.tone == "danger"
        assert words in row.words.text()
        with qtbot.waitSignal(work.listed):
            shown.list.refresh()
        assert row.words.tone == "danger"


def test_a_model_in_the_settings_that_is_not_here_is_told(shown: Shown, qtbot: QtBot) -> None:
    shown.use("small")
    qtbot.waitUntil(lambda: shown.row("small").mark.text() == "Chosen, but not on this machine")
    assert shown.row("small").mark.tone == "caution"


@pytest.mark.speech
def test_the_speed_is_measured_when_it_is_asked_for(shown: Shown) -> None:
    shown.press("tiny.en", "Measure")
    assert shown.row("tiny.en").words.text() == "Measuring, which takes some seconds …"
    shown.until_buttons("tiny.en", "Remove")
    assert "s of speech" in shown.row("tiny.en").facts.text()


@pytest.mark.speech
def test_measuring_is_cancelled_and_nothing_is_kept(shown: Shown, tmp_path: Path) -> None:
    shown.press("tiny.en", "Measure")
    shown.press("tiny.en", "Cancel")
    shown.until_buttons("tiny.en", "Measure", "Remove")
    assert [each.ok for each in shown.ended] == [True]
    assert not (tmp_path / "models" / "speeds.json").exists()


def test_closing_ends_a_download_that_hangs(shown: Shown, work: ModelWork, server: ModelServer, qtbot: QtBot) -> None:
    server.script = [cut(1_000_000, server.held)]
    shown.press("small", "Get")
    qtbot.waitUntil(server.sending.is_set)
    work.close()
    assert shown.ended == []
    shown.press("small", "Cancel")
    work.get("tiny.en")
    assert not work.under_way.get("tiny.en")
