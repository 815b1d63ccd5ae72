"""Cards are made ahead, one in a turn, and look and behave like any other once they are taken."""

from __future__ import annotations

from functools import partial

from panel_kit import SAVE, STATUS, Told, card_of, propose
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panel import AssistantPanel
from app.panel.card import ProposalCard
from app.panel.spare_cards import SpareCards


def spares_of(panel: AssistantPanel) -> SpareCards:
    found = panel.conversation.findChild(SpareCards)
    assert isinstance(found, SpareCards)
    return found


def test_none_is_made_before_it_is_asked_for(panel: AssistantPanel) -> None:
    propose(panel, STATUS)
    assert spares_of(panel).count == 0


def test_they_are_made_one_in_a_turn_and_again_after_they_were_used(panel: AssistantPanel, qtbot: QtBot) -> None:
    panel.conversation.prepare_cards(lambda: False)
    spares = spares_of(panel)
    counts: list[int] = []
    while spares.count < 3:
        QCoreApplication.processEvents()
        counts.append(spares.count)
    assert {1, 2} <= set(counts)
    propose(panel, STATUS)
    assert spares.count == 2
    qtbot.waitUntil(lambda: spares.count == 3)


def test_while_the_program_is_busy_they_are_made_all_the_same_but_not_one_after_the_other(
    panel: AssistantPanel, qtbot: QtBot
) -> None:
    """The next request is being heard while those that the last one has used up are made."""
    panel.conversation.prepare_cards(lambda: True)
    spares = spares_of(panel)

    def has(count: int) -> bool:
        return spares.count == count

    for expected in (1, 2, 3):
        qtbot.waitUntil(partial(has, expected))
        QCoreApplication.processEvents()
        assert spares.count == expected


def test_one_that_was_made_ahead_shows_and_decides_its_proposal(
    panel: AssistantPanel, told: Told, qtbot: QtBot
) -> None:
    panel.conversation.prepare_cards(lambda: False)
    qtbot.waitUntil(lambda: spares_of(panel).count == 3)
    made_new = ProposalCard(STATUS)
    qtbot.addWidget(made_new)
    propose(panel, STATUS, SAVE)
    card = card_of(panel, STATUS)
    assert card.isVisible()
    assert card.accessibleName() == made_new.accessibleName()
    card.approve()
    card_of(panel, SAVE).reject()
    assert [(decision.proposal_id, decision.kind) for decision in told.decisions] == [
        (STATUS.id, "approve"),
        (SAVE.id, "reject"),
    ]


def test_those_that_nobody_took_go_with_the_panel(qtbot: QtBot) -> None:
    panel = AssistantPanel("F9")
    panel.conversation.prepare_cards(lambda: False)
    qtbot.waitUntil(lambda: spares_of(panel).count == 3)
    panel.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, ProposalCard)]
