"""The foot of the panel: text box, push-to-talk, level."""

from __future__ import annotations

import pytest
from panel_kit import STATUS, Told, propose, say
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPlainTextEdit

from app.panel import AssistantPanel

LEFT = Qt.MouseButton.LeftButton


def test_enter_sends_and_empties_the_box(panel: AssistantPanel, told: Told) -> None:
    box = panel.input.box
    assert not panel.input.send.isEnabled()
    QTest.keyClicks(box, "  save  ")
    assert panel.input.send.isEnabled()
    QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert told.of("text_submitted") == ["save"]
    assert box.toPlainText() == ""


def test_the_button_sends_too(panel: AssistantPanel, told: Told) -> None:
    QTest.keyClicks(panel.input.box, "save")
    QTest.mouseClick(panel.input.send, LEFT)
    assert told.of("text_submitted") == ["save"]


def test_another_request_can_be_sent_while_one_is_open(panel: AssistantPanel, told: Told) -> None:
    say(panel, "set the status")
    propose(panel, STATUS)
    QTest.keyClicks(panel.input.box, "no, leave it")
    QTest.keyClick(panel.input.box, Qt.Key.Key_Return)
    assert told.of("text_submitted") == ["no, leave it"]


def test_up_and_down_walk_through_what_was_sent(panel: AssistantPanel) -> None:
    box = panel.input.box
    for text in ("first", "second", "second"):
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return)
    QTest.keyClicks(box, "draft")
    seen = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(box, key)
        seen.append(box.toPlainText())
    assert seen == ["second", "first", "first", "second", "draft"]


def test_pasted_lines_are_one_request(panel: AssistantPanel, told: Told) -> None:
    box = panel.input.box
    one_line = box.height()
    QGuiApplication.clipboard().setText("first line\nsecond line\r\nthird line")
    box.paste()
    assert told.of("text_submitted") == []
    assert box.height() > one_line
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert told.of("text_submitted") == ["first line\nsecond line\nthird line"]
    assert box.height() == one_line


def test_shift_enter_begins_a_new_line(panel: AssistantPanel, told: Told) -> None:
    QTest.keyClicks(panel.input.box, "a")
    QTest.keyClick(panel.input.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(panel.input.box, "b")
    assert panel.input.box.toPlainText() == "a\nb"
    assert told.of("text_submitted") == []


def test_the_box_stops_growing_at_five_lines(panel: AssistantPanel) -> None:
    panel.input.box.setPlainText("\n".join("12345"))
    five = panel.input.box.height()
    panel.input.box.setPlainText("\n".join("123456789"))
    assert panel.input.box.height() == five
    assert isinstance(panel.input.box, QPlainTextEdit)


def held(told: Told) -> list[str]:
    """The push-to-talk signals so far, in order."""
    return [name for name, _ in told.log if name.startswith("push_to_talk")]


def test_talking_lasts_from_press_to_release(panel: AssistantPanel, told: Told) -> None:
    talk = panel.input.talk
    QTest.mousePress(talk, LEFT)
    assert held(told) == ["push_to_talk_pressed"]
    # The hand drifts off the button while speaking: the sentence goes on.
    QTest.mouseMove(talk, QPoint(300, -200))
    assert held(told) == ["push_to_talk_pressed"]
    QTest.mouseRelease(talk, LEFT, pos=QPoint(300, -200))
    assert held(told) == ["push_to_talk_pressed", "push_to_talk_released"]


def test_the_space_key_holds_the_focused_button(panel: AssistantPanel, told: Told) -> None:
    talk = panel.input.talk
    talk.setFocus()
    QTest.keyPress(talk, Qt.Key.Key_Space)
    QTest.keyRelease(talk, Qt.Key.Key_Space)
    assert held(told) == ["push_to_talk_pressed", "push_to_talk_released"]


@pytest.mark.parametrize("how", ["focus", "disabled"])
def test_a_hold_that_is_taken_away_ends(panel: AssistantPanel, told: Told, how: str) -> None:
    talk = panel.input.talk
    talk.setFocus()
    QTest.keyPress(talk, Qt.Key.Key_Space)
    if how == "focus":
        panel.input.box.setFocus()
    else:
        talk.setEnabled(False)
    assert held(told) == ["push_to_talk_pressed", "push_to_talk_released"]


def test_the_key_is_named_on_the_button(panel: AssistantPanel) -> None:
    assert panel.input.talk.text() == "F9"
    panel.set_key_name("Right Ctrl")
    assert panel.input.talk.text() == "Right Ctrl"
    assert "Right Ctrl" in panel.input.talk.accessibleDescription()


@pytest.mark.parametrize(("rms", "lit"), [(0.0, 0), (0.001, 0), (0.02, 4), (0.1, 8), (0.5, 12), (3.0, 12)])
def test_the_level_is_shown_in_decibels(panel: AssistantPanel, rms: float, lit: int) -> None:
    panel.set_level(rms)
    assert panel.input.meter.lit == lit


def test_the_level_falls_to_nothing_when_listening_ends(panel: AssistantPanel) -> None:
    panel.set_listening("listening", "")
    panel.set_level(0.1)
    panel.set_listening("transcribing", "")
    assert panel.input.meter.lit == 0


def test_a_muted_microphone_is_marked(panel: AssistantPanel) -> None:
    panel.set_muted(True)
    assert panel.input.meter.muted
    assert panel.input.meter.accessibleDescription() == "Muted"
    panel.set_muted(False)
    assert not panel.input.meter.muted
