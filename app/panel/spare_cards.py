"""Cards made ahead: making one takes a third of a frame, and a request may need several at once."""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtWidgets import QWidget

from app.agent.proposal import Proposal
from app.panel.card import ProposalCard

_COUNT = 3
_QUIET_MS = 500
"""After a card was needed: others of the same request may follow, and are painted. While the program is busy, too."""
_NOTHING = Proposal("", "", "", 0, "", "", "", "", {})


class SpareCards(QObject):
    """Up to three cards that show nothing yet, made one at a time while no card is needed.

    They belong to no window until they are taken, so that Tab reaches them in the order in which they are shown.
    """

    def __init__(self, owner: QWidget) -> None:
        """Makes none yet.

        Args:
            owner: Cards that nobody has taken go with it.
        """
        super().__init__(owner)
        self._cards: list[ProposalCard] = []
        self._busy: Callable[[], bool] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._make_one)
        cards = self._cards
        owner.destroyed.connect(lambda: _discard(cards))

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._cards)

    def prepare(self, busy: Callable[[], bool]) -> None:
        """From now on there are some, as far as there is time to make them.

        Args:
            busy: Whether something is being heard or done: meanwhile one is made now and then. A request that follows
                another at once finds the cards that the last one used up made while it was still being heard.
        """
        self._busy = busy
        self._timer.start(_QUIET_MS)

    def take(self, proposal: Proposal, message: str) -> ProposalCard:
        """A card for a proposal: one of those that are there, else a new one."""
        if self._busy is not None:
            self._timer.start(_QUIET_MS)
        if not self._cards:
            return ProposalCard(proposal, message)
        card = self._cards.pop()
        card.show_proposal(proposal, message)
        return card

    @Slot()
    def _make_one(self) -> None:
        if self._busy is None or len(self._cards) >= _COUNT:
            return
        self._cards.append(ProposalCard(_NOTHING))
        self._timer.start(_QUIET_MS if self._busy() else 0)


def _discard(cards: list[ProposalCard]) -> None:
    for card in cards:
        if shiboken6.isValid(card):
            shiboken6.delete(card)
    cards.clear()
