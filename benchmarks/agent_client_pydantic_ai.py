"""Pydantic AI, streaming. It comes without a store that outlives the process."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent_clients import INSTRUCTIONS, MODEL, PROMPT, Approve, Result, note_effect, save, saved
from openai import AsyncOpenAI
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, Tool, UsageLimits
from pydantic_ai.messages import ModelMessagesTypeAdapter
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider


class PydanticAI:
    """Implements `Client`."""

    def __init__(self, _folder: Path) -> None:
        self._result = Result()
        self._agents: dict[str, Agent[None, Any]] = {}

        def fill(field: str, value: str) -> str:
            """Fills a field."""
            self._result.effects.append(("fill", {"field": field, "value": value}))
            return "done"

        def click() -> str:
            """Presses the button."""
            self._result.effects.append(("click", {}))
            return "done"

        self._tools: list[Callable[..., str]] = [fill, click]

    async def run(self, base_url: str, *, stored: bool) -> Result:
        """Runs the prompt. There is nothing to store it in."""
        if stored:
            raise NotImplementedError
        self._result = result = Result()
        if base_url not in self._agents:
            self._agents[base_url] = Agent(_model(base_url), instructions=INSTRUCTIONS, tools=self._tools)
        agent = self._agents[base_url]
        try:
            answer = await agent.run(PROMPT, event_stream_handler=_read, usage_limits=UsageLimits(request_limit=4))
            result.text = str(answer.output)
        except Exception as error:  # noqa: BLE001 - whatever it raises is what its caller is told
            result.error = f"{type(error).__name__}: {error}"
        return result

    async def interrupt(self, base_url: str, state: Path) -> None:
        """Saves the messages and the calls that wait, as its documentation shows."""
        result = await _asking(base_url, state).run(PROMPT)
        if not isinstance(result.output, DeferredToolRequests):
            raise TypeError("nothing waits for approval")
        waiting = [call.tool_call_id for call in result.output.approvals]
        save(state, json.dumps({"messages": json.loads(result.all_messages_json()), "waiting": waiting}))

    async def load(self, base_url: str, state: Path) -> Approve:
        """Reads them again."""
        kept = json.loads(saved(state))
        messages = ModelMessagesTypeAdapter.validate_python(kept["messages"])
        agent = _asking(base_url, state)

        async def approve() -> None:
            approvals = DeferredToolResults(approvals=dict.fromkeys(kept["waiting"], True))
            await agent.run(message_history=messages, deferred_tool_results=approvals)

        return approve


def _model(base_url: str) -> OpenAIChatModel:
    return OpenAIChatModel(MODEL, provider=OpenAIProvider(openai_client=AsyncOpenAI(api_key="none", base_url=base_url)))


def _asking(base_url: str, state: Path) -> Agent[None, str | DeferredToolRequests]:
    """An agent with a tool that is asked about."""

    def click() -> str:
        """Presses the button."""
        note_effect(state)
        return "done"

    tools = [Tool(click, requires_approval=True)]
    return Agent(_model(base_url), instructions=INSTRUCTIONS, tools=tools, output_type=[str, DeferredToolRequests])


async def _read(_context: object, events: Any) -> None:
    async for _ in events:
        pass
