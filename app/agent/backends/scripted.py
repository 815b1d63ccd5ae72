"""A backend that answers from a script: the test double for everything above the backend protocol."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from typing import TypeAlias

from app.agent.backends.base import Part, TextPart, TurnEnd, TurnRequest

Answer: TypeAlias = TurnEnd | Sequence[Part] | BaseException
Step: TypeAlias = Answer | Callable[[TurnRequest], "Answer | Awaitable[Answer]"]


class ScriptError(AssertionError):
    """The script and what was asked of it don't fit: steps are left over, or there were too few."""


class ScriptedBackend:
    """Answers turn after turn with the next step of a script.

    A step is a `TurnEnd` (its text is streamed first, as a server would), a sequence of parts ending in a `TurnEnd`, an
    exception to raise, or a function of the request that returns one of these. The function may be a coroutine, so a
    test can hold a turn open and cancel it.

    Attributes:
        requests: Every request received, in order.
    """

    def __init__(self, steps: Iterable[Step] = (), *, name: str = "scripted") -> None:
        self._steps = list(steps)
        self._name = name
        self.requests: list[TurnRequest] = []

    @property
    def name(self) -> str:
        """The name given to it."""
        return self._name

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Plays the next step.

        Raises:
            ScriptError: There is no step left, or a sequence of parts doesn't end in its only `TurnEnd`.
        """
        self.requests.append(request)
        if len(self.requests) > len(self._steps):
            raise ScriptError(f"turn {len(self.requests)} was asked of a script of {len(self._steps)} steps")
        step = self._steps[len(self.requests) - 1]
        answer = step(request) if callable(step) else step
        if inspect.isawaitable(answer):
            answer = await answer
        if isinstance(answer, BaseException):
            raise answer
        for part in _parts(answer):
            yield part

    def assert_done(self) -> None:
        """Fails unless every step was asked for exactly once.

        Raises:
            ScriptError: Steps are left over, or more turns were asked than there are steps.
        """
        if len(self.requests) != len(self._steps):
            raise ScriptError(f"{len(self.requests)} turns were asked of a script of {len(self._steps)} steps")


def _parts(answer: TurnEnd | Sequence[Part]) -> Sequence[Part]:
    if isinstance(answer, TurnEnd):
        return (TextPart(answer.text), answer) if answer.text else (answer,)
    ends = [isinstance(part, TurnEnd) for part in answer]
    if not ends or not ends[-1] or any(ends[:-1]):
        raise ScriptError("a sequence of parts has to end in a TurnEnd, its only one")
    return answer
