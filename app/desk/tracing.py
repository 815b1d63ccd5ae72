"""Traces of this program's runs: kept in its database, and sent where OpenTelemetry's own variables say."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

from app.agent.tracing.otlp import ExportError, OtlpExporter, target_from
from app.agent.tracing.pipeline import SpanPipeline
from app.agent.tracing.tracer import Tracer
from app.store.database import Database
from app.store.traces import Traces


class Tracing:
    """The tracer of a desk, and the thread that carries its spans. Close it before the database.

    Args:
        database: Where traces are kept; None: nowhere.
        model: The model that answers turns, if one is set up.

    Attributes:
        tracer: Takes the engine's events.
        notices: What the person should know, such as that traces can't be sent.
    """

    def __init__(self, database: Database | None, model: str) -> None:
        self.notices: list[str] = []
        self._spans = SpanPipeline(Traces(database) if database is not None else None, self._exporter())
        self.tracer = Tracer(self._spans.submit, model=model)

    def transcribed(self, utterance_id: str, took_ms: float) -> None:
        """Tells of a transcription that has just ended, before its utterance goes to the engine."""
        now = datetime.now(UTC)
        self.tracer.heard(utterance_id, now - timedelta(milliseconds=took_ms), now)

    def use_model(self, model: str) -> None:
        """Takes another model's name, from the next run on."""
        self.tracer.configure(payloads=False, model=model)

    def close(self) -> None:
        """Keeps and sends what is still to be, for two seconds at most."""
        self._spans.close()

    def _exporter(self) -> OtlpExporter | None:
        target = target_from(os.environ)
        if target is None:
            return None
        try:
            return OtlpExporter(target)
        except ExportError as error:
            self.notices.append(str(error))
            return None
