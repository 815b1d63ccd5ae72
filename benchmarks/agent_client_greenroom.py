"""Our loop over our backend, with the journal of the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from agent_clients import INSTRUCTIONS, MODEL, PROMPT, Approve, Result, note_effect

from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.openai_backend import OpenAIBackend
from app.agent.direct_host import DirectHost
from app.agent.events import CallProposed, Event, RunFailed, RunFinished
from app.agent.journal import Journal, MemoryJournal
from app.agent.loop import Engine, EngineOptions
from app.agent.messages import Utterance
from app.agent.proposal import Decision
from app.agent.registry import Registry
from app.agent.tools import ai_tool
from app.store.database import Database
from app.store.journal import SqlJournal


class Greenroom:
    """Implements `Client`."""

    def __init__(self, folder: Path) -> None:
        self._result = Result()
        self._registry = Registry(screen=dict)
        self._database = Database.open(f"sqlite:///{folder / 'greenroom.db'}").database
        self._numbers = count()
        self._backends: dict[str, OpenAIBackend] = {}
        self._kept: list[Engine] = []

        @ai_tool(name="fill", policy="auto")
        def fill(field: str, value: str) -> str:
            """Fills a field.

            Args:
                field: The field.
                value: What to write.
            """
            self._result.effects.append(("fill", {"field": field, "value": value}))
            return "done"

        @ai_tool(name="click", policy="auto")
        def click() -> str:
            """Presses the button."""
            self._result.effects.append(("click", {}))
            return "done"

        self._registry.register_function(fill)
        self._registry.register_function(click)

    async def run(self, base_url: str, *, stored: bool) -> Result:
        """Runs the prompt in a conversation of its own; stored means each message, decision, start and outcome."""
        self._result = result = Result()
        events: list[Event] = []
        journal = SqlJournal(self._database, f"conversation {next(self._numbers)}") if stored else MemoryJournal()
        engine = self._engine(self._registry, base_url, journal, events.append)
        await engine.say(Utterance("u1", PROMPT))
        await engine.wait_idle()
        (end,) = (event for event in events if isinstance(event, RunFailed | RunFinished))
        if isinstance(end, RunFailed) or end.outcome != "finished":
            result.error = end.message
        else:
            result.text = end.message
        return result

    async def interrupt(self, base_url: str, state: Path) -> None:
        """Everything is stored as it happens, so there is nothing to save."""
        engine, asked = self._asking(base_url, state)
        await engine.say(Utterance("u1", PROMPT))
        await asked
        self._kept.append(engine)

    async def load(self, base_url: str, state: Path) -> Approve:
        """Takes up what is open in the database."""
        engine, asked = self._asking(base_url, state)
        await engine.resume()
        proposal_id = await asked

        async def approve() -> None:
            engine.decide(Decision(proposal_id, "approve"))
            await engine.wait_idle()

        return approve

    def _asking(self, base_url: str, state: Path) -> tuple[Engine, asyncio.Future[str]]:
        """An engine with a tool that is asked about, and the id of the first proposal that waits."""
        registry = Registry(screen=dict)
        asked: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def emit(event: Event) -> None:
            if isinstance(event, CallProposed) and event.proposal.status == "waiting" and not asked.done():
                asked.set_result(event.proposal.id)

        @ai_tool(name="click", policy="confirm")
        def click() -> str:
            """Presses the button."""
            note_effect(state)
            return "done"

        registry.register_function(click)
        journal = SqlJournal(Database.open(f"sqlite:///{state}").database)
        return self._engine(registry, base_url, journal, emit), asked

    def _engine(self, registry: Registry, base_url: str, journal: Journal, emit: Callable[[Event], None]) -> Engine:
        backend = self._backends.setdefault(base_url, OpenAIBackend(ModelSettings(MODEL, base_url)))
        options = EngineOptions(INSTRUCTIONS)
        return Engine(DirectHost(registry), backend, emit, journal=journal, answers=_no_answers, options=options)


def _no_answers(*_: Any) -> None:
    """The prompt of the benchmark never answers a question."""
