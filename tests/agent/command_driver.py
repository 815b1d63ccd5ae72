"""Drives the command backend as the loop does: runs its calls, tells it the results, and asks again."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.commands import CommandBackend
from app.agent.json_types import Json
from app.agent.messages import AssistantMessage, Hypothesis, Message, ToolCall, ToolMessage, UserMessage, Utterance
from app.agent.snapshot import Snapshot

TODAY = date(2026, 11, 30)
_LIMIT = 5


class Driver:
    """Says things to the backend and collects the actions, in the form of the tables."""

    def __init__(self, screen: Callable[[str], Snapshot], language: str = "en") -> None:
        self.backend = CommandBackend(today=TODAY)
        self.end = TurnEnd()
        self.calls: list[ToolCall] = []
        self._screen = screen
        self._language = language

    def say(self, page: str, text: str) -> list[list[Json]]:
        """The actions for a typed text, each as [tool, target or page, value]."""
        return self.run(page, Utterance("u", text, language=self._language))

    def hear(self, page: str, *heard: tuple[str, float]) -> list[list[Json]]:
        """The actions for hypotheses with their log-probabilities."""
        hypotheses = tuple(Hypothesis(*one) for one in heard)
        return self.run(page, Utterance("u", heard[0][0], hypotheses, "voice", self._language))

    def run(self, page: str, utterance: Utterance, earlier: Sequence[Message] = ()) -> list[list[Json]]:
        """The actions for an utterance, turn by turn, each call answered."""
        snapshot = self._screen(page)
        messages: list[Message] = [*earlier, UserMessage(utterance)]
        actions: list[list[Json]] = []
        self.calls = []
        for _ in range(_LIMIT):
            self.end = self.backend.answer(TurnRequest(tuple(messages), snapshot))
            if self.end.finish != "tool_calls":
                return actions
            self.calls += self.end.calls
            messages.append(AssistantMessage(self.end.text, self.end.calls))
            for call in self.end.calls:
                actions.append(_action(snapshot, call))
                messages.append(ToolMessage(call.id, call.name, f"Did {call.name}"))
            for action in actions[-len(self.end.calls) :]:
                if action[0] == "navigate":
                    snapshot = self._screen(str(action[1]))
        raise AssertionError(f"No end after {_LIMIT} turns: {actions}")


def _action(snapshot: Snapshot, call: ToolCall) -> list[Json]:
    arguments = json.loads(call.arguments)
    tool = snapshot.tool(call.name)
    assert tool is not None
    if tool.needs_target:
        assert arguments["target"] in tool.targets
    else:
        assert "target" not in arguments
    view = snapshot.instance(arguments.pop("target", tool.targets[0]))
    assert view is not None
    named = [view.label] if view.kind != "desk" else []
    return [call.name, *named, *arguments.values()]
