"""Tools, models and screens that misbehave: the run ends in a defined way, and nothing wrong is done."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from loop_kit import Bench, FieldBase, GatedBench, call, scripted, turn

from app.agent.backends.base import Usage
from app.agent.direct_host import DirectHost
from app.agent.errors import ToolError
from app.agent.events import RunFinished
from app.agent.handles import InstanceHandle
from app.agent.journal import MemoryJournal
from app.agent.limits import Limits
from app.agent.loop import EngineOptions
from app.agent.messages import ToolCall
from app.agent.registry import Registry
from app.agent.serial import proposal_from_json
from app.agent.tools import ai_tool

TITLE = call("fill", target="title", value="new")
QUICK = EngineOptions(limits=Limits(execution_s=0.05))


class Misbehaving:
    """Tools that do what no tool should."""

    def __init__(self) -> None:
        self.handle: InstanceHandle | None = None
        self.stopped = False
        self.kept: list[object] = []
        self.given: Any = None

    @ai_tool(name="hang", policy="confirm")
    async def hang(self) -> str:
        """Never ends."""
        try:
            await asyncio.Event().wait()
        finally:
            self.stopped = True
        return "never"

    @ai_tool(name="wait_a_little", policy="confirm")
    async def wait_a_little(self) -> str:
        """Ends in its own time."""
        await asyncio.sleep(0)
        return "Waited."

    @ai_tool(name="give_up", policy="confirm")
    async def give_up(self) -> str:
        """Cancels itself."""
        raise asyncio.CancelledError

    @ai_tool(name="leave", policy="confirm")
    def leave(self) -> str:
        """Tries to end the program."""
        raise SystemExit(3)

    @ai_tool(name="unserialisable", policy="confirm")
    def unserialisable(self) -> object:
        """Gives what has no text."""
        return {"lock": object(), "set": {1, 2}, "self": self}

    @ai_tool(name="endless", policy="confirm")
    def endless(self) -> object:
        """Gives a list that holds itself."""
        nested: list[object] = []
        nested.append(nested)
        return nested

    @ai_tool(name="vanish", policy="confirm")
    def vanish(self) -> str:
        """Takes itself off the screen."""
        assert self.handle is not None
        self.handle.dispose()
        return "Gone."

    @ai_tool(name="take", policy="confirm")
    def take(self, value: dict[str, Any]) -> str:
        """Takes anything.

        Args:
            value: Anything.
        """
        self.given = value
        return "Taken."


def with_tools(*steps: object, options: EngineOptions | None = None) -> tuple[Bench, Misbehaving]:
    bench, tools = Bench(scripted(*steps), options=options or EngineOptions()), Misbehaving()
    tools.handle = bench.registry.register_instance(tools, label="Tools")
    return bench, tools


async def test_a_tool_that_raises_is_an_answer_and_not_an_end() -> None:
    bench = Bench(scripted(turn(call("explode")), turn(text="It failed.")))
    await bench.say("go")
    await bench.waiting()
    ended = await bench.approve_all()
    assert isinstance(ended, RunFinished)
    assert (ended.message, [result.ok for result in bench.results()]) == ("It failed.", [False])


async def test_a_tool_that_hangs_is_left_behind_and_its_result_is_told_as_unknown() -> None:
    bench, tools = with_tools(turn(call("hang"), TITLE), turn(text="Well."), options=QUICK)
    await bench.say("go")
    await bench.waiting()
    ended = await bench.approve_all()
    assert isinstance(ended, RunFinished)
    assert ended.outcome == "finished"
    assert [result.content for result in bench.results()] == [
        "No result after 0.05 seconds. It is not known whether it was done.",
        "Not run: the action before it failed.",
    ]
    assert tools.stopped
    assert bench.title.filled == []


async def test_a_call_that_was_given_up_does_not_run_when_the_busy_program_comes_to_it() -> None:
    bench = GatedBench(scripted(turn(TITLE), turn(text="Well.")), options=QUICK)
    gate = bench.gated.hold("execute")  # the GUI thread is busy with something else
    await bench.say("go")
    await bench.waiting()
    await bench.approve_all()
    gate.open()
    await asyncio.sleep(0)
    assert bench.title.filled == []
    assert "not known" in bench.results()[0].content


async def test_an_async_tool_is_awaited() -> None:
    bench, _ = with_tools(turn(call("wait_a_little")), turn(text="Well."))
    await bench.say("go")
    await bench.waiting()
    await bench.approve_all()
    assert [result.content for result in bench.results()] == ["Waited."]


@pytest.mark.parametrize(("tool", "words"), [("give_up", "stopped from outside"), ("leave", "end the program")])
async def test_a_tool_that_would_end_the_loop_ends_itself_only(tool: str, words: str) -> None:
    bench, _ = with_tools(turn(call(tool)), turn(text="Well."))
    await bench.say("go")
    await bench.waiting()
    ended = await bench.approve_all()
    assert isinstance(ended, RunFinished)
    assert ended.outcome == "finished"
    assert words in bench.results()[0].content


async def test_a_host_that_breaks_ends_the_call_and_says_that_nobody_knows(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(DirectHost):
        async def execute(self, _call: object) -> str:
            raise ValueError("a fault of ours")

    bench = Bench(scripted(turn(TITLE), turn(text="Well.")), host=Broken)
    await bench.say("go")
    await bench.waiting()
    ended = await bench.approve_all()
    assert isinstance(ended, RunFinished)
    assert "not known whether it was done" in bench.results()[0].content
    assert "a fault of ours" in caplog.text


@pytest.mark.parametrize("tool", ["unserialisable", "endless"])
async def test_a_result_without_a_text_is_described(tool: str) -> None:
    bench, _ = with_tools(turn(call(tool)), turn(text="Well."))
    await bench.say("go")
    await bench.waiting()
    await bench.approve_all()
    (result,) = bench.results()
    assert result.ok
    assert 0 < len(result.content) < 5000
    assert " at 0x" not in result.content


async def test_a_tool_that_deletes_its_own_instance_is_done_and_offered_no_more() -> None:
    bench, _ = with_tools(turn(call("vanish")), turn(call("vanish")), turn(text="Well."))
    await bench.say("go")
    await bench.waiting()
    await bench.approve_all()
    assert [result.ok for result in bench.results()] == [True, False]
    assert "no tool 'vanish'" in bench.results()[1].content


async def test_a_call_whose_target_the_call_before_it_removed_is_an_error_and_hits_nothing_else() -> None:
    bench = Bench(scripted(turn(call("switch"), TITLE), turn(text="Well.")))
    bench.on_event = lambda event: bench.title_handle.dispose() if event.type == "call_finished" else None
    await bench.say("go")
    for proposal in await bench.waiting():
        bench.decide(proposal)
    await bench.ended()
    assert [result.ok for result in bench.results()] == [True, False]
    assert "Title is no longer there" in bench.results()[1].content
    assert (bench.title.filled, bench.subtitle.filled) == ([], [])


async def test_a_tool_that_replaces_others_is_asked_again_about_what_stands_there_now() -> None:
    """The approval was for the old object: the new one of the same name is not it."""
    bench = Bench(scripted(turn(call("switch"), TITLE), turn(text="Well.")))
    replacement = FieldBase("fresh")

    def replace_title(event: object) -> None:
        if getattr(event, "type", "") == "call_finished":
            bench.title_handle.dispose()
            bench.registry.register_instance(replacement, label="Title", state=replacement.state)
            bench.on_event = None

    bench.on_event = replace_title
    await bench.say("go")
    for proposal in await bench.waiting():
        bench.decide(proposal)
    await bench.until(lambda: [p.before for p in bench.open()] == ["fresh"])
    assert (bench.title.filled, replacement.filled) == ([], [])
    await bench.approve_all()
    assert replacement.filled == ["new"]


class Button:
    """A button that can be off."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self.presses = 0

    @ai_tool(name="press", policy="confirm")
    def press(self) -> str:
        """Presses it."""
        self.presses += 1
        return "Pressed."

    def why_not(self) -> str:
        return "" if self.enabled else "there is nothing to save"


