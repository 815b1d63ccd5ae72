"""The whole of it: the key goes down, a voice comes out of a real (virtual) microphone, a widget and a row change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import soundfile
from journey_kit import LONG_MS, RECORDINGS, Person
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from virtual_microphone import VirtualMicrophone, missing, virtual_microphone

from app.agent.proposal import Proposal

pytestmark = [
    pytest.mark.speech,
    pytest.mark.microphone,
    pytest.mark.skipif(bool(missing()), reason=missing() or "installed"),
]

TALK = "Fine-grained voice control for your app"


@pytest.fixture(scope="module")
def microphone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualMicrophone]:
    folder = tmp_path_factory.mktemp("pulse")
    folder.chmod(0o700)
    with virtual_microphone(folder) as microphone, pytest.MonkeyPatch.context() as patch:
        for name in ("PULSE_SERVER", "ALSA_CONFIG_PATH"):
            patch.setenv(name, microphone.environment[name])
        yield microphone


def holds_the_key_and_says(person: Person, microphone: VirtualMicrophone, recording: str, folder: Path) -> None:
    """Holds F9 on the window while the recording plays into the microphone, then lets go."""
    samples, rate = soundfile.read(RECORDINGS / recording)
    spoken = folder / "spoken.wav"
    soundfile.write(spoken, samples, rate)
    levels: list[float] = []
    person.desk.voice.listening.level_changed.connect(levels.append)
    QTest.keyPress(person.desk.window, Qt.Key.Key_F9)
    person.until(lambda: bool(levels))
    assert person.status == "Listening"
    assert microphone.play(spoken).wait(20) == 0
    QTest.keyRelease(person.desk.window, Qt.Key.Key_F9)
    person.desk.voice.listening.level_changed.disconnect(levels.append)


def test_hold_the_key_speak_approve_and_the_row_changes(
    person: Person, microphone: VirtualMicrophone, tmp_path: Path
) -> None:
    person.desk.start()
    with person.qtbot.waitSignal(person.desk.voice.listening.ready, timeout=LONG_MS):
        pass
    holds_the_key_and_says(person, microphone, "accept-and-save-awb.flac", tmp_path)
    status, save = person.sees_proposals(2)
    assert (status.target, status.after, save.target) == ("Status", "Accepted", "Save")
    person.approves(status)
    person.approves(save)
    person.sees_the_end()
    assert person.fields["Status"] == "Accepted"
    assert person.row("contribution", TALK).fields["status"] == "Accepted"


def test_silence_in_the_microphone_is_said_and_changes_nothing(person: Person, microphone: VirtualMicrophone) -> None:
    assert microphone
    notices: list[object] = []
    proposals: list[Proposal] = []
    listening = person.desk.voice.listening
    listening.nothing_heard.connect(notices.append)
    levels: list[float] = []
    listening.level_changed.connect(levels.append)
    QTest.keyPress(person.desk.window, Qt.Key.Key_F9)
    person.until(lambda: len(levels) > 10)
    QTest.keyRelease(person.desk.window, Qt.Key.Key_F9)
    person.until(lambda: bool(notices))
    assert proposals == person.proposals()
    person.until(lambda: person.status == "Ready")
