"""Carries spans to where they are kept and sent, in a thread of its own: a run never waits for a disk or a server."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from app.agent.tracing.spans import Span

_log = logging.getLogger(__name__)

_QUEUED = 100
"""Runs that may wait to be kept or sent; of more than that, the newest are dropped."""


class SpanStore(Protocol):
    """Keeps spans on this machine: `app.store.traces.Traces`."""

    def add(self, spans: Iterable[Span], /) -> None:
        """Stores the spans of a run."""


class SpanExporter(Protocol):
    """Sends spans elsewhere: `app.agent.tracing.otlp.OtlpExporter`."""

    def export(self, spans: Sequence[Span], /) -> None:
        """Sends the spans of a run; may take seconds, and raise."""

    def close(self) -> None:
        """Gives up what is being sent. From another thread."""


def _tell_nobody(_problem: str) -> None:
    """The log has it."""


class SpanPipeline:
    """A queue and a thread between the tracer and its two ends. Close it at the end.

    Args:
        store: Keeps each run's spans; None: nowhere.
        exporter: Sends them; None: nowhere.
        on_sent: Told after each run that was to be sent: an empty text, or why it could not be. In the thread.
    """

    def __init__(
        self,
        store: SpanStore | None,
        exporter: SpanExporter | None = None,
        on_sent: Callable[[str], None] = _tell_nobody,
    ) -> None:
        self._store = store
        self._exporter = exporter
        self._on_sent = on_sent
        # Each with where it goes: a run is never sent to an address that was chosen after it.
        self._queue: queue.Queue[tuple[Sequence[Span], SpanExporter | None] | None] = queue.Queue(_QUEUED)
        # A daemon: a server that takes a connection and never answers must not keep the program from ending.
        self._thread = threading.Thread(target=self._work, name="tracing", daemon=True)
        self._closed = False
        self._warned: set[str] = set()
        self._thread.start()

    def submit(self, spans: Sequence[Span]) -> None:
        """Takes the spans of a run, and returns at once."""
        if self._closed:
            return
        try:
            self._queue.put_nowait((spans, self._exporter))
        except queue.Full:
            self._warn("queued", "a trace was dropped: those before it are still being sent")

    def use_exporter(self, exporter: SpanExporter | None) -> None:
        """Sends the runs from now on through another one; gives up those that the last one has not sent."""
        before, self._exporter = self._exporter, exporter
        self._warned.discard("export")
        if before is not None:
            before.close()

    def close(self, timeout_s: float = 2.0) -> None:
        """Finishes what is queued, but for no longer than that; then ends the thread."""
        if self._closed:
            return
        self._closed = True
        end = time.monotonic() + timeout_s
        try:
            self._queue.put(None, timeout=timeout_s / 2)
        except queue.Full:
            self._warn("closed", "the last traces were dropped: there was no time to send them")
        self._thread.join(max(0.0, end - time.monotonic()))
        if self._exporter is not None:
            self._exporter.close()

    def _work(self) -> None:
        while (run := self._queue.get()) is not None:
            spans, exporter = run
            if self._store is not None:
                try:
                    self._store.add(spans)
                except Exception as error:  # noqa: BLE001 - a full disk, say: traces are lost, nothing else
                    self._warn("store", f"traces can't be kept: {error}")
            if exporter is not None:
                self._send(spans, exporter)

    def _send(self, spans: Sequence[Span], exporter: SpanExporter) -> None:
        problem = ""
        try:
            exporter.export(spans)
        except Exception as error:  # noqa: BLE001 - as above, for whatever the network does
            problem = str(error)
            self._warn("export", f"traces can't be sent: {problem}")
        if exporter is self._exporter and not self._closed:
            self._on_sent(problem)

    def _warn(self, about: str, message: str) -> None:
        """Says it once: the next run would only say it again."""
        if about not in self._warned:
            self._warned.add(about)
            _log.warning("%s", message)
