"""The one outline of the window: round the target that is proposed, or that is just being named."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from app.agent.events import AnswerUnderstood, Event, RunFailed, RunFinished
from app.widgets.highlight import Highlight


class Outline(QObject):
    """Decides what the highlight shows. What is being said comes before what was proposed."""

    def __init__(self, highlight: Highlight) -> None:
        super().__init__(highlight)
        self._highlight = highlight
        self._proposed = ""
        self._foreseen = ""
        # In a turn of its own: to find its place lays the page out, and a card is being made in this one.
        self._next_turn = QTimer(self)
        self._next_turn.setSingleShot(True)
        self._next_turn.timeout.connect(self._show)

    @Slot(str)
    def propose(self, guid: str) -> None:
        """The target of the proposal that is asked about; empty for none."""
        self._proposed, self._foreseen = guid, ""
        self._change()

    @Slot(str)
    def foresee(self, guid: str) -> None:
        """The target that somebody is just naming; empty for none."""
        if guid != self._foreseen:
            self._foreseen = guid
            self._change()

    @Slot(object)
    def take(self, event: Event) -> None:
        """Forgets what was being named as soon as it is known what it comes to."""
        if isinstance(event, RunFinished | RunFailed | AnswerUnderstood):
            self.foresee("")

    def _change(self) -> None:
        if self._foreseen or self._proposed:
            self._next_turn.start(0)
        else:
            self._next_turn.stop()
            self._highlight.clear()

    @Slot()
    def _show(self) -> None:
        self._highlight.show_instance(self._foreseen or self._proposed)
