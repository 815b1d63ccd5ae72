"""Recent requests: what each did, step by step, and how long that took. Read from what is kept on this machine."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.agent.tracing.reading import Step, Trace, recent_traces
from app.pages.activity_words import details, duration, run_outcome, run_title, step_outcome, step_title
from app.pages.background import Background
from app.pages.note import Note
from app.store.errors import StoreError
from app.store.traces import Traces
from app.widgets.adoption import leave_out
from app.widgets.command_button import CommandAdapter, CommandButton
from app.widgets.context import VoiceContext
from app.widgets.theme import GRID, set_text_size

_SHOWN = 50
_WORK = "traces"
_EMPTY = "No requests yet. Say or type something, and each step of it can be read here."
_ABOUT = "Kept on this machine: the last 200. Open one to see its steps."
_STEP = Qt.ItemDataRole.UserRole
_COLUMNS = ("Request", "Outcome", "Took")


class ActivityView(QWidget):
    """A tree of requests and their steps, and what is known of the selected one.

    The assistant reaches the two buttons only: what it once did is no business of its next request.

    Args:
        traces: What is kept.
        background: Reads in a thread.
        context: Where the buttons register.
    """

    left = Signal()
    """The person wants to go back to the settings."""

    def __init__(self, traces: Traces, background: Background, context: VoiceContext) -> None:
        super().__init__()
        self.setAccessibleName("Recent requests")
        self._traces = traces
        self._background = background
        background.done.connect(self._on_read)
        title = QLabel("Recent requests")
        set_text_size(title, "large", bold=True)
        self.back = CommandButton("Back to settings", "", self._go_back, self._effect_of_back)
        self.again = CommandButton("Read again", "", self._read_again, self._effect_of_again)
        self.status = Note("Reading …")
        self.tree = _tree()
        self.tree.currentItemChanged.connect(self._on_current)
        self.details = QPlainTextEdit()
        self.details.setReadOnly(True)
        self.details.setTabChangesFocus(True)
        self.details.setAccessibleName("Details of the step")
        self.details.setPlaceholderText("Select a request or a step to see what is known of it.")
        leave_out(self.tree)
        leave_out(self.details)
        heading = QHBoxLayout()
        heading.setSpacing(GRID)
        heading.addWidget(title, 1)
        for button in (self.again, self.back):
            CommandAdapter(button, context)
            heading.addWidget(button)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(GRID)
        split.addWidget(self.tree)
        split.addWidget(self.details)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID * 3, GRID * 2, GRID * 3, GRID * 3)
        layout.setSpacing(GRID)
        layout.addLayout(heading)
        layout.addWidget(self.status)
        layout.addWidget(split, 1)
        back_key = QShortcut(QKeySequence(QKeySequence.StandardKey.Back), self, self.left.emit)
        back_key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)

    @Slot()
    def refresh(self) -> None:
        """Reads again, if anybody looks."""
        if self.isVisible():
            self._background.start(_WORK, self._read)

    def showEvent(self, event: QShowEvent, /) -> None:
        """There may be more since."""
        super().showEvent(event)
        if not event.spontaneous():
            self.refresh()
            self.tree.setFocus()

    def _read(self) -> tuple[Trace, ...] | str:
        try:
            return recent_traces(self._traces, _SHOWN)
        except StoreError as error:
            return str(error)

    def _on_read(self, name: str, result: object) -> None:
        if name != _WORK:
            return
        if isinstance(result, str):
            self.status.say(result, "danger")
            return
        assert isinstance(result, tuple)
        self.status.say(_ABOUT if result else _EMPTY)
        self._show(result)

    def _show(self, traces: tuple[Trace, ...]) -> None:
        """Adds what is new above what is there, so that nothing that was opened closes again."""
        known = [self.tree.topLevelItem(row) for row in range(self.tree.topLevelItemCount())]
        ids = {trace.trace_id for trace in traces}
        for item in known:
            if item is not None and item.data(1, _STEP) not in ids:
                self.tree.takeTopLevelItem(self.tree.indexOfTopLevelItem(item))
        there = {item.data(1, _STEP) for item in known if item is not None}
        new = [_run_item(trace) for trace in traces if trace.trace_id not in there]
        self.tree.insertTopLevelItems(0, new)
        first = self.tree.topLevelItem(0)
        if self.tree.selectedItems() == [] and first is not None:
            self.tree.setCurrentItem(first)

    @Slot(QTreeWidgetItem)
    def _on_current(self, item: QTreeWidgetItem | None) -> None:
        step = item.data(0, _STEP) if item is not None else None
        self.details.setPlainText(details(step) if isinstance(step, Step) else "")

    def _go_back(self) -> str:
        self.left.emit()
        return "The settings are shown."

    def _read_again(self) -> str:
        self.refresh()
        return "The requests are read again."

    def _effect_of_back(self) -> str:
        return "Shows the settings."

    def _effect_of_again(self) -> str:
        return "Reads the recent requests again."


def _tree() -> QTreeWidget:
    tree = QTreeWidget()
    tree.setAccessibleName("Requests and their steps")
    tree.setHeaderLabels(list(_COLUMNS))
    tree.setUniformRowHeights(True)
    header = tree.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column in (1, 2):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    return tree


def _run_item(trace: Trace) -> QTreeWidgetItem:
    root = trace.steps[0]
    top = _item((run_title(trace), run_outcome(trace), duration(trace.duration_ms)), root)
    top.setData(1, _STEP, trace.trace_id)
    above = {0: top}
    for step in trace.steps[1:]:
        parent = above[max(depth for depth in above if depth < step.depth or depth == 0)]
        item = _item((step_title(step), step_outcome(step), duration(step.duration_ms)), step)
        parent.addChild(item)
        above = {depth: each for depth, each in above.items() if depth < step.depth} | {step.depth: item, 0: top}
    return top


def _item(texts: tuple[str, ...], step: Step) -> QTreeWidgetItem:
    item = QTreeWidgetItem(list(texts))
    item.setData(0, _STEP, step)
    item.setToolTip(0, texts[0])
    item.setSizeHint(0, QSize(0, GRID * 3))
    item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return item
