"""The clients that `bench_agent_streams.py` compares: each runs one utterance with the same two tools."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

PROMPT = "Set the title to A."


@dataclass
class Result:
    """What came of one utterance: effects in order, an error told to the caller, or the answer."""

    effects: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    error: str = ""
    text: str = ""


Client = Callable[[str], Awaitable[Result]]
"""Runs `PROMPT` against the server of that base URL."""


def greenroom() -> Client:
    """Our loop over our backend."""
    from app.agent.backends.model_settings import ModelSettings
    from app.agent.backends.openai_backend import OpenAIBackend
    from app.agent.backends.wire.profiles import MemoryProfiles
    from app.agent.direct_host import DirectHost
    from app.agent.events import Event, RunFailed, RunFinished
    from app.agent.journal import MemoryJournal
    from app.agent.loop import Engine
    from app.agent.messages import Utterance
    from app.agent.registry import Registry
    from app.agent.tools import ai_tool

    result = Result()

    @ai_tool(name="fill", policy="auto")
    def fill(field: str, value: str) -> str:
        """Fills a field.

        Args:
            field: The field.
            value: What to write.
        """
        result.effects.append(("fill", {"field": field, "value": value}))
        return "done"

    @ai_tool(name="click", policy="auto")
    def click() -> str:
        """Presses the button."""
        result.effects.append(("click", {}))
        return "done"

    registry = Registry(screen=dict)
    registry.register_function(fill)
    registry.register_function(click)
    backends: dict[str, OpenAIBackend] = {}

    async def run(base_url: str) -> Result:
        nonlocal result
        result = Result()
        ends: list[RunFailed | RunFinished] = []

        def emit(event: Event) -> None:
            if isinstance(event, RunFailed | RunFinished):
                ends.append(event)

        backend = backends.setdefault(base_url, OpenAIBackend(ModelSettings("m", base_url), MemoryProfiles()))
        engine = Engine(DirectHost(registry), backend, emit, journal=MemoryJournal(), answers=lambda *_: None)
        await engine.say(Utterance("u1", PROMPT))
        await engine.wait_idle()
        (end,) = ends
        if isinstance(end, RunFailed) or end.outcome != "finished":
            result.error = end.message
        else:
            result.text = end.message
        return result

    return run


def openai_agents() -> Client:
    """The OpenAI Agents SDK, streaming, with the Chat Completions model."""
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    result = Result()

    @function_tool
    def fill(field: str, value: str) -> str:
        """Fills a field."""
        result.effects.append(("fill", {"field": field, "value": value}))
        return "done"

    @function_tool
    def click() -> str:
        """Presses the button."""
        result.effects.append(("click", {}))
        return "done"

    agents: dict[str, Any] = {}

    def agent(base_url: str) -> Any:
        model = OpenAIChatCompletionsModel("m", AsyncOpenAI(api_key="none", base_url=base_url))
        return Agent(name="desk", instructions="You operate a program.", tools=[fill, click], model=model)

    async def run(base_url: str) -> Result:
        nonlocal result
        result = Result()
        if base_url not in agents:
            agents[base_url] = agent(base_url)
        try:
            stream = Runner.run_streamed(agents[base_url], PROMPT, max_turns=4)
            async for _ in stream.stream_events():
                pass
            result.text = str(stream.final_output)
        except Exception as error:  # noqa: BLE001 - whatever it raises is what its caller is told
            result.error = f"{type(error).__name__}: {error}"
        return result

    return run


def pydantic_ai() -> Client:
    """Pydantic AI, streaming."""
    from openai import AsyncOpenAI
    from pydantic_ai import Agent, UsageLimits
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    result = Result()

    def fill(field: str, value: str) -> str:
        """Fills a field."""
        result.effects.append(("fill", {"field": field, "value": value}))
        return "done"

    def click() -> str:
        """Presses the button."""
        result.effects.append(("click", {}))
        return "done"

    agents: dict[str, Any] = {}

    def agent(base_url: str) -> Any:
        provider = OpenAIProvider(openai_client=AsyncOpenAI(api_key="none", base_url=base_url))
        model = OpenAIChatModel("m", provider=provider)
        return Agent(model, instructions="You operate a program.", tools=[fill, click])

    async def read(_context: object, events: Any) -> None:
        async for _ in events:
            pass

    async def run(base_url: str) -> Result:
        nonlocal result
        result = Result()
        if base_url not in agents:
            agents[base_url] = agent(base_url)
        limits = UsageLimits(request_limit=4)
        try:
            answer = await agents[base_url].run(PROMPT, event_stream_handler=read, usage_limits=limits)
            result.text = str(answer.output)
        except Exception as error:  # noqa: BLE001 - whatever it raises is what its caller is told
            result.error = f"{type(error).__name__}: {error}"
        return result

    return run


CLIENTS: dict[str, Callable[[], Client]] = {
    "greenroom": greenroom,
    "openai-agents": openai_agents,
    "pydantic-ai": pydantic_ai,
}


def to_json(result: Result) -> str:
    """A result as one line."""
    return json.dumps({"effects": result.effects, "error": result.error, "text": result.text})
