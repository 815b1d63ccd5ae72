"""The scripted double plays its steps exactly once, and fails loudly when it is used otherwise."""

from __future__ import annotations

import asyncio

import pytest

from app.agent.backends.base import Part, ReasoningPart, TextPart, TurnEnd, TurnRequest
from app.agent.backends.scripted import ScriptedBackend, ScriptError
from app.agent.errors import BackendError
from app.agent.messages import ToolCall, UserMessage, Utterance
from app.agent.snapshot import Snapshot

REQUEST = TurnRequest((UserMessage(Utterance("u1", "save")),), Snapshot(1))


async def play(backend: ScriptedBackend) -> list[Part]:
    return [part async for part in backend.stream(REQUEST)]


async def test_text_of_a_turn_end_is_streamed_before_it() -> None:
    end = TurnEnd(text="Saved.")
    assert await play(ScriptedBackend([end])) == [TextPart("Saved."), end]


async def test_calls_without_text_give_only_the_end() -> None:
    end = TurnEnd(calls=(ToolCall("a", "click", "{}"),), finish="tool_calls")
    assert await play(ScriptedBackend([end])) == [end]


async def test_parts_are_played_as_they_are() -> None:
    parts: list[Part] = [ReasoningPart("hm"), TextPart("Done."), TurnEnd(text="Done.")]
    assert await play(ScriptedBackend([parts])) == parts


async def test_an_exception_is_raised() -> None:
    with pytest.raises(BackendError, match="down"):
        await play(ScriptedBackend([BackendError("down", kind="server")]))


async def test_a_function_sees_the_request() -> None:
    backend = ScriptedBackend([lambda request: TurnEnd(text=str(request.snapshot.revision))])
    assert (await play(backend))[-1] == TurnEnd(text="1")
    assert backend.requests == [REQUEST]


async def test_a_coroutine_can_hold_the_turn_open_until_it_is_cancelled() -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def hold(_request: TurnRequest) -> TurnEnd:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return TurnEnd()

    task = asyncio.create_task(play(ScriptedBackend([hold])))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()


async def test_steps_left_over_fail() -> None:
    backend = ScriptedBackend([TurnEnd(text="one"), TurnEnd(text="two")])
    await play(backend)
    with pytest.raises(ScriptError, match="1 turns were asked of a script of 2"):
        backend.assert_done()
    await play(backend)
    backend.assert_done()


async def test_one_turn_too_many_fails_there_and_at_the_end() -> None:
    backend = ScriptedBackend([TurnEnd(text="one")])
    await play(backend)
    with pytest.raises(ScriptError, match="turn 2"):
        await play(backend)
    with pytest.raises(ScriptError, match="2 turns"):
        backend.assert_done()


@pytest.mark.parametrize("parts", [[], [TextPart("x")], [TurnEnd(), TurnEnd()], [TurnEnd(), TextPart("x")]])
async def test_a_step_has_to_end_in_its_only_turn_end(parts: list[Part]) -> None:
    with pytest.raises(ScriptError):
        await play(ScriptedBackend([parts]))
