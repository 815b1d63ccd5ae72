"""What the panel makes of the engine's events, and what it tells of what the person does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from panel_kit import SAVE, STATUS, Told, card_of, decide, finish, propose, say, send
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.agent.events import (
    AnswerUnderstood,
    EngineState,
    Outcome,
    ReasoningDelta,
    RunFailed,
    RunFinished,
    StateChanged,
    TextDelta,
    TurnStarted,
)
from app.agent.messages import Utterance
from app.agent.proposal import Decision
from app.panel import AssistantPanel
from app.panel.entries import Answer, Card, Changes, Entry, Notice, Phrases, Reasoning, Said
from app.panel.entry_widgets import AnswerView, ReasoningView
from app.panel.phrase_list import PhraseList
from app.panel.status import ListeningState, status_of


def entries(panel: AssistantPanel) -> list[Entry]:
    """The conversation as values."""
    return list(panel.conversation.entries())


def shown_button(panel: AssistantPanel, text: str) -> QPushButton:
    """The newest visible button of that text, after what comes in the next turn of the event loop is there."""
    QCoreApplication.processEvents()
    return [found for found in panel.findChildren(QPushButton) if found.text() == text and found.isVisible()][-1]


def test_an_answer_grows_as_it_streams(panel: AssistantPanel) -> None:
    say(panel, "what is left", source="text")
    send(panel, TurnStarted("run", 1, "openai"), TextDelta("run", "Two "), TextDelta("run", "drafts."))
    assert entries(panel) == [Said("what is left"), Answer("Two drafts.")]
    send(panel, RunFinished("run", "finished", "Two drafts."))
    assert entries(panel) == [Said("what is left"), Answer("Two drafts.")]


def test_the_next_turn_has_an_answer_of_its_own(panel: AssistantPanel) -> None:
    say(panel, "go on")
    send(panel, TurnStarted("run", 1, "m"), TextDelta("run", "First."))
    send(panel, TurnStarted("run", 2, "m"), TextDelta("run", "Second."), RunFinished("run", "finished", "Done."))
    assert entries(panel)[1:] == [Answer("First."), Answer("Second."), Answer("Done.")]


def test_reasoning_is_folded_and_never_the_answer(panel: AssistantPanel) -> None:
    say(panel, "go on")
    send(panel, TurnStarted("run", 1, "m"), ReasoningDelta("run", "Let me "), ReasoningDelta("run", "see."))
    assert entries(panel)[1:] == [Reasoning("Let me see.")]
    view = panel.conversation.view(1)
    assert isinstance(view, ReasoningView)
    toggle, block = view.findChildren(QToolButton)[0], view.findChildren(AnswerView)[0]
    assert not block.isVisible()
    QTest.mouseClick(toggle, Qt.MouseButton.LeftButton)
    assert block.isVisible()
    assert block.toPlainText() == "Let me see."


def test_text_of_an_answer_is_shown_as_text_and_not_as_markup(panel: AssistantPanel) -> None:
    say(panel, "go on")
    send(panel, TextDelta("run", "<b>bold</b> & "), TextDelta("run", "<img src=x>"))
    view = panel.conversation.view(1)
    assert isinstance(view, AnswerView)
    assert view.toPlainText() == "<b>bold</b> & <img src=x>"


def test_the_heard_words_become_the_utterance_in_the_same_place(panel: AssistantPanel) -> None:
    panel.show_partial("set the")
    panel.show_partial("set the status")
    assert entries(panel) == [Said("set the status", "voice", partial=True)]
    say(panel, "set the status to accepted")
    assert entries(panel) == [Said("set the status to accepted", "voice")]


def test_heard_words_stay_while_the_rest_is_transcribed(panel: AssistantPanel) -> None:
    panel.set_listening("listening")
    panel.show_partial("set the status")
    panel.set_listening("transcribing")
    panel.show_partial("")
    assert entries(panel) == [Said("set the status", "voice", partial=True)]
    panel.set_listening("idle")
    panel.show_partial("")
    assert entries(panel) == []


def test_heard_words_that_come_to_nothing_go_away(panel: AssistantPanel) -> None:
    panel.show_partial("hm")
    panel.show_partial("")
    assert entries(panel) == []
    assert panel.conversation.empty.isVisible()
    panel.show_partial("hm")
    panel.show_notice("Nobody spoke.", "Hold the key while you speak.")
    assert entries(panel) == [Notice("Nobody spoke.", "Hold the key while you speak.")]


def test_a_notice_is_not_repeated(panel: AssistantPanel) -> None:
    panel.show_notice("The microphone is muted.", "")
    panel.show_notice("The microphone is muted.", "")
    assert len(entries(panel)) == 1


def test_a_failed_backend_is_told_with_what_to_do(panel: AssistantPanel) -> None:
    say(panel, "translate the abstract")
    send(panel, RunFailed("run", "The key was not accepted.", "Check it in Settings.", "auth"))
    send(panel, RunFinished("run", "failed", "The key was not accepted."))
    assert entries(panel)[1:] == [Notice("The key was not accepted.", "Check it in Settings.", "error")]


@pytest.mark.parametrize(
    ("outcome", "kind"),
    [
        ("nothing_understood", "information"),
        ("cancelled", "information"),
        ("failed", "error"),
        ("limit", "information"),
    ],
)
def test_every_end_of_a_run_is_told_in_words(panel: AssistantPanel, outcome: Outcome, kind: str) -> None:
    say(panel, "x")
    send(panel, RunFinished("run", outcome, ""))
    last = entries(panel)[-1]
    assert isinstance(last, Notice)
    assert last.kind == kind
    assert last.text.endswith(".")


def test_what_was_not_understood_is_followed_by_phrases_that_can_be_sent(
    panel: AssistantPanel, told: Told, qtbot: QtBot
) -> None:
    say(panel, "purple monkey")
    send(panel, RunFinished("run", "nothing_understood", "That was not understood.", ("save", "set the title to …")))
    assert entries(panel)[-1] == Phrases(("save", "set the title to …"))

    def shown() -> list[PhraseList]:
        return [found for found in panel.findChildren(PhraseList) if found.isVisible() and found.phrases]

    # In a turn of its own: one that is made, laid out and painted with the notice before it holds up the window.
    assert not shown()
    qtbot.waitUntil(lambda: bool(shown()))
    phrases = shown()[0]
    QTest.mouseClick(phrases.chip("save"), Qt.MouseButton.LeftButton)
    assert told.of("text_submitted") == ["save"]
    QTest.mouseClick(phrases.chip("set the title to …"), Qt.MouseButton.LeftButton)
    assert told.of("text_submitted") == ["save"]
    assert panel.input.box.toPlainText() == "set the title to "
    assert panel.input.box.hasFocus()


def test_suggestions_that_nobody_sees_are_made_when_they_are_seen(panel: AssistantPanel) -> None:
    empty = panel.conversation.empty
    panel.set_suggestions(["save"])
    panel.show_partial("go to")
    panel.set_suggestions(["go to speakers"])
    assert empty.phrases.phrases == ("save",)
    panel.show_partial("")
    assert empty.isVisible()
    assert empty.phrases.phrases == ("go to speakers",)


def test_the_empty_panel_says_what_to_do(panel: AssistantPanel, told: Told) -> None:
    panel.set_suggestions(["go to speakers", "save"])
    assert panel.conversation.empty.phrases.phrases == ("go to speakers", "save")
    help_button = shown_button(panel, "What can I say")
    help_button.setFocus()
    QTest.mouseClick(help_button, Qt.MouseButton.LeftButton)
    assert told.of("text_submitted") == ["What can I say"]
    say(panel, "What can I say")
    assert not panel.conversation.empty.isVisible()
    assert panel.input.box.hasFocus()


def test_all_can_be_decided_at_once_where_there_are_several(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS)
    assert not panel.waiting_bar.isVisible()
    propose(panel, SAVE)
    assert panel.waiting_bar.isVisible()
    QTest.mouseClick(shown_button(panel, "Approve all"), Qt.MouseButton.LeftButton)
    assert told.decisions == [Decision("status-1", "approve"), Decision("save-1", "approve")]
    QTest.mouseClick(shown_button(panel, "Reject all"), Qt.MouseButton.LeftButton)
    assert told.decisions[2:] == [Decision("status-1", "reject"), Decision("save-1", "reject")]
    shown_button(panel, "Reject all").setFocus()
    decide(panel, STATUS, "approved")
    assert not panel.waiting_bar.isVisible()
    assert panel.input.box.hasFocus()


def test_ctrl_enter_approves_what_still_waits(panel: AssistantPanel, told: Told) -> None:
    propose(panel, STATUS, SAVE, replace(SAVE, id="never", status="refused"))
    decide(panel, STATUS, "rejected")
    QTest.keyClick(panel.input.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert told.decisions == [Decision("save-1", "approve")]
    assert told.of("text_submitted") == []


def test_escape_and_the_button_cancel_only_what_is_under_way(panel: AssistantPanel, told: Told) -> None:
    QTest.keyClick(panel.input.box, Qt.Key.Key_Escape)
    assert told.of("cancel_requested") == []
    say(panel, "go on")
    QTest.keyClick(panel.input.box, Qt.Key.Key_Escape)
    cancel = next(found for found in panel.findChildren(QToolButton) if found.text() == "Cancel")
    QTest.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert len(told.of("cancel_requested")) == 2
    send(panel, StateChanged("idle"))
    assert not cancel.isVisible()


def test_undo_is_offered_once_after_something_was_changed(panel: AssistantPanel, told: Told) -> None:
    say(panel, "set the status to accepted and save")
    propose(panel, STATUS, SAVE)
    finish(panel, STATUS, "Status is Accepted")
    finish(panel, SAVE, error="The disk is full.")
    send(panel, RunFinished("run", "failed", "Stopped."), StateChanged("idle"))
    assert entries(panel)[-1] == Changes(1)
    undo = shown_button(panel, "Undo")
    QTest.mouseClick(undo, Qt.MouseButton.LeftButton)
    assert len(told.of("undo_requested")) == 1
    panel.set_undoable(True)
    assert not undo.isEnabled()


def test_undo_of_an_older_run_is_no_longer_offered(panel: AssistantPanel) -> None:
    say(panel, "set the status to accepted")
    propose(panel, STATUS)
    finish(panel, STATUS, "Status is Accepted")
    send(panel, RunFinished("run", "finished", "Status is Accepted."))
    undo = shown_button(panel, "Undo")
    assert undo.isEnabled()
    panel.set_undoable(False)
    assert not undo.isEnabled()
    panel.set_undoable(True)
    assert undo.isEnabled()
    say(panel, "something else", run_id="next")
    assert not undo.isEnabled()


def test_going_somewhere_or_what_has_no_way_back_is_nothing_to_undo(panel: AssistantPanel) -> None:
    page = replace(SAVE, id="nav", policy="auto", target="Speakers", title="Go to")
    say(panel, "go to speakers")
    finish(panel, page, "Speakers")
    finish(panel, replace(SAVE, irreversible=True), "Sent")
    send(panel, RunFinished("run", "finished", "Speakers."))
    assert not [entry for entry in entries(panel) if isinstance(entry, Changes)]


def test_a_spoken_answer_stands_in_the_conversation(panel: AssistantPanel) -> None:
    propose(panel, STATUS)
    send(panel, AnswerUnderstood(Utterance("u2", "approve", source="voice"), "approve", (), applied=True))
    assert entries(panel)[-1] == Said("approve", "voice")
    send(panel, AnswerUnderstood(Utterance("u3", "approve", source="voice"), "approve", (), applied=False))
    assert entries(panel)[-1] == Notice("Nothing is waiting for an answer.")


@pytest.mark.parametrize(
    ("engine", "listening", "reason", "words", "busy"),
    [
        ("idle", "idle", "", "Ready", False),
        ("idle", "listening", "", "Listening", False),
        ("idle", "transcribing", "", "Transcribing", True),
        ("thinking", "idle", "", "Thinking", True),
        ("waiting", "idle", "", "Waiting for you", False),
        ("applying", "idle", "", "Applying", True),
        ("waiting", "listening", "", "Listening", False),
        ("idle", "unavailable", "no microphone", "Voice off: no microphone", False),
        ("thinking", "unavailable", "no microphone", "Thinking", True),
    ],
)
def test_the_line_of_words_says_what_is_going_on(
    panel: AssistantPanel, engine: EngineState, listening: ListeningState, reason: str, words: str, busy: bool
) -> None:
    assert status_of(engine, listening, reason) == (words, busy)
    send(panel, StateChanged(engine))
    panel.set_listening(listening, reason)
    assert panel.status_words == words


def test_a_spinner_shows_once_work_takes_longer_than_people_notice(panel: AssistantPanel, qtbot: QtBot) -> None:
    send(panel, StateChanged("thinking"))
    assert not panel.spinning
    qtbot.waitUntil(lambda: panel.spinning)
    send(panel, StateChanged("waiting"))
    assert not panel.spinning


def test_a_card_spins_while_its_action_runs(panel: AssistantPanel, qtbot: QtBot) -> None:
    propose(panel, replace(STATUS, status="running"))
    spinner = card_of(panel, STATUS)._foot.spinner
    qtbot.waitUntil(lambda: spinner.spinning)
    finish(panel, STATUS, "Status is Accepted")
    assert not spinner.spinning


def test_a_proposal_that_changes_keeps_its_card(panel: AssistantPanel) -> None:
    propose(panel, STATUS)
    propose(panel, replace(STATUS, after="Rejected"))
    assert [type(entry) for entry in entries(panel)] == [Card]
