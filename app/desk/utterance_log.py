"""Keeps each utterance with what came of it, where the person wants that. Knows no Qt."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from app.agent.events import (
    AnswerUnderstood,
    CallDecided,
    CallFinished,
    CallProposed,
    Event,
    RunFailed,
    RunFinished,
    TurnAnswered,
    TurnStarted,
    UtteranceReceived,
)
from app.agent.messages import Utterance
from app.agent.proposal import Proposal
from app.agent.snapshot import Snapshot
from app.desk.utterance_record import (
    Decided,
    KeptAnswer,
    KeptProposal,
    UtteranceRecord,
    call_of,
    holds_secret,
    snapshot_to_json,
)
from app.voice.keeping import HeardRecording
from app.voice.utterance_folder import LIMIT_BYTES, UtteranceFolder

_JOIN_S = 10.0

_log = logging.getLogger("greenroom")


class UtteranceLog:
    """Listens to the engine's events and writes one record for each utterance, in a thread of its own.

    `take` is called on the thread on which `snapshot` may be: with Qt the GUI thread. It returns at once.
    """

    def __init__(
        self,
        folder: Path,
        *,
        snapshot: Callable[[], Snapshot],
        recording_of: Callable[[Utterance], HeardRecording | None] = lambda _: None,
        speech_model: str = "",
        limit_bytes: int = LIMIT_BYTES,
    ) -> None:
        """Starts the thread.

        Args:
            folder: Where to.
            snapshot: The screen now.
            recording_of: The sound of a spoken utterance, right after it was heard.
            speech_model: Name of the model that hears.
            limit_bytes: What the folder may take.
        """
        self._folder = UtteranceFolder(folder, limit_bytes=limit_bytes)
        self._snapshot = snapshot
        self._recording_of = recording_of
        self._speech_model = speech_model
        self._open: dict[str, _OpenRun] = {}
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="greenroom-utterance-log")
        self._thread.start()

    def take(self, event: Event) -> None:
        """Takes the next event of the engine; all of them, in order."""
        match event:
            case UtteranceReceived():
                # The engine has not looked at the screen yet: it is still the one on which this was said.
                self._open[event.run_id] = _OpenRun(event.utterance, self._heard(event.utterance), self._snapshot())
            case AnswerUnderstood():
                self._take_answer(event)
            case RunFinished():
                self._end(event.run_id, event.outcome, event.message)
            case RunFailed():
                self._end(event.run_id, "failed", event.message)
            case TurnStarted() | TurnAnswered() | CallProposed() | CallDecided() | CallFinished():
                run = self._open.get(event.run_id)
                if run is not None:  # A run that an earlier session left open has no utterance here.
                    run.take(event)
            case _:
                pass

    def close(self) -> None:
        """Writes what is still open, and ends the thread."""
        for run_id in list(self._open):
            self._end(run_id, "cancelled", "")
        self._jobs.put(None)
        self._thread.join(_JOIN_S)

    def _take_answer(self, event: AnswerUnderstood) -> None:
        run = _OpenRun(event.utterance, self._heard(event.utterance), self._snapshot())
        waiting = tuple(position for each in self._open.values() for position in each.waiting())
        run.answer = KeptAnswer(kind=event.answer, positions=event.positions, waiting=waiting)
        self._jobs.put(lambda: self._write(run, "answered", ""))

    def _heard(self, utterance: Utterance) -> HeardRecording | None:
        return self._recording_of(utterance) if utterance.source == "voice" else None

    def _end(self, run_id: str, outcome: str, message: str) -> None:
        run = self._open.pop(run_id, None)
        if run is not None:
            self._jobs.put(lambda: self._write(run, outcome, message))

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _write(self, run: _OpenRun, outcome: str, message: str) -> None:
        record = run.record(self._speech_model, outcome, message)
        if holds_secret(run.utterance, record.proposals):
            return
        recording = run.heard.recording if run.heard else None
        try:
            self._folder.write(record.name, record.model_dump_json(indent=1), recording)
        except (OSError, RuntimeError) as error:  # libsndfile raises the latter.
            _log.warning("the utterance was not kept: %s", error)


class _OpenRun:
    """What is known so far of one utterance. Written by one thread, and read by the other when it has ended."""

    def __init__(self, utterance: Utterance, heard: HeardRecording | None, snapshot: Snapshot) -> None:
        self.utterance = utterance
        self.heard = heard
        self.answer: KeptAnswer | None = None
        self._snapshot = snapshot
        self._at = datetime.now(UTC).astimezone()
        self._turn = 0
        self._backend = ""
        self._proposals: dict[str, tuple[int, KeptProposal]] = {}
        """By call, with the position: a proposal that is asked again is another one for the same call."""

    def take(self, event: TurnStarted | TurnAnswered | CallProposed | CallDecided | CallFinished) -> None:
        match event:
            case TurnStarted():
                self._turn = event.turn
            case TurnAnswered():
                if event.turn == 1:
                    self._backend = event.backend
            case CallDecided():
                self._keep(event.proposal, "approve" if event.proposal.status == "approved" else "reject")
            case CallProposed() | CallFinished():
                self._keep(event.proposal)

    def waiting(self) -> list[int]:
        """The positions of the proposals that wait for the person."""
        return [at for at, proposal in self._proposals.values() if proposal.status in ("waiting", "refused")]

    def record(self, speech_model: str, outcome: str, message: str) -> UtteranceRecord:
        """Everything, as it is kept."""
        utterance = self.utterance
        return UtteranceRecord(
            id=utterance.id,
            at=self._at,
            today=self._at.date(),
            source=utterance.source,
            text=utterance.text,
            hypotheses=tuple((reading.text, reading.log_probability) for reading in utterance.hypotheses),
            language=utterance.language,
            recognisers=utterance.recognisers,
            bias=self.heard.bias if self.heard else (),
            speech_model=speech_model if self.heard else "",
            backend=self._backend,
            snapshot=snapshot_to_json(self._snapshot),
            proposals=tuple(proposal for _, proposal in self._proposals.values()),
            answer=self.answer,
            outcome=outcome,
            message=message,
        )

    def _keep(self, proposal: Proposal, decided: Decided = "") -> None:
        call = call_of(proposal)
        _, before = self._proposals.get(proposal.call_id, (0, None))
        self._proposals[proposal.call_id] = (
            proposal.position,
            KeptProposal(
                turn=before.turn if before else self._turn,
                first=before.first if before else call,
                last=call,
                confidence=before.confidence if before else proposal.confidence,
                decided=decided or (before.decided if before else ""),
                status=proposal.status,
                error=proposal.error,
            ),
        )