class Filling(FieldBase):
    """A field that switches a button on when it is filled."""

    def __init__(self, button: Button) -> None:
        super().__init__()
        self.button = button
        self.handle: InstanceHandle | None = None

    @ai_tool(name="type_in", policy="confirm")
    def type_in(self, value: str) -> str:
        """Types.

        Args:
            value: The text.
        """
        self.button.enabled = True
        if self.handle is not None:
            self.handle.touch()
        return f"Typed {value}."


@pytest.mark.parametrize("arguments", [{"target": "save"}, {"target": "Save"}, {}])
async def test_typing_that_enables_a_button_never_presses_another(arguments: dict[str, str]) -> None:
    """ "Type, then press Save" in one turn, where only Cancel can be pressed when it is proposed."""
    bench = Bench(scripted(turn(call("type_in", value="x"), call("press", **arguments)), turn(text="Well.")))
    save, cancel = Button(enabled=False), Button()
    field = Filling(save)
    bench.registry.register_instance(field, label="Name")
    field.handle = bench.registry.register_instance(save, label="Save", available=save.why_not)
    bench.registry.register_instance(cancel, label="Cancel")
    await bench.say("go")
    waiting = await bench.waiting()
    await bench.approve_all()
    asked = {proposal.target for proposal in waiting}
    # Pressed is what a card named; where the card said Save, or nothing could be pressed, Cancel was not touched.
    assert cancel.presses == (1 if "Cancel" in asked else 0)
    assert ("Cancel" in asked) == (arguments == {})
    assert save.presses == 0


