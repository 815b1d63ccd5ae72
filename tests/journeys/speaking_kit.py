"""A person who holds the key and speaks: recordings come out of a microphone that the test plays."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from journey_kit import RECORDINGS, Person
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from voice_kit import FakeSound

from app.desk.assembly import Desk
from app.desk.options import DeskOptions
from app.settings import Settings, SettingsFile, VoiceSettings
from app.voice import audio_file
from app.voice.types import SAMPLE_RATE_HZ, Samples

_BLOCK = SAMPLE_RATE_HZ // 10
_SILENT_BLOCK = SAMPLE_RATE_HZ // 50
_EVERY_MS = 20
"""Five times as fast as people speak."""


class Microphone:
    """Gives silence, and what is played into it. A fake device: no machine that runs the tests has a person.

    As a device does, it delivers in a thread of its own, whatever keeps the GUI thread busy.
    """

    def __init__(self) -> None:
        self.sound = FakeSound(rate_hz=SAMPLE_RATE_HZ)
        self._left: Samples = np.zeros(0, dtype=np.float32)
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake-microphone", daemon=True)
        self._thread.start()

    @property
    def silent(self) -> bool:
        """Whether everything played into it has been heard."""
        with self._lock:
            return not len(self._left)

    def play(self, recording: str) -> None:
        """Plays a recording of tests/audio into it."""
        with self._lock:
            self._left = np.concatenate([self._left, audio_file.load(RECORDINGS / recording).samples])

    def stop(self) -> None:
        self._stopped.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopped.wait(_EVERY_MS / 1000):
            self._deliver()

    def _deliver(self) -> None:
        # Delivered with the lock held: what is silent has been heard.
        with self._lock:
            block, self._left = self._left[:_BLOCK], self._left[_BLOCK:]
            if not len(block):
                # Silence lasts as long as it does: minutes of it while a busy machine thinks would be no command.
                block = np.zeros(_SILENT_BLOCK, dtype=np.float32)
            for stream in self.sound.streams:
                if not stream.closed.is_set():
                    stream.deliver(block)


class Speaker(Person):
    """A person who speaks into a microphone."""

    def __init__(self, desk: Desk, qtbot: QtBot, microphone: Microphone) -> None:
        super().__init__(desk, qtbot)
        self.microphone = microphone

    def holds_the_key(self) -> None:
        """Presses the push-to-talk key and keeps it down."""
        levels: list[float] = []
        self.desk.voice.listening.level_changed.connect(levels.append)
        QTest.keyPress(self.desk.window, Qt.Key.Key_F9)
        # A person hears themselves late; what is played faster than speech would begin before the recording.
        self.until(lambda: bool(levels))
        self.desk.voice.listening.level_changed.disconnect(levels.append)

    def releases_the_key(self) -> None:
        QTest.keyRelease(self.desk.window, Qt.Key.Key_F9)

    def presses_escape(self) -> None:
        QTest.keyClick(self.desk.window, Qt.Key.Key_Escape)

    def says(self, recording: str) -> None:
        """Holds the key while a recording is spoken, and waits until it has been understood."""
        heard: list[object] = []
        self.desk.voice.listening.utterance_transcribed.connect(heard.append)
        self.holds_the_key()
        self.microphone.play(recording)
        self.until(lambda: self.microphone.silent)
        self.releases_the_key()
        self.until(lambda: bool(heard))


@pytest.fixture
def speaker(qapp: QApplication, qtbot: QtBot) -> Iterator[Speaker]:
    """A person with a microphone in front of the window with sample data. A test module imports this name to use it."""
    assert qapp is QApplication.instance()
    SettingsFile().save(Settings(voice=VoiceSettings(speech="off")))
    microphone = Microphone()
    desk = Desk(DeskOptions(sample_data=True), microphone.sound)
    desk.window.show()
    qtbot.waitExposed(desk.window)
    ready: list[bool] = []
    desk.voice.listening.ready.connect(lambda: ready.append(True))
    desk.start()
    person = Speaker(desk, qtbot, microphone)
    person.until(lambda: bool(ready))
    yield person
    microphone.stop()
    desk.close()
    desk.deleteLater()
