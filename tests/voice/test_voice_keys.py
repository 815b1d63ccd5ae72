"""The push-to-talk key in real windows: repeat marks, chords, focus, Esc and dialogs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from voice_kit import FakeSound, FakeStream, tone, transcript

from app.qtbridge.listening import ListeningController
from app.qtbridge.push_to_talk import PushToTalk
from app.voice.types import Recording, Transcript


class QuickRecogniser:
    """Hears "save" in everything: the key is tested here, not the model."""

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        """Nothing to load."""

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        return transcript("save", duration_s=recording.duration_s + len(bias))

    def interrupt(self) -> None:
        """Nothing takes long here."""

    def close(self) -> None:
        """Nothing is held."""


def activity(controller: ListeningController) -> str:
    """What it is doing now."""
    return controller.state.activity


def seconds() -> Callable[[], float]:
    """A clock on which each event of the key is one second after the last."""
    ticks = itertools.count()
    return lambda: float(next(ticks))


class Window(QWidget):
    """A window with a line to type in."""

    def __init__(self) -> None:
        super().__init__()
        self.line = QLineEdit(self)
        QVBoxLayout(self).addWidget(self.line)


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    window = Window()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    window.line.setFocus()
    qtbot.waitUntil(window.line.hasFocus)
    yield window
    window.close()


@pytest.fixture
def sound() -> FakeSound:
    return FakeSound()


@pytest.fixture
def controller(window: Window, sound: FakeSound) -> Iterator[ListeningController]:
    controller = ListeningController(sound, QuickRecogniser, partials=False, parent=window)
    yield controller
    controller.shutdown()


@pytest.fixture
def key(controller: ListeningController, window: Window) -> PushToTalk:
    return PushToTalk(controller, window, clock=seconds())


@pytest.mark.usefixtures("key")
def test_hold_the_key_while_typing(window: Window, controller: ListeningController) -> None:
    QTest.keyClicks(window.line, "ab")
    QTest.keyPress(window.line, Qt.Key.Key_F9)
    assert activity(controller) == "listening"
    QTest.keyRelease(window.line, Qt.Key.Key_F9)
    assert activity(controller) != "listening"
    assert window.line.text() == "ab"


@pytest.mark.usefixtures("key")
def test_auto_repeat_with_a_mark_changes_nothing(window: Window, controller: ListeningController) -> None:
    states: list[str] = []
    controller.state_changed.connect(lambda state: states.append(state.activity))
    QTest.keyPress(window.line, Qt.Key.Key_F9)
    for kind in (QEvent.Type.KeyRelease, QEvent.Type.KeyPress) * 10:
        event = QKeyEvent(kind, Qt.Key.Key_F9, Qt.KeyboardModifier.NoModifier, "", True)
        QApplication.sendEvent(window.line, event)
    assert states == ["listening"]
    QTest.keyRelease(window.line, Qt.Key.Key_F9)
    assert states[:2] == ["listening", "transcribing"]


@pytest.mark.usefixtures("key")
def test_the_key_as_part_of_a_larger_chord(window: Window, controller: ListeningController) -> None:
    QTest.keyPress(window.line, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    QTest.keyRelease(window.line, Qt.Key.Key_F9, Qt.KeyboardModifier.ControlModifier)
    assert activity(controller) == "idle"


@pytest.mark.usefixtures("key")
def test_a_modifier_pressed_while_talking_does_not_lose_the_key_up(
    window: Window, controller: ListeningController
) -> None:
    QTest.keyPress(window.line, Qt.Key.Key_F9)
    QTest.keyRelease(window.line, Qt.Key.Key_F9, Qt.KeyboardModifier.ShiftModifier)
    assert activity(controller) != "listening"


@pytest.mark.usefixtures("key")
def test_key_up_lost_because_another_window_took_the_keyboard(window: Window, controller: ListeningController) -> None:
    QTest.keyPress(window.line, Qt.Key.Key_F9)
    QApplication.instance().focusWindowChanged.emit(None)  # type: ignore[union-attr]
    assert activity(controller) != "listening"
    QTest.keyPress(window.line, Qt.Key.Key_F9)
    assert activity(controller) == "listening"
    controller.cancel()


@pytest.mark.usefixtures("key")
def test_focus_lost_between_release_and_apply(
    qtbot: QtBot, window: Window, controller: ListeningController, sound: FakeSound
) -> None:
    """What was said is heard all the same: another window in front cancels nothing, and no second release comes."""
    states: list[str] = []
    controller.state_changed.connect(lambda state: states.append(state.activity))
    QTest.keyPress(window.line, Qt.Key.Key_F9)
    stream = sound.wait_open()
    stream.deliver(tone(0.5, stream.sample_rate_hz))
    QTest.keyRelease(window.line, Qt.Key.Key_F9)
    QApplication.instance().focusWindowChanged.emit(None)  # type: ignore[union-attr]
    stream.deliver(tone(0.5, stream.sample_rate_hz))
    qtbot.waitUntil(lambda: activity(controller) == "idle")
    assert states == ["listening", "transcribing", "idle"]


@pytest.mark.usefixtures("key")
def test_esc_while_recording_cancels_and_leaves_the_dialog_open(
    qtbot: QtBot, window: Window, controller: ListeningController
) -> None:
    dialog = QDialog(window)
    dialog.open()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: QApplication.focusWindow() is dialog.windowHandle())
    handle = dialog.windowHandle()
    QTest.keyPress(handle, Qt.Key.Key_F9)
    assert activity(controller) == "listening"
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    assert activity(controller) == "idle"
    assert dialog.isVisible()
    QTest.keyRelease(handle, Qt.Key.Key_F9)
    QTest.keyClick(handle, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not dialog.isVisible())


@pytest.mark.usefixtures("key")
def test_esc_while_nothing_is_heard_belongs_to_the_window(window: Window, controller: ListeningController) -> None:
    seen: list[int] = []
    window.keyPressEvent = lambda event: seen.append(event.key())  # type: ignore[method-assign]
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert seen == [Qt.Key.Key_Escape]
    assert activity(controller) == "idle"


def test_the_device_goes_while_toggled_on(qtbot: QtBot, window: Window) -> None:
    sound = FakeSound()
    controller = ListeningController(sound, QuickRecogniser, partials=False)
    PushToTalk(controller, window, key="F8", mode="toggle", clock=seconds())
    QTest.keyClick(window.line, Qt.Key.Key_F8)
    stream: FakeStream = sound.wait_open()
    stream.deliver(tone(0.5, 48_000))
    stream.is_active = False
    with qtbot.waitSignal(controller.utterance_transcribed):
        pass
    QTest.keyClick(window.line, Qt.Key.Key_F8)
    assert activity(controller) == "listening", "one press starts again; it isn't taken for the end"
    controller.cancel()
    controller.shutdown()


def test_another_key_and_mode(window: Window, controller: ListeningController, key: PushToTalk) -> None:
    assert key.key_name == "F9"
    key.use_key("F8")
    key.use_mode("toggle")
    QTest.keyClick(window.line, Qt.Key.Key_F9)
    assert activity(controller) == "idle"
    QTest.keyClick(window.line, Qt.Key.Key_F8)
    assert activity(controller) == "listening"
    QTest.keyClick(window.line, Qt.Key.Key_F8)
    assert activity(controller) != "listening"


@pytest.mark.parametrize("name", ["", "Ctrl+F9", "F9, F8", "Esc", "no such key"])
def test_keys_that_can_t_be_push_to_talk(key: PushToTalk, name: str) -> None:
    with pytest.raises(ValueError, match="ush-to-talk"):
        key.use_key(name)
