"""What was said, asked and answered, in a trace: nothing by default, and never a secret."""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.agent.context import bounded
from app.agent.guards import HIDDEN, is_secret_name, redact, redact_json
from app.agent.json_types import Json, JsonObject
from app.agent.proposal import Proposal
from app.agent.tracing import spans as names

_LIMIT = 4_000
"""Characters of one payload."""


@dataclass(frozen=True, slots=True)
class Payloads:
    """Attributes that hold texts of the person, the screen or a model.

    Attributes:
        on: Whether there are any. Off by default: a trace then says what happened, and nothing that was said.
    """

    on: bool = False

    def said(self, key: str, role: str, text: str) -> dict[str, Json]:
        """A message, in the form that the conventions give to messages."""
        if not (self.on and text):
            return {}
        message = {"role": role, "parts": [{"type": "text", "content": bounded(redact(text), _LIMIT)}]}
        return {key: json.dumps([message], ensure_ascii=False)}

    def call(self, proposal: Proposal) -> dict[str, Json]:
        """What a call was asked to do; the values for a secret field are left out."""
        if not self.on:
            return {}
        arguments: JsonObject = proposal.arguments
        if is_secret_name(proposal.target):
            arguments = dict.fromkeys(arguments, HIDDEN)
        text = json.dumps(redact_json(arguments), ensure_ascii=False)
        return {names.TARGET: redact(proposal.target), names.CALL_ARGUMENTS: bounded(text, _LIMIT)}

    def result(self, proposal: Proposal, message: str) -> dict[str, Json]:
        """What a call answered."""
        if not self.on:
            return {}
        hidden = is_secret_name(proposal.target)
        return {names.CALL_RESULT: HIDDEN if hidden else bounded(redact(message), _LIMIT)}
