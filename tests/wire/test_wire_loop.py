"""The loop over a real server: what runs, and what the server reads about it in the next request."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator

import pytest
from sse_server import Recorded, SseServer, Stall, call_delta, call_reply, calls_chunk, chunk, streamed, text_reply

from app.agent.backends.openai_backend import OpenAIBackend
from app.agent.direct_host import DirectHost
from app.agent.events import Event, RunFailed, RunFinished, StateChanged, TextDelta
from app.agent.history import check_pairs
from app.agent.journal import MemoryJournal
from app.agent.json_types import JsonObject
from app.agent.loop import Engine
from app.agent.messages import Utterance
from app.agent.registry import Registry
from app.agent.tools import ai_tool


class Desk:
    """One field on a screen, and an engine that asks the server of the test. Nothing is asked of the person."""

    def __init__(self, backend: OpenAIBackend) -> None:
        self.title = "Old"
        self.writes = 0
        self.events: list[Event] = []
        self.answering = asyncio.Event()
        self.registry = Registry(screen=lambda: {"page": "Contributions"})
        self.handle = self.registry.register_instance(self, label="Title", state=self.state)
        self.engine = Engine(
            DirectHost(self.registry), backend, self.emit, journal=MemoryJournal(), answers=lambda *_: None
        )

    def state(self) -> JsonObject:
        """What the model is shown."""
        return {"value": self.title}

    def emit(self, event: Event) -> None:
        """Notes an event, and that an answer has begun."""
        self.events.append(event)
        if isinstance(event, TextDelta):
            self.answering.set()

    @ai_tool(name="fill", policy="auto")
    def fill(self, value: str) -> str:
        """Fills the title.

        Args:
            value: What to write.
        """
        self.title = value
        self.writes += 1
        self.handle.touch()
        return f"Title is {value}"

    async def say(self, text: str = "call it New") -> RunFinished | RunFailed:
        """Runs one utterance to its end."""
        await self.engine.say(Utterance("u1", text))
        await self.engine.wait_idle()
        check_pairs(self.engine.messages)
        end = self.events[-1]
        assert isinstance(end, RunFinished | RunFailed)
        return end


@pytest.fixture
async def desk(backend: OpenAIBackend) -> AsyncIterator[Desk]:
    """A desk whose engine is idle again at the end."""
    made = Desk(backend)
    yield made
    await made.engine.cancel()


def results(request: Recorded) -> list[str]:
    return [message["content"] for message in request.messages if message["role"] == "tool"]


async def test_a_call_runs_and_the_server_reads_its_result_and_the_new_screen(server: SseServer, desk: Desk) -> None:
    server.script(call_reply("fill", '{"value":"New"}'), text_reply("It is called New."))
    end = await desk.say()
    assert isinstance(end, RunFinished)
    assert (end.outcome, end.message, desk.title) == ("finished", "It is called New.", "New")
    second = server.requests[1]
    assert "Title is New" in results(second)[0]
    assert '"value":"New"' in second.messages[-1]["content"]
    assert '"changed":true' in second.messages[-1]["content"]


async def test_17_an_unknown_tool_beside_a_good_call(server: SseServer, desk: Desk) -> None:
    both = calls_chunk(call_delta("fil", "{}", id="a", index=0), call_delta("fill", '{"value":"New"}', id="b", index=1))
    server.script(streamed(both, chunk({}, "tool_calls")), text_reply("Done."))
    await desk.say()
    unknown, good = results(server.requests[1])
    assert "fill" in unknown
    assert "Title is New" in good
    assert desk.writes == 1


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_3_and_5_nothing_runs_on_a_cut_answer(server: SseServer, desk: Desk, finish: str) -> None:
    server.script(streamed(calls_chunk(call_delta("fill", '{"value":"New"}', id="a", index=0)), chunk({}, finish)))
    end = await desk.say()
    assert isinstance(end, RunFailed)
    assert (desk.title, end.kind) == ("Old", "bad_answer")
    assert end.message


async def test_8_a_model_can_correct_its_arguments(server: SseServer, desk: Desk) -> None:
    server.script(call_reply("fill", '{"value":'), call_reply("fill", '{"value":"New"}'), text_reply("Done."))
    end = await desk.say()
    assert isinstance(end, RunFinished)
    assert (desk.title, desk.writes) == ("New", 1)
    sent = server.requests[1].messages[2]["tool_calls"][0]["function"]["arguments"]
    assert json.loads(sent) == {"unusable_arguments": '{"value":'}


async def test_20_nothing_runs_twice_when_the_answer_is_cut_and_asked_for_again(server: SseServer, desk: Desk) -> None:
    call = call_reply("fill", '{"value":"New"}')
    server.script(streamed(call.pieces[0], done=False), call, text_reply("Done."))
    await desk.say()
    assert desk.writes == 1


async def test_cancel_while_thinking_ends_the_run_at_once(server: SseServer, desk: Desk) -> None:
    server.always(streamed(chunk({"content": "Well"}), Stall()))
    await desk.engine.say(Utterance("u1", "call it New"))
    await asyncio.wait_for(desk.answering.wait(), 60)
    began = time.monotonic()
    await desk.engine.cancel()
    assert time.monotonic() - began < 20.0, "and not when the server has had its time"
    assert isinstance(desk.events[-1], RunFinished)
    assert desk.events[-1].outcome == "cancelled"
    assert [event.state for event in desk.events if isinstance(event, StateChanged)][-1] == "idle"
    check_pairs(desk.engine.messages)
