"""The widgets that show the entries of the conversation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.panel.entries import Answer, Changes, Notice, Reasoning, Said
from app.panel.tall_widget import TallWidget
from app.panel.text_block import TextBlock
from app.widgets.icons import icon
from app.widgets.theme import GAP, GRID, Colours, set_text_size
from app.widgets.theme.paint import draw_panel, set_label_colour

_INDENT = 32
_ICON = 16


class SaidView(TallWidget):
    """The person's words, on the right, in a bubble no wider than the words."""

    def __init__(self, entry: Said, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bubble = _Bubble()
        row = QHBoxLayout(self)
        row.setContentsMargins(_INDENT, GAP, 0, GAP)
        row.addStretch(1)
        # It takes all the room up to its largest width, so that it never asks for more than there is.
        row.addWidget(self._bubble, 1000)
        self.show_entry(entry)
        self.follow_palette()

    def show_entry(self, entry: Said) -> None:
        """Shows other words, or the same no longer as provisional."""
        self._entry = entry
        self._bubble.block.set_text(entry.text)
        self._bubble.setAccessibleName(f"You {'said' if entry.source == 'voice' else 'wrote'}: {entry.text}")
        self._bubble.setMaximumWidth(self._bubble.block.ideal_width() + 3 * GRID)
        self.recolour()

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        colours = Colours.of(self.palette())
        self._bubble.block.set_colour(colours.muted if self._entry.partial else colours.text)


class _Bubble(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.block = TextBlock()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID + GAP, GRID, GRID + GAP, GRID)
        layout.addWidget(self.block)

    def paintEvent(self, _event: QPaintEvent, /) -> None:
        draw_panel(self, fill=Colours.of(self.palette()).said, radius=10)


class AnswerView(TextBlock):
    """What the assistant says, over the whole width."""

    def __init__(self, entry: Answer, parent: QWidget | None = None) -> None:
        super().__init__(entry.text, parent)

    def show_entry(self, entry: Answer) -> None:
        """Shows a longer text; what is there already stays as it is laid out."""
        shown = self.toPlainText()
        if entry.text.startswith(shown):
            self.add_text(entry.text[len(shown) :])
        else:
            self.set_text(entry.text)


class ReasoningView(TallWidget):
    """A model's reasoning: one line that says so, which unfolds."""

    def __init__(self, entry: Reasoning, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._toggle = QToolButton()
        self._toggle.setText("Reasoning")
        self._toggle.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._toggle.setAutoRaise(True)
        self._toggle.setCheckable(True)
        self._toggle.setAccessibleDescription("What the model thought before it answered")
        set_text_size(self._toggle, "small")
        self._toggle.toggled.connect(self._fold)
        self._block = AnswerView(Answer(entry.text))
        set_text_size(self._block, "small")
        self._block.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addWidget(self._toggle)
        indented = QHBoxLayout()
        indented.setContentsMargins(_INDENT - GRID, 0, 0, 0)
        indented.addWidget(self._block)
        layout.addLayout(indented)
        self.follow_palette()

    def show_entry(self, entry: Reasoning) -> None:
        """Shows more of it."""
        self._block.show_entry(Answer(entry.text))

    def _fold(self, unfolded: bool) -> None:
        self._block.setVisible(unfolded)
        self.recolour()

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        self._toggle.setIcon(icon("expanded" if self._toggle.isChecked() else "expand", self.palette(), role="muted"))
        self._block.set_colour(Colours.of(self.palette()).muted)


class NoticeView(TallWidget):
    """A message of the program with what to do about it."""

    def __init__(self, entry: Notice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entry = entry
        self._icon = QLabel()
        self._text = TextBlock(entry.text)
        self._hint: TextBlock | None = None
        self._words = words = QVBoxLayout()
        words.setSpacing(GAP)
        words.addWidget(self._text)
        self._show_hint()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        self.follow_palette()

    def show_entry(self, entry: Notice) -> None:
        """Shows another message in its place."""
        self._entry = entry
        self._text.set_text(entry.text)
        self._show_hint()
        self.recolour()

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        colours = Colours.of(self.palette())
        name, role = {
            "information": ("information", "muted"),
            "caution": ("alert", "caution"),
            "error": ("alert", "danger"),
        }[self._entry.kind]
        self._icon.setPixmap(icon(name, self.palette(), role=role).pixmap(_ICON, _ICON))
        self._text.set_colour(colours.text)
        if self._hint is not None:
            self._hint.set_colour(colours.muted)

    def _show_hint(self) -> None:
        if self._hint is None and self._entry.hint:  # most have none, and a text is a third of what a notice costs
            self._hint = TextBlock()
            self._words.addWidget(self._hint)
        if self._hint is not None:
            self._hint.set_text(self._entry.hint)
            self._hint.setVisible(bool(self._entry.hint))


class ChangesView(TallWidget):
    """How much a run changed, with the button that takes it back."""

    undo_requested = Signal()

    def __init__(self, entry: Changes, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel()
        set_text_size(self._label, "small")
        self._undo = QPushButton("Undo")
        self._undo.setAutoDefault(False)
        self._undo.setAccessibleDescription("Takes back everything that the last request changed")
        self._undo.clicked.connect(self.undo_requested)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._undo)
        row.addWidget(self._label, 1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_entry(entry)
        self.follow_palette()

    def show_entry(self, entry: Changes) -> None:
        """Shows whether it can still be taken back from here."""
        self._label.setText("1 change made" if entry.count == 1 else f"{entry.count} changes made")
        self._undo.setEnabled(entry.undoable)
        self.recolour()

    def recolour(self) -> None:
        """Takes the colours of the palette."""
        self._undo.setIcon(icon("undo", self.palette()))
        set_label_colour(self._label, Colours.of(self.palette()).muted)
