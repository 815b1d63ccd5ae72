"""Commands first, then the model; what the model has begun stays with it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from app.agent.backends.base import Backend, Part, TextPart, TurnEnd, TurnRequest
from app.agent.backends.routed import RoutedBackend
from app.agent.backends.scripted import ScriptedBackend
from app.agent.errors import BackendError
from app.agent.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage, Utterance
from app.agent.snapshot import Snapshot

DECLINED = TurnEnd(finish="declined", suggestions=("click save",))
CLICK = ToolCall("abcdefgh1", "click", "{}")
CALLS = TurnEnd(calls=(CLICK,), finish="tool_calls")


def request(*messages: Message, utterance: str = "u1") -> TurnRequest:
    return TurnRequest((UserMessage(Utterance(utterance, "please save")), *messages), Snapshot(1))


def follow_up(utterance: str = "u1") -> TurnRequest:
    return request(AssistantMessage(calls=(CLICK,)), ToolMessage(CLICK.id, "click", "Saved"), utterance=utterance)


def scripted(*steps: TurnEnd | BaseException, name: str) -> ScriptedBackend:
    return ScriptedBackend(steps, name=name)


async def play(backend: Backend, asked: TurnRequest) -> list[Part]:
    return [part async for part in backend.stream(asked)]


async def test_commands_answer_alone_what_they_understand() -> None:
    commands = scripted(CALLS, name="commands")
    routed = RoutedBackend(commands, lambda: pytest.fail("the model was built for nothing"))
    assert await play(routed, request()) == [replace(CALLS, backend="commands")]


async def test_the_decline_passes_through_without_a_model() -> None:
    routed = RoutedBackend(scripted(DECLINED, name="commands"))
    assert not routed.has_model
    assert await play(routed, request()) == [replace(DECLINED, backend="commands")]


async def test_the_model_answers_what_commands_decline() -> None:
    routed = RoutedBackend(scripted(DECLINED, name="commands"), lambda: scripted(TurnEnd(text="Hello"), name="openai"))
    assert routed.has_model
    assert await play(routed, request()) == [TextPart("Hello"), TurnEnd(text="Hello", backend="openai")]


async def test_a_run_of_the_model_stays_with_it_and_the_next_utterance_begins_with_commands() -> None:
    commands = scripted(DECLINED, CALLS, name="commands")
    model = scripted(CALLS, TurnEnd(text="Saved"), name="openai")
    routed = RoutedBackend(commands, lambda: model)
    await play(routed, request())
    assert (await play(routed, follow_up()))[-1] == TurnEnd(text="Saved", backend="openai")
    assert (await play(routed, request(utterance="u2")))[-1] == replace(CALLS, backend="commands")
    commands.assert_done()
    model.assert_done()


async def test_a_run_of_the_commands_is_asked_of_the_commands_again() -> None:
    commands = scripted(CALLS, TurnEnd(text="Done"), name="commands")
    routed = RoutedBackend(commands, lambda: pytest.fail("the model was asked"))
    await play(routed, request())
    await play(routed, follow_up())
    commands.assert_done()


async def test_failure_of_the_model_reaches_the_caller() -> None:
    broken = scripted(BackendError("down", kind="unreachable"), name="openai")
    routed = RoutedBackend(scripted(DECLINED, name="commands"), lambda: broken)
    with pytest.raises(BackendError, match="down"):
        await play(routed, request())


async def test_the_model_can_be_exchanged() -> None:
    commands = scripted(DECLINED, DECLINED, DECLINED, name="commands")
    routed = RoutedBackend(commands, lambda: scripted(TurnEnd(text="old"), name="openai"))
    assert (await play(routed, request()))[-1] == TurnEnd(text="old", backend="openai")
    routed.use_model(lambda: scripted(TurnEnd(text="new"), name="openai"))
    assert (await play(routed, request(utterance="u2")))[-1] == TurnEnd(text="new", backend="openai")
    routed.use_model(None)
    assert (await play(routed, request(utterance="u3")))[-1] == replace(DECLINED, backend="commands")


async def test_a_run_whose_model_was_taken_away_ends_without_calls() -> None:
    routed = RoutedBackend(scripted(DECLINED, name="commands"), lambda: scripted(CALLS, name="openai"))
    await play(routed, request())
    routed.use_model(None)
    (end,) = await play(routed, follow_up())
    assert isinstance(end, TurnEnd)
    assert end.finish == "incomplete"
    assert not end.calls


async def test_cancelling_reaches_the_model() -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    async def hold(_request: TurnRequest) -> TurnEnd:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()
        return TurnEnd()

    routed = RoutedBackend(scripted(DECLINED, name="commands"), lambda: ScriptedBackend([hold], name="openai"))
    task = asyncio.create_task(play(routed, request()))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert cancelled.is_set()


async def test_what_the_commands_say_when_they_decline_is_not_part_of_the_models_answer() -> None:
    declines = ScriptedBackend([TurnEnd(text="I did not understand.", finish="declined")], name="commands")
    model = ScriptedBackend([TurnEnd(text="It reads well.")], name="openai")
    parts = [part async for part in RoutedBackend(declines, lambda: model).stream(request())]
    assert [part.text for part in parts if isinstance(part, TextPart)] == ["It reads well."]
