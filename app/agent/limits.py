"""Bounds of one run, and the guard against a model that calls the same thing for ever."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.agent.messages import ToolCall


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one utterance may go.

    Attributes:
        turns: Backend turns in a run.
        calls: Calls in a run.
        turn_s: Seconds a backend may take for one turn.
        execution_s: Seconds a tool may take before the run goes on without its result.
        tokens: Tokens a run may use, as the server counts them.
        repeats: The same call on the same screen is run this often, then no more.
    """

    turns: int = 12
    calls: int = 60
    turn_s: float = 120.0
    execution_s: float = 60.0
    tokens: int = 200_000
    repeats: int = 3


@dataclass
class RepeatGuard:
    """Counts the turns that make an identical call on an unchanged screen.

    An honest "next, next, next" changes the screen each time, or is one turn with three calls, so it is never stopped;
    a model that asks again for what it has just been given is.
    """

    limit: int
    _seen: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def allows(self, calls: Sequence[ToolCall], screen_revision: int) -> bool:
        """Counts the calls of a turn, the same one within the turn once; False from the turn after the limit."""
        keys = {(call.name, call.arguments, screen_revision) for call in calls}
        self._seen.update(keys)
        return all(self._seen[key] <= self.limit for key in keys)
