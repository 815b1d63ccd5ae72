"""The trace of a run, made from the events of a real engine and kept in a real database."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from loop_kit import Bench, FieldBase, call, scripted, turn

from app.agent.backends.base import Usage
from app.agent.errors import BackendError
from app.agent.events import Event, RunFinished
from app.agent.loop import EngineOptions
from app.agent.messages import Hypothesis, ToolCall, Utterance
from app.agent.tracing.pipeline import SpanPipeline
from app.agent.tracing.reading import Trace, recent_traces, trace_of
from app.agent.tracing.spans import Span
from app.agent.tracing.tracer import Tracer
from app.store.database import Database
from app.store.traces import Traces

TITLE = call("fill", target="title", value="sk-abcdefgh12345678 and more")
SUBTITLE = call("fill", target="subtitle", value="other")


class Traced:
    """A bench whose events go to a tracer too."""

    def __init__(self, *steps: object, payloads: bool = False, model: str = "", options: object = None) -> None:
        self.runs: list[Sequence[Span]] = []
        self.tracer = Tracer(self.runs.append, payloads=payloads, model=model)
        self.bench = Bench(scripted(*steps), options=options or EngineOptions())  # type: ignore[arg-type]
        self.also: Callable[[Event], None] = lambda _: None
        self.bench.on_event = self.take

    def take(self, event: Event) -> None:
        self.tracer.take(event)
        self.also(event)

    async def run(self, text: str = "set the title") -> Trace:
        """Approves whatever is asked."""

        def approve(event: Event) -> None:
            if event.type == "call_proposed" and event.proposal.status == "waiting":
                asyncio.get_running_loop().call_soon(self.bench.decide, event.proposal)

        self.also = approve
        await self.bench.say(text)
        await self.bench.ended()
        return self.trace()

    def trace(self) -> Trace:
        return trace_of(self.runs[-1])


def shape(trace: Trace) -> list[tuple[int, str, str, bool]]:
    return [(step.depth, step.step, step.name, step.ok) for step in trace.steps]


async def test_a_run_is_a_tree_of_its_steps() -> None:
    traced = Traced(
        turn(TITLE, usage=Usage(100, 20)), turn(text="Done.", usage=Usage(140, 5)), model="a-model", payloads=False
    )
    trace = await traced.run()
    assert shape(trace) == [
        (0, "utterance", "invoke_agent Greenroom", True),
        (1, "turn", "chat a-model", True),
        (1, "call", "call fill", True),
        (2, "approval", "approval fill", True),
        (2, "execution", "execute_tool fill", True),
        (1, "turn", "chat a-model", True),
    ]
    root, first, made, approval, execution, _ = trace.steps
    assert (trace.outcome, trace.ok) == ("finished", True)
    assert root.attributes == {
        "greenroom.step": "utterance",
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "Greenroom",
        "gen_ai.conversation.id": "desk",
        "greenroom.run.id": trace.run_id,
        "greenroom.utterance.source": "text",
        "greenroom.outcome": "finished",
        "gen_ai.usage.input_tokens": 240,
        "gen_ai.usage.output_tokens": 25,
    }
    assert first.attributes == {
        "greenroom.step": "turn",
        "greenroom.backend": "scripted",
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "scripted",
        "gen_ai.request.model": "a-model",
        "gen_ai.response.finish_reasons": ["tool_calls"],
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
    }
    assert (approval.attributes["greenroom.approval.decision"], approval.attributes["greenroom.approval.by"]) == (
        "approve",
        "panel",
    )
    assert execution.attributes["gen_ai.operation.name"] == "execute_tool"
    assert execution.attributes["gen_ai.tool.type"] == "function"
    assert execution.attributes["gen_ai.tool.name"] == "fill"
    assert execution.attributes["gen_ai.tool.call.id"] == made.attributes["gen_ai.tool.call.id"]
    assert (made.attributes["greenroom.outcome"], made.attributes["greenroom.call.confidence"]) == ("done", 0.95)


async def test_steps_lie_within_what_they_are_a_part_of() -> None:
    traced = Traced(turn(TITLE, SUBTITLE), turn(text="Done."))
    await traced.run()
    spans = {span.span_id: span for span in traced.runs[0]}
    assert len(spans) == len(traced.runs[0])
    for span in spans.values():
        assert len(span.trace_id) == 32
        assert len(span.span_id) == 16
        assert span.started_at <= span.ended_at
        if span.parent_id is not None:
            parent = spans[span.parent_id]
            assert parent.started_at <= span.started_at
            assert span.ended_at <= parent.ended_at


async def test_no_text_is_in_a_trace_by_default() -> None:
    traced = Traced(turn(TITLE), turn(text="A private answer."))
    traced.bench.lamp.look = lambda: "a private result"  # type: ignore[method-assign]
    await traced.run("a private request")
    told = json.dumps([dict(span.attributes) for span in traced.runs[0]]) + str([s.name for s in traced.runs[0]])
    for secret in ("private", "sk-", "more", "Title"):
        assert secret not in told


async def test_texts_are_in_a_trace_when_asked_for_but_no_secrets() -> None:
    traced = Traced(turn(TITLE), turn(text="The key is sk-zyxwvuts87654321."), payloads=True)
    trace = await traced.run("use sk-abcdefgh12345678")
    told = json.dumps([dict(span.attributes) for span in traced.runs[0]])
    assert "sk-" not in told
    execution = next(step for step in trace.steps if step.step == "execution")
    assert execution.attributes["gen_ai.tool.call.arguments"] == '{"value": "[hidden] and more"}'
    assert execution.attributes["gen_ai.tool.call.result"] == "Value is [hidden] and more."
    assert json.loads(str(trace.steps[0].attributes["gen_ai.input.messages"])) == [
        {"role": "user", "parts": [{"type": "text", "content": "use [hidden]"}]}
    ]
    assert "The key is [hidden]" in str(trace.steps[-1].attributes["gen_ai.output.messages"])


async def test_the_value_of_a_secret_field_is_hidden_whatever_it_looks_like() -> None:
    traced = Traced(turn(call("fill", target="Password", value="hunter two")), turn(text="Done."), payloads=True)
    field = FieldBase()
    handle = traced.bench.registry.register_instance(field, label="Password")
    await traced.run("log in")
    assert field.filled == ["hunter two"]
    assert "hunter" not in json.dumps([dict(span.attributes) for span in traced.runs[0]])
    handle.dispose()


async def test_a_spoken_utterance_begins_with_its_transcription() -> None:
    traced = Traced(turn(text="Hello."))
    started = datetime.now(UTC) - timedelta(seconds=2)
    traced.tracer.heard("spoken", started, started + timedelta(seconds=1))
    readings = (Hypothesis("hello", -0.25), Hypothesis("yellow", -0.75))
    await traced.bench.engine.say(Utterance("spoken", "hello", readings, "voice"))
    await traced.bench.ended()
    trace = traced.trace()
    assert [step.step for step in trace.steps] == ["utterance", "transcription", "turn"]
    heard = trace.steps[1]
    assert (heard.offset_ms, heard.duration_ms) == (0.0, 1000.0)
    assert (heard.attributes["greenroom.transcription.hypotheses"], trace.duration_ms >= 2000) == (2, True)


async def test_a_turn_of_the_commands_is_not_called_a_models() -> None:
    traced = Traced(turn(text="Done.", backend="commands"), model="a-model")
    trace = await traced.run()
    assert (trace.steps[1].name, "gen_ai.operation.name" in trace.steps[1].attributes) == ("commands", False)


async def test_rejections_failures_and_what_was_let_through_are_told() -> None:
    traced = Traced(turn(call("look"), call("explode"), TITLE), turn(text="It failed."))
    trace = await traced.run()
    calls = {str(step.attributes["gen_ai.tool.name"]): step for step in trace.steps if step.step == "call"}
    assert {name: step.attributes["greenroom.outcome"] for name, step in calls.items()} == {
        "look": "done",
        "explode": "failed",
        "fill": "rejected",
    }
    assert calls["look"].attributes["greenroom.approval.by"] == "policy"
    assert (calls["explode"].ok, calls["explode"].attributes["error.type"]) == (False, "tool_error")
    executed = [step.name for step in trace.steps if step.step == "execution"]
    assert executed == ["execute_tool look", "execute_tool explode"]


async def test_a_call_that_is_asked_again_has_two_approvals() -> None:
    traced = Traced(turn(TITLE), turn(text="Done."))
    await traced.bench.say("go")
    (proposal,) = await traced.bench.waiting()
    traced.bench.title.value = "typed meanwhile"
    traced.bench.title_handle.touch()
    traced.bench.decide(proposal)
    await traced.bench.until(lambda: any(p.id != proposal.id for p in traced.bench.open()))
    traced.bench.decide(traced.bench.open()[0])
    await traced.bench.ended()
    steps = [step.step for step in traced.trace().steps]
    assert steps == ["utterance", "turn", "call", "approval", "approval", "execution", "turn"]


async def test_a_failed_turn_and_a_cancelled_run_end_all_their_steps() -> None:
    traced = Traced(BackendError("no", kind="auth"), turn(TITLE))
    trace = await traced.run()
    assert shape(trace) == [(0, "utterance", "invoke_agent Greenroom", False), (1, "turn", "chat", False)]
    assert trace.steps[1].attributes["error.type"] == "auth"
    traced.also = lambda _: None
    await traced.bench.say("go")
    await traced.bench.waiting()
    await traced.bench.engine.cancel()
    trace = traced.trace()
    assert (trace.outcome, trace.ok) == ("cancelled", True)
    assert [step.step for step in trace.steps] == ["utterance", "turn", "call", "approval"]


async def test_a_call_that_cannot_be_made_is_a_refused_call() -> None:
    traced = Traced(turn(ToolCall("", "nothing_like_it", "{}")), turn(text="Well."))
    trace = await traced.run()
    (made,) = (step for step in trace.steps if step.step == "call")
    assert (made.ok, made.attributes["greenroom.outcome"]) == (False, "refused")


async def test_a_tracer_that_breaks_does_not_break_the_run(caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: Sequence[Span]) -> None:
        raise OSError("the disk is full")

    traced = Traced(turn(text="Hello."))
    traced.tracer = Tracer(broken)
    await traced.bench.say("go")
    assert isinstance(await traced.bench.ended(), RunFinished)
    assert "a trace was lost" in caplog.text


async def test_traces_are_kept_and_read_back(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path / 'traces.db'}").database
    pipeline = SpanPipeline(Traces(database))
    traced = Traced(turn(TITLE), turn(text="Done."), turn(text="Hello."))
    traced.tracer = Tracer(pipeline.submit)
    await traced.bench.say("first")
    (proposal,) = await traced.bench.waiting()
    traced.bench.decide(proposal)
    await traced.bench.ended()
    await traced.bench.say("second")
    await traced.bench.ended()
    pipeline.close(timeout_s=60)
    newest, *older = recent_traces(Traces(database))
    assert [step.step for step in newest.steps] == ["utterance", "turn"]
    assert [trace.steps[0].step for trace in older] == ["utterance"]
    database.close()
