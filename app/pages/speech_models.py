"""The speech models on the Settings page: what each is and how quick, which is in use; gets and removes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.pages.model_row import ModelCommands, ModelRow
from app.pages.note import Note
from app.widgets.context import VoiceContext

if TYPE_CHECKING:
    from app.qtbridge.model_work import ModelList, ModelWork, ModelWorkEnded
    from app.voice.download import Progress
    from app.voice.model_manager import ModelInfo


class SpeechModels(QWidget):
    """A row for each model. What goes on goes on when another page is shown.

    Args:
        work: Does it.
        context: Where the buttons register.
        in_use: The model that the settings name.
        use: Makes another one that.
    """

    models_changed = Signal()
    """There are others on this machine now."""

    def __init__(
        self, work: ModelWork, context: VoiceContext, in_use: Callable[[], str], use: Callable[[str], None]
    ) -> None:
        super().__init__()
        self._work = work
        self._context = context
        self._in_use = in_use
        self._use = use
        self.rows: dict[str, ModelRow] = {}
        self._infos: dict[str, ModelInfo] = {}
        self.status = Note("Looking which models there are …")
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._layout.addWidget(self.status)
        work.listed.connect(self._on_listed)
        work.begun.connect(self._on_begun)
        work.progressed.connect(self._on_progressed)
        work.ended.connect(self._on_ended)

    def refresh(self, *_settings: object) -> None:
        """Looks again, if anybody looks. Takes and ignores what signals carry."""
        if self.isVisible():
            self._work.refresh(self._in_use())

    @Slot(object)
    def _on_listed(self, found: ModelList) -> None:
        self.status.say(found.problem or ("" if found.models else "There are no speech models."), "danger")
        for name in set(self.rows) - {info.name for info in found.models}:
            self.rows.pop(name).deleteLater()
        for info in found.models:
            row = self.rows.get(info.name)
            if row is None:
                row = self.rows[info.name] = ModelRow(info.name, self._commands(), self._context)
                self._layout.addWidget(row)
            self._infos[info.name] = info
            row.show_info(info, self._work.under_way.get(info.name))

    @Slot(str)
    def _on_begun(self, name: str) -> None:
        if name in self.rows:
            self.rows[name].show_info(self._infos[name], self._work.under_way.get(name))

    @Slot(object)
    def _on_progressed(self, progress: Progress) -> None:
        if progress.name in self.rows and progress.name in self._work.under_way:
            self.rows[progress.name].show_progress(progress)

    @Slot(object)
    def _on_ended(self, ended: ModelWorkEnded) -> None:
        if ended.name in self.rows:
            self.rows[ended.name].show_end(ended)
        self.refresh()
        if ended.work != "measuring":
            self.models_changed.emit()

    # -- what the buttons do

    def _commands(self) -> ModelCommands:
        return ModelCommands(self._on_use, self._on_get, self._on_cancel, self._on_measure, self._on_remove)

    def _on_use(self, name: str) -> str:
        self._use(name)
        return f"{name} is in use."

    def _on_get(self, name: str) -> str:
        self._work.get(name)
        return f"{name} is being downloaded."

    def _on_cancel(self, name: str) -> str:
        self._work.cancel(name)
        return f"What was being done to {name} is stopped."

    def _on_measure(self, name: str) -> str:
        self._work.measure(name)
        return f"{name} is being measured."

    def _on_remove(self, name: str) -> str:
        self._work.remove(name, self._in_use())
        return f"{name} is being removed."
