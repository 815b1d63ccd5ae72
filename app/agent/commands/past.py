"""The request before the last one: its calls, and what came of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.agent.json_types import JsonObject
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage, Utterance
from app.agent.snapshot import InstanceView, Snapshot


@dataclass(frozen=True, slots=True)
class PastCall:
    """One call of a request.

    Attributes:
        arguments: With the target's handle, where the call named it.
        done: It has run, and did what it should.
    """

    tool: str
    arguments: JsonObject
    done: bool

    @property
    def value(self) -> str | None:
        """The value it was to give to its target, or None where it gives none."""
        value = self.arguments.get("value")
        return value if isinstance(value, str) and self.tool in ("fill", "choose") else None

    def view(self, snapshot: Snapshot) -> InstanceView | None:
        """Its target, if that is on this screen and can be used."""
        named = self.arguments.get("target")
        views = snapshot.available(self.tool)
        if isinstance(named, str):
            return next((view for view in views if view.handle == named), None)
        return views[0] if len(views) == 1 else None


@dataclass(frozen=True, slots=True)
class Past:
    """A request and its calls, in order."""

    utterance: Utterance
    calls: tuple[PastCall, ...]


def requests(messages: Sequence[Message]) -> tuple[Past | None, Past | None]:
    """The request before the last one, and the last one; None where there is none."""
    starts = [at for at, message in enumerate(messages) if isinstance(message, UserMessage)]
    if not starts:
        return None, None
    before = _past(messages[starts[-2] : starts[-1]]) if len(starts) > 1 else None
    return before, _past(messages[starts[-1] :])


def _past(messages: Sequence[Message]) -> Past:
    first = messages[0]
    assert isinstance(first, UserMessage)
    done = {message.call_id for message in messages if isinstance(message, ToolMessage) and message.ok}
    calls = [call for message in messages if isinstance(message, AssistantMessage) for call in message.calls]
    return Past(first.utterance, tuple(PastCall(c.name, _object(c.arguments), c.id in done) for c in calls))


def _object(arguments: str) -> dict[str, Any]:
    try:
        given = json.loads(arguments or "{}")
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}
