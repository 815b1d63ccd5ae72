"""One spoken or typed input and what came of it, as the command line prints it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.agent.events import (
    AnswerUnderstood,
    CallDecided,
    CallFinished,
    CallProposed,
    Event,
    RunFailed,
    RunFinished,
    StateChanged,
    TurnAnswered,
)
from app.agent.json_types import Json
from app.agent.proposal import Proposal
from app.voice.types import Transcript

UNDERSTOOD, WRONG_USAGE, NOTHING_PROPOSED, ACTION_FAILED, BACKEND_FAILED = 0, 2, 3, 4, 5
"""Exit statuses of `hear` and `ask`."""

BADNESS = (UNDERSTOOD, NOTHING_PROPOSED, ACTION_FAILED, BACKEND_FAILED, WRONG_USAGE)
"""From the best to the worst: with several inputs the worst is the status of all."""


@dataclass
class Collector:
    """Gathers the events of one input into the record of it."""

    file: str | None = None
    transcript: str = ""
    hypotheses: tuple[str, ...] = ()
    backend: str = ""
    message: str = ""
    error: str | None = None
    ended: bool = False
    answered: str = ""
    proposals: dict[str, Proposal] = field(default_factory=dict)
    applied: list[CallFinished] = field(default_factory=list)
    transcribe_ms: float = 0.0
    _left_open: str = ""
    _status: int | None = None
    _refused: set[str] = field(default_factory=set)
    _phase_ms: dict[str, float] = field(default_factory=dict)
    _phase: str = "thinking"
    _since: float = field(default_factory=time.monotonic)

    def heard(self, transcript: Transcript) -> None:
        """Notes what was heard."""
        self.transcript = transcript.text
        self.hypotheses = tuple(each.text for each in transcript.hypotheses)
        self.transcribe_ms = transcript.transcribe_ms

    def refuse(self, error: str, status: int) -> None:
        """Ends an input that could not be used."""
        self.error, self._status = error, status
        self._end(error)

    def nothing_heard(self, message: str, transcribe_ms: float) -> None:
        """Ends an input in which nobody spoke."""
        self.transcribe_ms = transcribe_ms
        self._end(message)

    def leave_open(self, count: int) -> None:
        """Says that actions were proposed and, without --approve, not applied."""
        actions = (
            "One action is proposed and not applied" if count == 1 else f"{count} actions are proposed, none applied"
        )
        self._left_open = f"{actions}. --approve applies what is proposed."

    def start_clock(self) -> None:
        """Begins to count the time to a proposal, now."""
        self._phase, self._since = "thinking", time.monotonic()

    def take(self, event: Event) -> None:
        """Adds one event of the engine."""
        match event:
            case StateChanged():
                self._count(event.state)
            case TurnAnswered():
                self.backend = event.backend
            case CallProposed() | CallDecided():
                self._keep(event.proposal)
            case CallFinished():
                self._keep(event.proposal)
                self.applied.append(event)
            case AnswerUnderstood():
                self.answered = event.answer
                if not event.applied:
                    self._end("Nothing is waiting for an answer.")
            case RunFinished():
                self._end(event.message)
            case RunFailed():
                self.error = f"{event.message} {event.hint}".strip()
                self._status = BACKEND_FAILED
                self._end(event.message)
            case _:
                pass

    def shown(self) -> list[Proposal]:
        """The proposals that could run, in order; those a target refused are not among them."""
        return [proposal for call_id, proposal in self.proposals.items() if call_id not in self._refused]

    def refusals(self) -> list[str]:
        """Why actions were refused or failed."""
        return [p.error for call_id, p in self.proposals.items() if call_id in self._refused or p.status == "failed"]

    def exit_status(self) -> int:
        """The exit status this input deserves."""
        if self._status is not None:
            return self._status
        if self.refusals():
            return ACTION_FAILED
        return UNDERSTOOD if self.shown() or self.answered else NOTHING_PROPOSED

    def as_json(self, screen: Mapping[str, Json]) -> dict[str, Json]:
        """The record as one JSON object (`greenroom hear --json`)."""
        proposals: list[Json] = [_proposed(proposal) for proposal in self.shown()]
        if self.answered and not proposals:
            proposals = [{"tool": self.answered, "policy": "auto", "confidence": 1.0}]
        return {
            "file": self.file,
            "transcript": self.transcript,
            "hypotheses": list(self.hypotheses),
            "backend": self.backend,
            "proposals": proposals,
            "applied": [_applied(finished) for finished in self.applied],
            "screen": screen,
            "message": self.message,
            "error": self.error or (" ".join(self.refusals()) or None),
            "timings_ms": {
                "transcribe": round(self.transcribe_ms, 1),
                "propose": round(self._phase_ms.get("thinking", 0.0), 1),
                "apply": round(self._phase_ms.get("applying", 0.0), 1),
            },
        }

    def as_lines(self) -> list[str]:
        """The record for reading: what was heard, proposed, done and said."""
        lines = [f"Heard: {self.transcript}" if self.transcript else "Heard nothing."]
        lines += [f"Proposed: {_sentence(p)} ({p.level} confidence, {p.confidence:.2f})" for p in self.shown()]
        lines += [f"Done: {done.message}" for done in self.applied if done.proposal.status == "done"]
        lines += [f"Refused: {reason}" for reason in self.refusals()]
        if self.message:
            lines.append(f"Greenroom: {self.message}")
        return lines

    def _keep(self, proposal: Proposal) -> None:
        # By call, not by proposal: one that is asked again is a new proposal for the same call.
        self.proposals[proposal.call_id] = proposal
        if proposal.status == "refused":
            self._refused.add(proposal.call_id)
        elif proposal.status == "waiting":
            self._refused.discard(proposal.call_id)

    def _end(self, message: str) -> None:
        self._count("idle")
        self.message = self._left_open or message
        self.ended = True

    def _count(self, phase: str) -> None:
        now = time.monotonic()
        self._phase_ms[self._phase] = self._phase_ms.get(self._phase, 0.0) + (now - self._since) * 1000
        self._phase, self._since = phase, now


def _sentence(proposal: Proposal) -> str:
    """A proposal in a line: verb, target, before and after."""
    words = f"{proposal.title} {proposal.target}".strip()
    if proposal.after is not None:
        return f"{words}: {_shown(proposal.before)} → {_shown(proposal.after)}"
    value = next(iter(_value(proposal).values()), None)
    detail = proposal.effect or ("" if value is None else _shown(value))
    return f"{words}: {detail}" if detail else words


def _shown(value: Json) -> str:
    return "(empty)" if value in (None, "") else str(value)


def _proposed(proposal: Proposal) -> dict[str, Json]:
    """A proposal in the form of `greenroom hear --json`: `value` (or `page`) is its one argument."""
    record: dict[str, Json] = {"tool": proposal.tool, "target": proposal.target}
    record.update(_value(proposal))
    record["policy"] = proposal.policy
    record["confidence"] = round(proposal.confidence, 3)
    return record


def _applied(finished: CallFinished) -> dict[str, Json]:
    proposal = finished.proposal
    return {
        "tool": proposal.tool,
        "target": proposal.target,
        "before": finished.before,
        "after": finished.after,
        "ok": proposal.status == "done",
    }


def _value(proposal: Proposal) -> dict[str, Json]:
    if not proposal.arguments:
        return {}
    if proposal.tool == "navigate":
        return {"page": proposal.arguments.get("page")}
    if "value" in proposal.arguments:
        return {"value": proposal.arguments["value"]}
    return {"arguments": proposal.arguments}
