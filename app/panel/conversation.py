"""The scrolled conversation. However long it is, only its tail consists of widgets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.agent.proposal import Decision
from app.panel.empty_state import EmptyState
from app.panel.entries import Answer, Card, Changes, Entry, Notice, Phrases, Reasoning, Said, is_open
from app.panel.entry_widgets import AnswerView, ChangesView, NoticeView, ReasoningView, SaidView
from app.panel.link_button import LinkButton
from app.panel.phrase_list import PhraseList
from app.panel.tall_widget import TallWidget
from app.widgets.theme import GAP, GRID

if TYPE_CHECKING:
    from app.panel.card import ProposalCard  # with its forms it is half of the panel, and not on it from the start
    from app.panel.spare_cards import SpareCards

KEPT_WIDGETS = 60
_EARLIER_STEP = 20
_AT_END_PX = 8

EntryView: TypeAlias = "SaidView | AnswerView | ReasoningView | ProposalCard | NoticeView | ChangesView | PhraseList"


class Conversation(QScrollArea):
    """Entries below each other, addressed by the key that `add` gives.

    It stays at its end when something is added only if it was there before. Entries over the newest 60 lose their
    widgets; the person brings them back with "Show earlier".
    """

    decided = Signal(Decision)
    edited = Signal(str, object)
    card_selected = Signal(str)
    undo_requested = Signal()
    phrase_chosen = Signal(str)
    focus_lost = Signal()
    """What had the keyboard focus has gone from the conversation: it should go where the person types."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: dict[int, Entry] = {}
        self._views: dict[int, EntryView] = {}
        self._next_key = 0
        self._unshown: deque[int] = deque()
        self._next_turn = QTimer(self)
        self._next_turn.setSingleShot(True)
        self._next_turn.timeout.connect(self._show_next)
        self._at_end = True
        self._from_end = 0
        self._keep_place = False
        self._moving = False

        self.empty = EmptyState()
        self.empty.phrase_chosen.connect(self.phrase_chosen)
        self._earlier = LinkButton("Show earlier")
        self._earlier.clicked.connect(self.show_earlier)
        self._earlier.hide()
        page = TallWidget()
        self._layout = QVBoxLayout(page)
        # With the place of the scroll bar, the right margin is as wide as the left one.
        right = max(0, 2 * GRID - self.verticalScrollBar().sizeHint().width())
        self._layout.setContentsMargins(2 * GRID, 2 * GRID, right, 2 * GRID)
        self._layout.setSpacing(GRID + GAP)
        self._layout.addWidget(self._earlier, 0, Qt.AlignmentFlag.AlignHCenter)
        self._layout.addWidget(self.empty)
        self._layout.addStretch(1)
        self.setWidget(page)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Its place is always kept, so that the text doesn't wrap anew when the first line scrolls away.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Conversation")
        bar = self.verticalScrollBar()
        bar.valueChanged.connect(self._scrolled)
        bar.rangeChanged.connect(self._grown)

    def add(self, entry: Entry) -> int:
        """Puts an entry at the end and gives its key."""
        self._show_all()
        key = self._take(entry)
        self._show(key)
        return key

    def add_next(self, entry: Entry) -> int:
        """As `add`, but it is shown in the next turn of the event loop, for what comes together with another entry.

        Whatever is added or asked for before that has it shown first.
        """
        key = self._take(entry)
        self._unshown.append(key)
        self._next_turn.start(0)
        return key

    def _take(self, entry: Entry) -> int:
        key = self._next_key
        self._next_key += 1
        self._entries[key] = entry
        return key

    @Slot()
    def _show_next(self) -> None:
        if self._unshown:
            self._show(self._unshown.popleft())
        if self._unshown:
            self._next_turn.start(0)

    def _show_all(self) -> None:
        while self._unshown:
            self._show(self._unshown.popleft())

    def _show(self, key: int) -> None:
        entry = self._entries[key]
        self._keep_place = False
        if not isinstance(entry, Notice):
            self._leave_empty()
        self._views[key] = view = self._make(entry)
        self._layout.insertWidget(self._layout.count() - 1, view)
        if isinstance(entry, Notice):
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(view, f"{entry.text} {entry.hint}".strip()))
        # A layout shows its new widgets only later; until then the keyboard could not reach them.
        view.show()
        if self._at_end:
            self._let_go()

    def change(self, key: int, entry: Entry) -> None:
        """Puts another entry of the same kind in the place of one.

        Raises:
            KeyError: There is no such entry.
        """
        from app.panel.card import ProposalCard

        self._entries[key] = _same_kind(self._entries[key], entry)
        match (self._views.get(key), entry):
            case (SaidView() as said, Said()):
                said.show_entry(entry)
            case (AnswerView() as answer, Answer()):
                answer.show_entry(entry)
            case (ReasoningView() as reasoning, Reasoning()):
                reasoning.show_entry(entry)
            case (ProposalCard() as card, Card()):
                card.show_proposal(entry.proposal, entry.message)
            case (NoticeView() as notice, Notice()):
                notice.show_entry(entry)
            case (ChangesView() as changes, Changes()):
                changes.show_entry(entry)
            case (PhraseList() as phrases, Phrases()):
                phrases.set_phrases(entry.phrases)

    def remove(self, key: int) -> None:
        """Takes an entry away.

        Raises:
            KeyError: There is no such entry.
        """
        del self._entries[key]
        if key in self._unshown:
            self._unshown.remove(key)
        self._drop_view(key)
        self.empty.setVisible(not self._entries)

    def entry(self, key: int) -> Entry:
        """The entry of a key.

        Raises:
            KeyError: There is no such entry.
        """
        return self._entries[key]

    def entries(self) -> Sequence[Entry]:
        """All entries, oldest first, with or without widgets."""
        return tuple(self._entries.values())

    def view(self, key: int) -> EntryView | None:
        """The widget of an entry, while it has one."""
        self._show_all()
        return self._views.get(key)

    def cards(self) -> Iterator[ProposalCard]:
        """The cards that are on the screen, oldest first."""
        from app.panel.card import ProposalCard

        self._show_all()
        return (view for key, view in sorted(self._views.items()) if isinstance(view, ProposalCard))

    def show_earlier(self) -> None:
        """Gives the newest of the hidden entries their widgets back, without moving what is being read."""
        self._show_all()
        hidden = [key for key in self._entries if key not in self._views]
        bar = self.verticalScrollBar()
        self._from_end = bar.maximum() - bar.value()
        self._keep_place = True
        for key in reversed(hidden[-_EARLIER_STEP:]):
            self._views[key] = view = self._make(self._entries[key])
            self._layout.insertWidget(1, view)
        self._earlier.setVisible(len(hidden) > _EARLIER_STEP)

    def prepare_cards(self, busy: Callable[[], bool]) -> None:
        """Makes cards ahead from now on, while the program is not busy."""
        self._spares.prepare(busy)

    def _make(self, entry: Entry) -> EntryView:
        match entry:
            case Said():
                return SaidView(entry)
            case Answer():
                return AnswerView(entry)
            case Reasoning():
                return ReasoningView(entry)
            case Notice():
                return NoticeView(entry)
            case Phrases():
                phrases = PhraseList(entry.phrases)
                phrases.phrase_chosen.connect(self.phrase_chosen)
                return phrases
            case Changes():
                changes = ChangesView(entry)
                changes.undo_requested.connect(self.undo_requested)
                return changes
            case Card():
                card = self._spares.take(entry.proposal, entry.message)
                card.decided.connect(self.decided)
                card.edited.connect(self.edited)
                card.selected.connect(self.card_selected)
                return card

    @cached_property
    def _spares(self) -> SpareCards:
        from app.panel.spare_cards import SpareCards

        return SpareCards(self)

    def _leave_empty(self) -> None:
        focused = QApplication.focusWidget()
        if focused is not None and self.empty.isAncestorOf(focused):
            # Hiding it would hand the focus to the next widget, where a second Space would start recording.
            self.focus_lost.emit()
        self.empty.hide()

    def _let_go(self) -> None:
        """Drops the oldest widgets over the limit, up to the first entry that still waits for the person."""
        for key in sorted(self._views)[: max(0, len(self._views) - KEPT_WIDGETS)]:
            if is_open(self._entries[key]):
                return
            self._drop_view(key)
            self._earlier.show()

    def _drop_view(self, key: int) -> None:
        view = self._views.pop(key, None)
        if view is not None:
            self._layout.removeWidget(view)
            view.hide()
            view.deleteLater()

    def _scrolled(self, value: int) -> None:
        if not self._moving:
            self._keep_place = False
            self._at_end = self.verticalScrollBar().maximum() - value <= _AT_END_PX

    def _grown(self, _minimum: int, maximum: int) -> None:
        """Follows the end, or what is being read while earlier entries find their heights above it."""
        self._moving = True
        if self._at_end:
            self.verticalScrollBar().setValue(maximum)
        elif self._keep_place:
            self.verticalScrollBar().setValue(maximum - self._from_end)
        self._moving = False


def _same_kind(old: Entry, new: Entry) -> Entry:
    if type(old) is not type(new):
        raise TypeError(f"{type(old).__name__} can't become {type(new).__name__}")
    return new
