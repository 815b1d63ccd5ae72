"""The scrolled conversation: it stays where the person reads, and stays quick and small when it is long."""

from __future__ import annotations

import gc
import statistics
import time
import weakref
from collections.abc import Iterator
from dataclasses import replace

import pytest
from panel_kit import SAVE, STATUS, card_of, decide, finish, propose, say, send
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.agent.events import ReasoningDelta, RunFailed, RunFinished, TextDelta, TurnStarted
from app.panel import AssistantPanel
from app.panel.conversation import KEPT_WIDGETS, Conversation
from app.panel.entries import Answer, Card, Entry, Notice, Said
from app.panel.entry_widgets import SaidView
from app.panel.link_button import LinkButton
from app.panel.text_block import TextBlock
from app.widgets.theme import COLOURS, SchemeName

GERMAN = "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung"
_STILL = 3
"""Pictures that have to be the same, with the event loop run between them, until the layout counts as settled."""
PARAGRAPH = "An answer that is long enough to wrap over several lines, as answers do. " * 4


@pytest.fixture
def conversation(qtbot: QtBot) -> Iterator[Conversation]:
    """A conversation on the screen."""
    conversation = Conversation()
    qtbot.addWidget(conversation)
    conversation.resize(360, 400)
    conversation.show()
    yield conversation
    conversation.close()


def fill(conversation: Conversation, count: int) -> None:
    for index in range(count):
        conversation.add(Said(f"utterance {index}") if index % 2 else Answer(PARAGRAPH))


def at_end(conversation: Conversation) -> bool:
    bar = conversation.verticalScrollBar()
    return bar.maximum() > 0 and bar.value() == bar.maximum()


def live(conversation: Conversation) -> int:
    return sum(conversation.view(key) is not None for key in range(len(conversation.entries())))


def test_what_comes_together_is_shown_one_in_a_turn_and_in_order(conversation: Conversation, qtbot: QtBot) -> None:
    texts = ["first", "second", "third", "fourth"]

    def shown() -> list[str]:
        views = sorted(conversation.findChildren(SaidView), key=lambda view: view.geometry().top())
        return [block.toPlainText() for view in views for block in view.findChildren(TextBlock)]

    conversation.add(Said(texts[0]))
    for text in texts[1:]:
        conversation.add_next(Said(text))
    assert conversation.entries() == tuple(Said(text) for text in texts)
    assert shown() == texts[:1]
    seen: set[int] = set()
    while len(shown()) < len(texts):
        QCoreApplication.processEvents()
        seen.add(len(shown()))
    assert {2, 3} <= seen
    qtbot.waitUntil(lambda: shown() == texts)


def test_what_is_added_later_stands_after_what_is_not_shown_yet(conversation: Conversation, qtbot: QtBot) -> None:
    conversation.add_next(Said("first"))
    removed = conversation.add_next(Said("removed"))
    changed = conversation.add_next(Said("second"))
    conversation.change(changed, Said("changed"))
    conversation.remove(removed)
    conversation.add(Said("last"))
    blocks = [view.findChildren(TextBlock)[0] for view in conversation.findChildren(SaidView)]
    assert [block.toPlainText() for block in blocks] == ["first", "changed", "last"]
    qtbot.waitUntil(lambda: [block.isVisible() for block in blocks] == [True] * 3)


def test_it_follows_what_is_added_at_the_end(conversation: Conversation, qtbot: QtBot) -> None:
    fill(conversation, 12)
    qtbot.waitUntil(lambda: at_end(conversation))
    before = conversation.verticalScrollBar().maximum()
    key = conversation.add(Answer("x"))
    conversation.change(key, Answer("x" + PARAGRAPH * 3))
    qtbot.waitUntil(lambda: conversation.verticalScrollBar().maximum() > before and at_end(conversation))


def test_it_does_not_move_while_something_earlier_is_read(conversation: Conversation, qtbot: QtBot) -> None:
    fill(conversation, 12)
    qtbot.waitUntil(lambda: at_end(conversation))
    bar = conversation.verticalScrollBar()
    bar.setValue(100)
    before = bar.maximum()
    fill(conversation, 4)
    qtbot.waitUntil(lambda: bar.maximum() > before)
    assert bar.value() == 100


def test_a_long_conversation_keeps_few_widgets_and_all_entries(conversation: Conversation, qtbot: QtBot) -> None:
    fill(conversation, 400)
    assert len(conversation.entries()) == 400
    assert live(conversation) == KEPT_WIDGETS
    qtbot.waitUntil(lambda: at_end(conversation))


def test_adding_costs_the_same_however_long_it_is(conversation: Conversation) -> None:
    def cost() -> float:
        times = []
        for _ in range(60):
            began = time.perf_counter()
            fill(conversation, 1)
            QCoreApplication.processEvents()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            times.append(time.perf_counter() - began)
        return statistics.median(times)

    fill(conversation, KEPT_WIDGETS)
    short = cost()
    fill(conversation, 400)
    assert cost() < 3 * short


def test_earlier_entries_come_back_without_moving_what_is_read(conversation: Conversation, qtbot: QtBot) -> None:
    fill(conversation, 70)
    qtbot.waitUntil(lambda: at_end(conversation))
    earlier = next(found for found in conversation.findChildren(LinkButton) if found.text() == "Show earlier")
    qtbot.waitUntil(earlier.isVisible)
    bar = conversation.verticalScrollBar()
    bar.setValue(0)
    before = bar.maximum()
    earlier.click()
    assert live(conversation) == 70
    assert not earlier.isVisible()
    qtbot.waitUntil(lambda: bar.maximum() > before)
    qtbot.waitUntil(lambda: before - 80 <= bar.maximum() - bar.value() <= before)


