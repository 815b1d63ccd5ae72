"""The line of words beside the button: what is going on now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from app.panel.spinner import Spinner
from app.widgets.icons import icon
from app.widgets.theme import GAP, Colours
from app.widgets.theme.paint import set_label_colour
from app.widgets.theme.palette_widget import PaletteWidget

if TYPE_CHECKING:
    from app.agent.events import EngineState

ListeningState: TypeAlias = Literal["starting", "idle", "listening", "transcribing", "unavailable"]
"""`starting`: the program is not there yet; what is typed waits for it."""

_ENGINE_WORDS: Mapping[EngineState, str] = {
    "idle": "Ready",
    "thinking": "Thinking",
    "waiting": "Waiting for you",
    "applying": "Applying",
}


def status_of(engine: EngineState, listening: ListeningState, reason: str, dictating: str = "") -> tuple[str, bool]:
    """The words for a state, and whether the program is at work (so that a spinner is due).

    Hearing comes before thinking: the person wants to know at once that the key was noticed. `dictating` is the label
    of the field that takes dictation: then speech goes there whatever the engine does.
    """
    if dictating and listening != "transcribing":
        return f"Dictating into {dictating}", engine in ("thinking", "applying")
    if listening == "listening":
        return "Listening", False
    if listening == "transcribing":
        return "Transcribing", True
    if engine == "idle" and listening == "starting":
        return "Starting", False
    if engine == "idle" and listening == "unavailable":
        return f"Voice off: {reason}" if reason else "Voice off", False
    return _ENGINE_WORDS[engine], engine in ("thinking", "applying")


class StatusLine(PaletteWidget):
    """Spinner, words, and the button that cancels. Its height never changes."""

    cancel_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._engine: EngineState = "idle"
        self._listening: ListeningState = "idle"
        self._reason = ""
        self._dictating = ""
        self._words = ""
        self._spinner = Spinner()
        self._label = QLabel()
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._label.setMinimumWidth(40)
        self._cancel = QToolButton()
        self._cancel.setText("Cancel")
        self._cancel.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._cancel.setAutoRaise(True)
        self._cancel.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._cancel.setToolTip("Esc")
        self._cancel.clicked.connect(self.cancel_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        row.addWidget(self._label, 1)
        row.addWidget(self._spinner)
        row.addWidget(self._cancel)
        self.setFixedHeight(max(self._cancel.sizeHint().height(), self._label.sizeHint().height()))
        self._show()
        self.follow_palette()

    @property
    def words(self) -> str:
        """What it says now, in full."""
        return self._words

    @property
    def listening(self) -> ListeningState:
        """What the microphone side does."""
        return self._listening

    @property
    def spinning(self) -> bool:
        """Whether the spinner is to be seen."""
        return self._spinner.spinning

    @property
    def can_cancel(self) -> bool:
        """Whether something is under way that can be cancelled."""
        return bool(self._dictating) or self._engine != "idle" or self._listening in ("listening", "transcribing")

    def set_engine(self, state: EngineState) -> None:
        """The engine does something else now."""
        self._engine = state
        self._show()

    def set_listening(self, state: ListeningState, reason: str = "") -> None:
        """The microphone side does something else now; `reason` says why it is unavailable."""
        self._listening, self._reason = state, reason
        self._show()

    def set_dictating(self, label: str) -> None:
        """Speech goes into the field of this label now; an empty string ends that."""
        self._dictating = label
        self._show()

    def resizeEvent(self, event: QResizeEvent, /) -> None:
        """Cuts the words anew."""
        super().resizeEvent(event)
        self._elide()

    def _show(self) -> None:
        words, busy = status_of(self._engine, self._listening, self._reason, self._dictating)
        self._spinner.set_busy(busy)
        if words != self._words:
            self._words = words
            self._label.setToolTip(words)
            self._label.setAccessibleName(words)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self._cancel.setVisible(self.can_cancel)
        self._elide()
        self.recolour()

    def _elide(self) -> None:
        room = self._label.width()
        self._label.setText(self._label.fontMetrics().elidedText(self._words, Qt.TextElideMode.ElideRight, room))

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        colours = Colours.of(self.palette())
        problem = self._words.startswith("Voice")
        set_label_colour(self._label, colours.caution if problem else colours.text)
        self._cancel.setIcon(icon("close", self.palette(), role="muted"))
