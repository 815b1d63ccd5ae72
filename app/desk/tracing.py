"""Traces of this program's runs: kept in its database, and sent where the settings or OpenTelemetry's variables say."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QObject, Signal

from app.agent.tracing.otlp import ExportError, OtlpExporter, target_from
from app.agent.tracing.pipeline import SpanPipeline
from app.agent.tracing.spans import Span
from app.agent.tracing.tracer import Tracer
from app.settings import Settings
from app.store.database import Database
from app.store.traces import Traces


class Tracing(QObject):
    """The tracer of a desk, and the thread that carries its spans. Close it before the database.

    Args:
        database: Where traces are kept; None: nowhere.
        settings: As they count, with the environment on top.

    Attributes:
        tracer: Takes the engine's events.
        problem: Why traces can't be sent, as far as that is known without sending any; or empty.
    """

    kept = Signal()
    """One more run can be read."""
    sent = Signal(str)
    """A run was sent, or could not be: then it carries why."""

    def __init__(self, database: Database | None, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.problem = ""
        self._settings = settings
        store = _TellingStore(Traces(database), self) if database is not None else None
        self._spans = SpanPipeline(store, self._exporter(), self.sent.emit)
        self.tracer = Tracer(self._spans.submit, payloads=settings.tracing.payloads, model=settings.assistant.model)

    def transcribed(self, utterance_id: str, took_ms: float) -> None:
        """Tells of a transcription that has just ended, before its utterance goes to the engine."""
        now = datetime.now(UTC)
        self.tracer.heard(utterance_id, now - timedelta(milliseconds=took_ms), now)

    def configure(self, settings: Settings) -> None:
        """Takes new settings, from the next run on."""
        before, self._settings = self._settings, settings
        self.tracer.configure(payloads=settings.tracing.payloads, model=settings.assistant.model)
        if settings.tracing.endpoint != before.tracing.endpoint:
            self._spans.use_exporter(self._exporter())

    def close(self) -> None:
        """Keeps and sends what is still to be, for two seconds at most."""
        self._spans.close()

    def _exporter(self) -> OtlpExporter | None:
        self.problem = ""
        target = target_from(os.environ, self._settings.tracing.endpoint)
        if target is None:
            return None
        try:
            return OtlpExporter(target)
        except ExportError as error:
            self.problem = str(error)
            return None


class _TellingStore:
    """Keeps traces, and tells that it has."""

    def __init__(self, traces: Traces, teller: Tracing) -> None:
        self._traces = traces
        self._teller = teller

    def add(self, spans: Iterable[Span], /) -> None:
        self._traces.add(spans)
        self._teller.kept.emit()
