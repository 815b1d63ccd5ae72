"""The OpenAI Agents SDK, streaming, with its Chat Completions model and its SQLite session."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from agent_clients import INSTRUCTIONS, MODEL, PROMPT, Approve, Result, note_effect, save, saved
from agents import (
    Agent,
    OpenAIChatCompletionsModel,
    Runner,
    RunState,
    SQLiteSession,
    function_tool,
    set_tracing_disabled,
)
from openai import AsyncOpenAI


class OpenAIAgents:
    """Implements `Client`."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "sessions.db"
        self._numbers = count()
        set_tracing_disabled(True)
        self._result = Result()
        self._agents: dict[str, Agent[Any]] = {}

        @function_tool
        def fill(field: str, value: str) -> str:
            """Fills a field."""
            self._result.effects.append(("fill", {"field": field, "value": value}))
            return "done"

        @function_tool
        def click() -> str:
            """Presses the button."""
            self._result.effects.append(("click", {}))
            return "done"

        self._tools: list[Any] = [fill, click]

    async def run(self, base_url: str, *, stored: bool) -> Result:
        """Runs the prompt in a conversation of its own."""
        self._result = result = Result()
        if base_url not in self._agents:
            self._agents[base_url] = _agent(base_url, self._tools)
        session = SQLiteSession(f"conversation {next(self._numbers)}", self._file) if stored else None
        try:
            stream = Runner.run_streamed(self._agents[base_url], PROMPT, max_turns=4, session=session)
            async for _ in stream.stream_events():
                pass
            result.text = str(stream.final_output)
        except Exception as error:  # noqa: BLE001 - whatever it raises is what its caller is told
            result.error = f"{type(error).__name__}: {error}"
        finally:
            if session is not None:
                session.close()
        return result

    async def interrupt(self, base_url: str, state: Path) -> None:
        """Saves the state of the run as its documentation shows."""
        result = await Runner.run(_asking(base_url, state), PROMPT)
        if not result.interruptions:
            raise RuntimeError("nothing waits for approval")
        save(state, result.to_state().to_string())

    async def load(self, base_url: str, state: Path) -> Approve:
        """Reads the state again."""
        agent = _asking(base_url, state)
        run = await RunState.from_string(agent, saved(state))

        async def approve() -> None:
            for item in run.get_interruptions():
                run.approve(item)
            await Runner.run(agent, run)

        return approve


def _agent(base_url: str, tools: list[Any]) -> Agent[Any]:
    model = OpenAIChatCompletionsModel(MODEL, AsyncOpenAI(api_key="none", base_url=base_url))
    return Agent(name="desk", instructions=INSTRUCTIONS, tools=tools, model=model)


def _asking(base_url: str, state: Path) -> Agent[Any]:
    """An agent with a tool that is asked about."""

    @function_tool(needs_approval=True)
    def click() -> str:
        """Presses the button."""
        note_effect(state)
        return "done"

    return _agent(base_url, [click])
