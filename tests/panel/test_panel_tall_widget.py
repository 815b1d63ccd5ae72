"""What stands in the conversation keeps its height until something in it changes."""

from __future__ import annotations

from panel_kit import SAVE, STATUS, card_of, propose
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QLabel

from app.panel import AssistantPanel


def test_a_new_card_does_not_wrap_the_texts_of_the_others_anew(panel: AssistantPanel) -> None:
    asked: list[int] = []

    class Counted(QLabel):
        def heightForWidth(self, width: int, /) -> int:
            asked.append(width)
            return super().heightForWidth(width)

    propose(panel, STATUS)
    text = Counted("Some words that wrap where they have to. " * 5)
    text.setWordWrap(True)
    card = card_of(panel, STATUS)
    layout = card.layout()
    assert layout is not None
    layout.addWidget(text)
    for _ in range(5):
        QCoreApplication.processEvents()
    assert asked
    before = card.height()
    asked.clear()
    propose(panel, SAVE)
    for _ in range(5):
        QCoreApplication.processEvents()
    assert card_of(panel, SAVE).height() > 0
    assert card.height() == before == card.heightForWidth(card.width())
    assert asked == []
