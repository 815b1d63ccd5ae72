"""Gets, removes and measures speech models in threads, and tells of it as Qt signals."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Signal, Slot

from app.voice.download import Cancellation
from app.voice.errors import VoiceError
from app.voice.model_manager import ModelInfo, ModelManager

Work: TypeAlias = Literal["getting", "removing", "measuring"]


@dataclass(frozen=True, slots=True)
class ModelWorkEnded:
    """What came of a piece of work on a model, in words."""

    name: str
    work: Work
    ok: bool
    words: str


@dataclass(frozen=True, slots=True)
class ModelList:
    """The models there are; or, in `problem`, why that can't be told."""

    models: tuple[ModelInfo, ...]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Listed:
    number: int
    found: ModelList


class ModelWork(QObject):
    """What is being done to the speech models of this machine: at most one piece of work for each. On the GUI thread.

    Signals:
        listed: `ModelList`: what `refresh` asked for.
        begun: The name of a model that something is being done to now.
        progressed: `Progress` of a download, at most ten times a second.
        ended: `ModelWorkEnded`.
    """

    listed = Signal(object)
    begun = Signal(str)
    progressed = Signal(object)
    ended = Signal(object)
    _found = Signal(object)
    _done = Signal(object)

    def __init__(self, manager: ModelManager, parent: QObject | None = None) -> None:
        """Begins nothing. Close it before it goes."""
        super().__init__(parent)
        self._manager = manager
        self._threads: list[threading.Thread] = []
        self._work: dict[str, Work] = {}
        self._cancellations: dict[str, Cancellation] = {}
        self._asked = 0
        self._closed = False
        self._found.connect(self._on_found)
        self._done.connect(self._on_done)

    @property
    def under_way(self) -> Mapping[str, Work]:
        """What is being done now, by the name of the model."""
        return MappingProxyType(self._work)

    def refresh(self, in_use: str) -> None:
        """Looks which models there are; `listed` tells. `in_use` is the name or path that the settings have."""
        self._asked += 1
        number = self._asked
        self._start("list", lambda: self._found.emit(_Listed(number, self._look(in_use))))

    def get(self, name: str) -> None:
        """Downloads a model."""

        def get(cancellation: Cancellation) -> str:
            self._manager.get(name, self.progressed.emit, cancellation)
            return f"{name} is here now."

        self._begin(name, "getting", get)

    def measure(self, name: str) -> None:
        """Measures how quick a model is on this machine, if that is not known yet."""
        self._begin(name, "measuring", lambda cancellation: f"{name}: {self._manager.speed(name, cancellation)}.")

    def remove(self, name: str, in_use: str) -> None:
        """Removes a model from the models folder, with what an interrupted download has left of it."""

        def remove(_cancellation: Cancellation) -> str:
            return f"{name} was removed. {self._manager.remove(name, in_use) / 1e6:,.0f} MB are free again."

        self._begin(name, "removing", remove)

    def cancel(self, name: str) -> None:
        """Ends a download at once, or measuring after the run that is under way. What has come is kept."""
        cancellation = self._cancellations.get(name)
        if cancellation is not None:
            cancellation.cancel()

    def close(self) -> None:
        """Cancels everything, and waits until it has ended. Nothing more is told."""
        self._closed = True
        for cancellation in self._cancellations.values():
            cancellation.cancel()
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _look(self, in_use: str) -> ModelList:
        try:
            return ModelList(self._manager.models(in_use))
        except OSError as error:
            return ModelList((), f"The models folder can't be read: {error.strerror or error}.")

    def _begin(self, name: str, work: Work, do: Callable[[Cancellation], str]) -> None:
        if name in self._work or self._closed:
            return
        self._work[name] = work
        cancellation = self._cancellations[name] = Cancellation()

        def run() -> None:
            try:
                ended = ModelWorkEnded(name, work, True, do(cancellation))
            except VoiceError as error:
                # What the person has stopped has not gone wrong.
                ended = ModelWorkEnded(name, work, cancellation.is_wanted, str(error))
            except OSError as error:  # A file that can't be removed, say.
                ended = ModelWorkEnded(name, work, False, f"That did not work: {error.strerror or error}.")
            self._done.emit(ended)

        self.begun.emit(name)
        self._start(name, run)

    def _start(self, name: str, run: Callable[[], None]) -> None:
        if self._closed:
            return
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=run, name=f"greenroom-models-{name}")
        self._threads.append(thread)
        thread.start()

    @Slot(object)
    def _on_found(self, found: _Listed) -> None:
        # A slower answer to an earlier question is out of date.
        if found.number == self._asked and not self._closed:
            self.listed.emit(found.found)

    @Slot(object)
    def _on_done(self, ended: ModelWorkEnded) -> None:
        self._work.pop(ended.name, None)
        self._cancellations.pop(ended.name, None)
        if not self._closed:
            self.ended.emit(ended)
