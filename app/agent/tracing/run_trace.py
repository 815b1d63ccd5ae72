"""The trace of one run while it is open: utterance, transcription, turns, calls, approvals, executions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.agent.events import TurnAnswered
from app.agent.json_types import Json
from app.agent.messages import Utterance
from app.agent.proposal import Proposal
from app.agent.tracing import spans as names
from app.agent.tracing.payloads import Payloads
from app.agent.tracing.spans import Clock, OpenSpan, Span, StepName, new_trace_id

_AGENT = "Greenroom"
_NO_MODEL = "commands"
"""The backend that asks no model, so that its turns are no model's."""


@dataclass(frozen=True, slots=True)
class TraceOptions:
    """What holds for all spans of a run; see `Tracer`."""

    payloads: Payloads
    model: str
    conversation: str


class RunTrace:
    """Opens and ends the spans of one run as it is told what happens."""

    def __init__(self, run_id: str, utterance: Utterance, options: TraceOptions) -> None:
        self.run_id = run_id
        self._options = options
        self._clock = Clock()
        self._trace_id = new_trace_id()
        self._ended: list[Span] = []
        self._text = ""
        self._turn: OpenSpan | None = None
        self._calls: dict[str, OpenSpan] = {}
        self._approvals: dict[str, OpenSpan] = {}
        self._executions: dict[str, OpenSpan] = {}
        self._tokens = [0, 0]
        self._root = OpenSpan(f"invoke_agent {_AGENT}", self._clock.now(), None, {names.STEP: "utterance"})
        self._root.attributes.update(
            {
                names.OPERATION: "invoke_agent",
                names.AGENT: _AGENT,
                names.CONVERSATION: options.conversation,
                names.RUN_ID: run_id,
                names.SOURCE: utterance.source,
                **options.payloads.said(names.INPUT_MESSAGES, "user", utterance.text),
            }
        )

    def transcribed(self, utterance: Utterance, started_at: datetime, ended_at: datetime) -> None:
        """Puts the transcription before the run: the utterance began when it was heard."""
        self._root.started_at = min(started_at, self._root.started_at)
        span = OpenSpan("transcription", started_at, self._root.span_id, {names.STEP: "transcription"})
        readings = utterance.readings()
        span.attributes.update({names.HYPOTHESES: len(readings), names.LOG_PROBABILITY: readings[0].log_probability})
        self._ended.append(span.ended(self._trace_id, max(started_at, ended_at)))

    def turn_started(self) -> None:
        """A backend is asked; what the turn before it left without an end has none to come."""
        self._end_calls()
        self._text = ""
        self._turn = self._open("chat", "turn", self._root.span_id)

    def text(self, text: str) -> None:
        """A piece of the answer."""
        if self._options.payloads.on:
            self._text += text

    def turn_answered(self, event: TurnAnswered) -> None:
        """The turn has ended well."""
        if self._turn is None:
            return
        turn, self._turn = self._turn, None
        turn.attributes[names.BACKEND] = event.backend
        turn.attributes[names.FINISH_REASONS] = [event.finish]
        if event.backend == _NO_MODEL:
            turn.name = _NO_MODEL
        else:
            self._name_model(turn, event.backend)
            turn.attributes[names.INPUT_TOKENS] = event.usage.input_tokens
            turn.attributes[names.OUTPUT_TOKENS] = event.usage.output_tokens
            self._tokens[0] += event.usage.input_tokens
            self._tokens[1] += event.usage.output_tokens
        turn.attributes.update(self._options.payloads.said(names.OUTPUT_MESSAGES, "assistant", self._text))
        self._end(turn)

    def proposed(self, proposal: Proposal) -> None:
        """A proposal is new, or stands otherwise than before."""
        call = self._calls.get(proposal.call_id)
        if call is None:
            call = self._calls[proposal.call_id] = self._open(f"call {proposal.tool}", "call", self._root.span_id)
            call.attributes[names.POSITION] = proposal.position
            self._name_tool(call, proposal)
        call.attributes[names.POLICY] = proposal.policy
        call.attributes[names.CONFIDENCE] = round(proposal.confidence, 3)
        call.attributes[names.OUTCOME] = proposal.status
        if proposal.status == "waiting":
            if proposal.id not in self._approvals:
                self._approvals[proposal.id] = self._open(f"approval {proposal.tool}", "approval", call.span_id)
        elif proposal.status == "running":
            self._executions[proposal.id] = self._open_execution(proposal, call)
        elif proposal.status in ("rejected", "failed"):
            self._end_parts(proposal.id, ok=proposal.status != "failed")

    def decided(self, proposal: Proposal, by: str) -> None:
        """A proposal was decided, by the person or without."""
        decision = "approve" if proposal.status == "approved" else "reject"
        approval = self._approvals.pop(proposal.id, None)
        call = self._calls.get(proposal.call_id)
        for span in (approval, call):
            if span is not None:
                span.attributes.update({names.DECISION: decision, names.DECIDED_BY: by})
        if approval is not None:
            self._end(approval)
        if call is not None:
            call.attributes[names.OUTCOME] = proposal.status

    def call_finished(self, proposal: Proposal, message: str) -> None:
        """A call has run, or could not."""
        call, ok = self._calls.pop(proposal.call_id, None), proposal.status == "done"
        execution = self._executions.pop(proposal.id, None)
        failure: dict[str, Json] = {} if ok else {names.ERROR_TYPE: "tool_error"}
        if execution is not None:
            execution.attributes.update(self._options.payloads.result(proposal, message))
            execution.attributes.update(failure)
            self._end(execution, ok=ok)
        if call is not None:
            call.attributes.update({names.OUTCOME: proposal.status, **failure})
            self._end(call, ok=ok)

    def ended(self, outcome: str, message: str, error: str) -> list[Span]:
        """Ends the run.

        Args:
            outcome: How it ended, as the events name it.
            message: What the assistant said at the end.
            error: Kind of error, where it was one.

        Returns:
            All its spans, in the order they began, the utterance first.
        """
        if self._turn is not None:
            if error:
                self._turn.attributes[names.ERROR_TYPE] = error
            self._name_model(self._turn, "")
            self._end(self._turn, ok=not error)
            self._turn = None
        self._end_calls()
        root = self._root
        root.attributes[names.OUTCOME] = outcome
        if any(self._tokens):
            root.attributes[names.INPUT_TOKENS], root.attributes[names.OUTPUT_TOKENS] = self._tokens
        if error:
            root.attributes[names.ERROR_TYPE] = error
        root.attributes.update(self._options.payloads.said(names.OUTPUT_MESSAGES, "assistant", message))
        self._ended.sort(key=lambda span: span.started_at)
        return [root.ended(self._trace_id, self._clock.now(), ok=not error), *self._ended]

    def _open(self, name: str, step: StepName, parent_id: str) -> OpenSpan:
        return OpenSpan(name, self._clock.now(), parent_id, {names.STEP: step})

    def _open_execution(self, proposal: Proposal, call: OpenSpan) -> OpenSpan:
        span = self._open(f"execute_tool {proposal.tool}", "execution", call.span_id)
        span.attributes.update({names.OPERATION: "execute_tool", names.TOOL_TYPE: "function"})
        self._name_tool(span, proposal)
        span.attributes.update(self._options.payloads.call(proposal))
        return span

    def _name_tool(self, span: OpenSpan, proposal: Proposal) -> None:
        span.attributes.update({names.TOOL: proposal.tool, names.CALL_ID: proposal.call_id})

    def _name_model(self, turn: OpenSpan, provider: str) -> None:
        turn.kind = "client"
        turn.attributes[names.OPERATION] = "chat"
        if provider:
            turn.attributes[names.PROVIDER] = provider
        if self._options.model:
            turn.name = f"chat {self._options.model}"
            turn.attributes[names.MODEL] = self._options.model

    def _end(self, span: OpenSpan, *, ok: bool = True) -> None:
        self._ended.append(span.ended(self._trace_id, self._clock.now(), ok=ok))

    def _end_parts(self, proposal_id: str, *, ok: bool) -> None:
        for parts in (self._approvals, self._executions):
            part = parts.pop(proposal_id, None)
            if part is not None:
                self._end(part, ok=ok)

    def _end_calls(self) -> None:
        for proposal_id in (*self._approvals, *self._executions):
            self._end_parts(proposal_id, ok=True)
        for call in self._calls.values():
            self._end(call, ok=call.attributes.get(names.OUTCOME) not in ("failed", "refused"))
        self._calls.clear()