def test_a_card_that_waits_is_never_put_away(conversation: Conversation) -> None:
    key = conversation.add(Card(STATUS))
    fill(conversation, 3 * KEPT_WIDGETS)
    assert conversation.view(key) is not None
    conversation.change(key, Card(replace(STATUS, status="done")))
    fill(conversation, 2)
    assert conversation.view(key) is None


def test_an_entry_does_not_change_its_kind(conversation: Conversation) -> None:
    key = conversation.add(Said("save"))
    with pytest.raises(TypeError):
        conversation.change(key, Answer("save"))


@pytest.mark.parametrize("width", [320, 360, 480])
@pytest.mark.parametrize(
    "entry",
    [
        Said(GERMAN),
        Answer(GERMAN * 2),
        Notice(GERMAN, GERMAN),
        Card(replace(STATUS, title=GERMAN, target=GERMAN, before=GERMAN, after=GERMAN * 3)),
        Card(replace(SAVE, effect=GERMAN, status="failed", error=GERMAN * 2)),
        Card(replace(STATUS, status="refused", error=GERMAN)),
    ],
    ids=["said", "answer", "notice", "values", "failed", "refused"],
)
def test_words_of_german_length_are_broken_and_not_clipped(
    conversation: Conversation, qtbot: QtBot, width: int, entry: Entry
) -> None:
    conversation.resize(width, 600)
    view = conversation.view(conversation.add(entry))
    page = conversation.widget()
    assert view is not None
    assert page is not None
    qtbot.waitUntil(lambda: view.width() > 0 and page.width() == conversation.viewport().width())
    assert page.minimumSizeHint().width() <= conversation.viewport().width()
    assert view.geometry().right() <= page.width()


def test_buttons_of_a_card_fit_the_narrowest_panel(panel: AssistantPanel, qtbot: QtBot) -> None:
    panel.resize(panel.minimumWidth(), 700)
    propose(panel, STATUS, SAVE)
    for card in (card_of(panel, STATUS), card_of(panel, SAVE)):
        for button in card.findChildren(QPushButton):
            if button.isVisible():
                qtbot.waitUntil(lambda button=button: button.width() >= button.minimumSizeHint().width())  # type: ignore[misc]
                place = button.mapTo(card, button.rect().bottomRight())
                assert card.rect().contains(place)


def scene(panel: AssistantPanel) -> None:
    """One of everything that has colours of its own."""
    panel.set_suggestions(["save"])
    panel.resize(400, 1400)
    say(panel, "save")
    events = (TurnStarted("run", 1, "m"), ReasoningDelta("run", "Hm."), TextDelta("run", "Saved."))
    send(panel, *events, RunFinished("run", "limit", "Stop.", ("save",)))
    refused = replace(STATUS, id="refused", status="refused", error="No.")
    propose(panel, STATUS, replace(SAVE, confidence=0.2), replace(STATUS, id="edited"), refused)
    decide(panel, SAVE, "rejected")
    finish(panel, replace(SAVE, id="done"), "Saved")
    send(panel, RunFailed("run", "No answer.", "Try again."))
    edited = panel.card("edited")
    assert edited is not None
    edited.edit()
    edited.show_refusal("No.")
    panel.set_listening("unavailable", "no microphone")
    panel.input.box.clearFocus()


@pytest.mark.parametrize("scheme", list(COLOURS))
def test_a_panel_that_changes_its_colours_looks_like_a_new_one(
    qapp: QApplication, qtbot: QtBot, scheme: SchemeName
) -> None:
    def settled(panel: AssistantPanel) -> QImage:
        with qtbot.waitExposed(panel):
            panel.show()
        scene(panel)
        images: list[QImage] = []

        def still() -> bool:
            images.append(panel.grab().toImage())
            return len(images) > _STILL and all(image == images[-1] for image in images[-_STILL:])

        qtbot.waitUntil(still)
        return images[-1]

    before = qapp.palette()
    try:
        qapp.setPalette(COLOURS[scheme].palette())
        new, changed = AssistantPanel("F9"), AssistantPanel("F9")
        for panel in (new, changed):
            qtbot.addWidget(panel)
        expected = settled(new)
        new.close()
        qapp.setPalette(COLOURS["dark" if scheme == "light" else "light"].palette())
        assert settled(changed) != expected
        qapp.setPalette(COLOURS[scheme].palette())
        qtbot.waitUntil(lambda: changed.grab().toImage() == expected)
    finally:
        qapp.setPalette(before)


def test_a_panel_leaves_nothing_behind(qtbot: QtBot) -> None:
    gone = []
    for _ in range(5):
        panel = AssistantPanel("F9")
        with qtbot.waitExposed(panel):
            panel.show()
        say(panel, "save")
        propose(panel, STATUS, SAVE)
        card_of(panel, STATUS).edit()
        panel.close()
        panel.deleteLater()
        gone.append(weakref.ref(panel))
        del panel
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert [found() for found in gone] == [None] * 5


def test_what_is_wrong_with_an_answer_stands_beside_it(panel: AssistantPanel) -> None:
    panel.handle_event(RunFinished("r", "finished", "It reads well.", notice="This server can't use tools."))
    assert panel.conversation.entries()[-2:] == (
        Answer("It reads well."),
        Notice("This server can't use tools.", "", "caution"),
    )
