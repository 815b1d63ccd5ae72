"""Makes a trace of each run from the events of the engine."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime

from app.agent.events import (
    CallDecided,
    CallFinished,
    CallProposed,
    Event,
    RunFailed,
    RunFinished,
    TextDelta,
    TurnAnswered,
    TurnStarted,
    UtteranceReceived,
)
from app.agent.tracing.payloads import Payloads
from app.agent.tracing.run_trace import RunTrace, TraceOptions
from app.agent.tracing.spans import SpanSink

_log = logging.getLogger(__name__)

_HEARD = 16
"""Transcriptions that are remembered until their run begins; most are answers, or nothing, and begin none."""


@dataclass(frozen=True, slots=True)
class Transcription:
    """When an utterance was turned into text, in UTC."""

    started_at: datetime
    ended_at: datetime


class Tracer:
    """Listens to the engine and gives each ended run's spans to a sink. Nothing that fails in here reaches the run.

    Args:
        sink: Takes the spans of each run, when it has ended.
        payloads: Whether texts, arguments and results are in the spans; see `Payloads`.
        model: The model that answers turns, if one is set up.
        conversation: Name of the conversation, as the journal has it.
    """

    def __init__(self, sink: SpanSink, *, payloads: bool = False, model: str = "", conversation: str = "desk") -> None:
        self._sink = sink
        self._options = TraceOptions(Payloads(payloads), model, conversation)
        self._heard: OrderedDict[str, Transcription] = OrderedDict()
        self._lock = threading.Lock()
        self._run: RunTrace | None = None

    def configure(self, *, payloads: bool, model: str) -> None:
        """Takes new settings; they hold from the next run on."""
        self._options = TraceOptions(Payloads(payloads), model, self._options.conversation)

    def heard(self, utterance_id: str, started_at: datetime, ended_at: datetime) -> None:
        """Tells when an utterance was transcribed, before it is given to the engine. From any thread; times in UTC."""
        with self._lock:
            self._heard[utterance_id] = Transcription(started_at, ended_at)
            while len(self._heard) > _HEARD:
                self._heard.popitem(last=False)

    def take(self, event: Event) -> None:
        """Takes one event of the engine, in order, from one thread."""
        try:
            self._take(event)
        except Exception:  # noqa: BLE001 - a trace is for later: whatever is wrong with it, the run must not notice
            _log.exception("a trace was lost")
            self._run = None

    def _take(self, event: Event) -> None:
        if isinstance(event, UtteranceReceived):
            with self._lock:
                heard = self._heard.pop(event.utterance.id, None)
            self._run = RunTrace(event.run_id, event.utterance, self._options)
            if heard is not None:
                self._run.transcribed(event.utterance, heard.started_at, heard.ended_at)
            return
        run = self._run
        if run is None or getattr(event, "run_id", "") != run.run_id:
            return
        match event:
            case TurnStarted():
                run.turn_started()
            case TextDelta():
                run.text(event.text)
            case TurnAnswered():
                run.turn_answered(event)
            case CallProposed():
                run.proposed(event.proposal)
            case CallDecided():
                run.decided(event.proposal, event.by)
            case CallFinished():
                run.call_finished(event.proposal, event.message)
            case RunFinished():
                self._end(run, event.outcome, event.message, error={"failed": "action_failed", "limit": "limit"})
            case RunFailed():
                self._end(run, "failed", event.message, error={"failed": event.kind or "internal"})
            case _:
                pass

    def _end(self, run: RunTrace, outcome: str, message: str, error: dict[str, str]) -> None:
        self._run = None
        self._sink(run.ended(outcome, message, error.get(outcome, "")))
