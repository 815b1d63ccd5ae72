"""Commands first; what they decline goes to a model server, if there is one."""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import TypeAlias

from app.agent.backends.base import Backend, Part, TurnEnd, TurnRequest
from app.agent.messages import AssistantMessage, UserMessage

ModelFactory: TypeAlias = Callable[[], Backend]

_REMEMBERED_RUNS = 64


class RoutedBackend:
    """Asks the commands, then the model. A run that the model has begun stays with the model.

    Were the follow-up turns of such a run given to the commands again, they could understand the sentence on the page
    that the model has opened, and do a second time what the model did.

    Args:
        commands: Answers first, and may decline.
        model_factory: Builds the model backend when it is first needed; None where no model is configured.
    """

    name = "routed"

    def __init__(self, commands: Backend, model_factory: ModelFactory | None = None) -> None:
        self._commands = commands
        self._model_factory = model_factory
        self._model: Backend | None = None
        self._runs_of_model: deque[str] = deque(maxlen=_REMEMBERED_RUNS)

    @property
    def has_model(self) -> bool:
        """Whether what the commands decline has somewhere to go."""
        return self._model_factory is not None

    def use_model(self, model_factory: ModelFactory | None) -> None:
        """Replaces the model (None for none) from the next turn on, as when its settings were changed."""
        self._model_factory = model_factory
        self._model = None

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Yields the parts of the backend that answers; `TurnEnd.backend` names it.

        Raises:
            BackendError: The model could not answer.
        """
        run, follow_up = _run(request)
        if not (follow_up and run in self._runs_of_model):
            # Held back until it is known who answers: what the commands say when they decline is not the answer.
            async with aclosing(_parts(self._commands, request)) as parts:
                answer = [part async for part in parts]
            if not (self.has_model and any(_declined(part) for part in answer)):
                for part in answer:
                    yield part
                return
        model = self._open_model()
        if model is None:
            yield TurnEnd(
                finish="incomplete", notice="The model that began this is no longer configured.", backend=self.name
            )
            return
        if run not in self._runs_of_model:
            self._runs_of_model.append(run)
        async with aclosing(_parts(model, request)) as parts:
            async for part in parts:
                yield part

    def _open_model(self) -> Backend | None:
        if self._model is None and self._model_factory is not None:
            self._model = self._model_factory()
        return self._model


def _declined(part: Part) -> bool:
    return isinstance(part, TurnEnd) and part.finish == "declined"


def _run(request: TurnRequest) -> tuple[str, bool]:
    """The id of the utterance being answered, and whether a backend has already answered a turn of it."""
    follow_up = False
    for message in reversed(request.messages):
        if isinstance(message, UserMessage):
            return message.utterance.id, follow_up
        follow_up = follow_up or isinstance(message, AssistantMessage)
    return "", follow_up


async def _parts(backend: Backend, request: TurnRequest) -> AsyncGenerator[Part]:
    # Closing at once, not when the generator is collected, is what stops the work of a backend.
    async with aclosing(backend.stream(request)) as parts:
        async for part in parts:
            yield replace(part, backend=backend.name) if isinstance(part, TurnEnd) and not part.backend else part