async def test_two_buttons_of_one_name_are_never_guessed_between() -> None:
    bench = Bench(scripted(turn(call("press", target="Save")), turn(text="Which one?")))
    buttons = Button(), Button()
    handles = [bench.registry.register_instance(button, label="Save") for button in buttons]
    await bench.say("press save")
    await bench.ended()
    assert "There are 2 named 'Save'" in bench.results()[0].content
    assert [button.presses for button in buttons] == [0, 0]
    assert len(handles) == 2


async def test_a_model_that_never_stops_calling_new_things_is_stopped() -> None:
    steps = [turn(*[call("look", f"{a}") for a in range(20)]) for _ in range(9)]
    bench = Bench(scripted(*steps), options=EngineOptions(limits=Limits(calls=60, repeats=99)))
    await bench.say("go")
    ended = await bench.ended()
    assert isinstance(ended, RunFinished)
    assert (ended.outcome, bench.lamp.runs) == ("limit", 60)


async def test_a_model_that_uses_up_its_tokens_is_stopped() -> None:
    steps = [turn(call("look"), usage=Usage(400, 200))] * 9
    bench = Bench(scripted(*steps), options=EngineOptions(limits=Limits(tokens=1000, repeats=99)))
    await bench.say("go")
    ended = await bench.ended()
    assert isinstance(ended, RunFinished)
    assert (ended.outcome, bench.lamp.runs) == ("limit", 1)


async def test_a_megabyte_of_arguments_is_carried_and_survives_a_restart() -> None:
    long = "word " * 200_000
    journal = MemoryJournal()
    bench = Bench(scripted(turn(call("fill", target="title", value=long))), journal=journal)
    await bench.say("go")
    (proposal,) = await bench.waiting()
    assert proposal.after == long
    second = Bench(scripted(), journal=journal)
    await second.engine.resume()
    await second.waiting()
    await second.approve_all()
    assert second.title.value == long
    await bench.engine.cancel()


@pytest.mark.parametrize("depth", [50, 200, 300, 900, 5_000, 200_000])
async def test_deeply_nested_arguments_are_taken_or_refused_and_break_nothing(depth: int) -> None:
    nested = '{"value": ' + '{"a": ' * depth + "1" + "}" * depth + "}"
    bench, tools = with_tools(turn(ToolCall("", "take", nested, confidence=0.95)), turn(text="Well."))
    await bench.say("go")
    ended = await bench.approve_all()
    assert isinstance(ended, RunFinished), ended
    (result,) = bench.results()
    assert result.ok == (tools.given is not None)
    if result.ok:
        assert json.dumps(tools.given) == nested[len('{"value": ') : -1]
    else:
        assert "too deep" in result.content
    for _, _, stored in bench.journal.proposals.values():  # type: ignore[attr-defined]
        proposal_from_json(stored)


async def test_a_call_bound_on_one_window_never_runs_on_another() -> None:
    here, there = Registry(), Registry()
    fields = FieldBase("here"), FieldBase("there")
    handles = [
        registry.register_instance(field, label="Title", state=field.state)
        for registry, field in zip((here, there), fields, strict=True)
    ]
    bound = here.bind(here.snapshot(), "fill", '{"value": "x"}')
    with pytest.raises(ToolError, match="Title"):
        there.invoke(bound)
    assert [field.filled for field in fields] == [[], []]
    assert len(handles) == 2


async def test_two_windows_each_run_their_own() -> None:
    first, second = Bench(scripted(turn(TITLE), turn(text="A."))), Bench(scripted(turn(TITLE), turn(text="B.")))
    await first.say("go")
    await second.say("go")
    (asked,) = await first.waiting()
    await second.waiting()
    assert not second.decide(asked)
    await first.approve_all()
    assert (first.title.filled, second.title.filled) == (["new"], [])
    await second.engine.cancel()
