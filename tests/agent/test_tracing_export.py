"""Sending traces: to a real server on this machine that decodes them, and to servers that fail in every way."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import pytest
from loop_kit import Bench, call, scripted, turn
from otlp_collector import Collector, values

from app.agent.backends.base import Usage
from app.agent.tracing.otlp import OtlpExporter, OtlpTarget, target_from
from app.agent.tracing.pipeline import SpanPipeline
from app.agent.tracing.spans import Span
from app.agent.tracing.tracer import Tracer


async def traced_run(pipeline: SpanPipeline) -> Bench:
    """One run with a call, whose trace goes into the pipeline."""
    steps = turn(call("look"), usage=Usage(10, 2)), turn(text="Done.")
    bench = Bench(scripted(*steps), on_event=Tracer(pipeline.submit, model="a-model").take)
    await bench.say("look")
    await bench.ended()
    return bench


def exporter(endpoint: str, timeout_s: float = 5.0) -> OtlpExporter:
    return OtlpExporter(OtlpTarget(endpoint, {"Authorization": "Basic c2VjcmV0"}, timeout_s))


async def test_a_run_arrives_at_a_collector_with_its_tree_times_and_names() -> None:
    with Collector() as collector:
        pipeline = SpanPipeline(None, exporter(collector.endpoint + "/api/public/otel"))
        await traced_run(pipeline)
        pipeline.close(timeout_s=60)
        ((path, headers, request),) = collector.requests
        assert path == "/api/public/otel/v1/traces"
        assert headers["authorization"] == "Basic c2VjcmV0"
        assert headers["content-type"] == "application/x-protobuf"
        (resource,) = request.resource_spans
        assert values(resource.resource.attributes)["service.name"] == "greenroom"
        spans = {span.name: span for span in collector.spans()}
    assert set(spans) == {"invoke_agent Greenroom", "chat a-model", "call look", "execute_tool look"}
    root, chat, execution = spans["invoke_agent Greenroom"], spans["chat a-model"], spans["execute_tool look"]
    assert root.parent_span_id == b""
    assert chat.parent_span_id == root.span_id
    assert execution.parent_span_id == spans["call look"].span_id
    assert len({span.trace_id for span in spans.values()}) == 1
    assert (chat.kind, root.kind) == (3, 1)  # SPAN_KIND_CLIENT, SPAN_KIND_INTERNAL
    assert abs(root.start_time_unix_nano / 1e9 - time.time()) < 60
    assert root.start_time_unix_nano <= execution.start_time_unix_nano <= execution.end_time_unix_nano
    assert values(execution.attributes)["gen_ai.tool.name"] == "look"
    assert values(root.attributes)["gen_ai.operation.name"] == "invoke_agent"


async def test_the_ids_sent_are_the_ids_kept() -> None:
    kept: list[Span] = []

    class Store:
        def add(self, spans: Sequence[Span]) -> None:
            kept.extend(spans)

    with Collector() as collector:
        pipeline = SpanPipeline(Store(), exporter(collector.endpoint))  # type: ignore[arg-type]
        await traced_run(pipeline)
        pipeline.close(timeout_s=60)
        sent = {(span.trace_id.hex(), span.span_id.hex()) for span in collector.spans()}
    assert sent == {(span.trace_id, span.span_id) for span in kept}


@pytest.mark.parametrize("status", [400, 401, 404, 500])
async def test_a_server_that_refuses_is_told_of_once_without_its_headers(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    with Collector(status) as collector:
        pipeline = SpanPipeline(None, exporter(collector.endpoint, timeout_s=20))
        await traced_run(pipeline)
        await traced_run(pipeline)
        pipeline.close(timeout_s=60)
    ours = [record for record in caplog.records if record.name.startswith("app.")]
    assert [record.getMessage() for record in ours] == ["traces can't be sent: the server did not take them."]
    assert "c2VjcmV0" not in caplog.text


async def test_a_server_that_is_not_there_costs_a_run_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with Collector() as collector:
        endpoint = collector.endpoint
    pipeline = SpanPipeline(None, exporter(endpoint, timeout_s=0.5))
    bench = await traced_run(pipeline)
    assert bench.lamp.runs == 1
    pipeline.close(timeout_s=60)
    assert "can't be sent" in caplog.text


async def test_closing_does_not_wait_for_a_server_that_never_answers() -> None:
    with Collector(silent=True) as collector:
        pipeline = SpanPipeline(None, exporter(collector.endpoint, timeout_s=60))
        await traced_run(pipeline)
        assert collector.reached.wait(60)
        began = time.monotonic()
        pipeline.close(timeout_s=0.3)
        assert time.monotonic() - began < 30


def test_closing_sends_what_is_queued() -> None:
    sent: list[Sequence[Span]] = []
    started, go = threading.Event(), threading.Event()

    class Slow:
        def export(self, spans: Sequence[Span]) -> None:
            started.set()
            go.wait(60)
            sent.append(spans)

        def close(self) -> None:
            pass

    pipeline = SpanPipeline(None, Slow())
    for _ in range(5):
        pipeline.submit(())
    assert started.wait(60)
    go.set()
    pipeline.close(timeout_s=60)
    assert len(sent) == 5
    pipeline.submit(())
    pipeline.close()
    assert len(sent) == 5


def test_more_than_can_be_sent_is_dropped_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    go = threading.Event()

    class Stuck:
        def export(self, _spans: Sequence[Span], /) -> None:
            go.wait(60)

        def close(self) -> None:
            go.set()

    pipeline = SpanPipeline(None, Stuck())
    for _ in range(300):
        pipeline.submit(())
    go.set()
    pipeline.close(timeout_s=60)
    assert caplog.text.count("a trace was dropped") == 1


def test_a_store_that_fails_is_said_once_and_export_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    class Full:
        def add(self, _spans: object, /) -> None:
            raise OSError("the disk is full")

    sent: list[Sequence[Span]] = []

    class Good:
        def export(self, spans: Sequence[Span]) -> None:
            sent.append(spans)

        def close(self) -> None:
            pass

    pipeline = SpanPipeline(Full(), Good())
    pipeline.submit(())
    pipeline.submit(())
    pipeline.close(timeout_s=60)
    assert (len(sent), caplog.text.count("the disk is full")) == (2, 1)


@pytest.mark.parametrize(
    ("environment", "url", "headers"),
    [
        ({}, None, {}),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4318"}, "http://a:4318/v1/traces", {}),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a:4318/"}, "http://a:4318/v1/traces", {}),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://a/v1/traces"}, "http://a/v1/traces", {}),
        (
            {
                "OTEL_EXPORTER_OTLP_ENDPOINT": "https://langfuse.example/api/public/otel",
                "OTEL_EXPORTER_OTLP_HEADERS": "Authorization=Basic%20YTpi,x-langfuse-ingestion-version=4",
            },
            "https://langfuse.example/api/public/otel/v1/traces",
            {"Authorization": "Basic YTpi", "x-langfuse-ingestion-version": "4"},
        ),
    ],
)
def test_the_target_is_read_from_opentelemetrys_own_variables(
    environment: dict[str, str], url: str | None, headers: dict[str, str]
) -> None:
    target = target_from(environment)
    assert (target.url if target else None) == url
    assert (dict(target.headers) if target else {}) == headers
    assert "YTpi" not in repr(target)
