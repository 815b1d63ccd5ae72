"""Sends spans by OTLP over HTTP, as collectors and Langfuse take them. Needs the extra `trace`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from app.agent.frozen import thaw
from app.agent.tracing.spans import Span

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

_TRACES_PATH = "/v1/traces"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class OtlpTarget:
    """Where to send traces.

    Attributes:
        endpoint: Base address of the collector, such as `http://127.0.0.1:4318`; `/v1/traces` is added.
        headers: Sent with each request, such as `Authorization`. Never logged.
        timeout_s: For one request, with all that is tried again.
    """

    endpoint: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout_s: float = 5.0

    @property
    def url(self) -> str:
        """The full address."""
        return self.endpoint.rstrip("/").removesuffix(_TRACES_PATH) + _TRACES_PATH


def target_from(environment: Mapping[str, str], endpoint: str = "") -> OtlpTarget | None:
    """Where to send traces, or None: nowhere.

    Args:
        environment: OpenTelemetry's own variables (`OTEL_EXPORTER_OTLP_ENDPOINT`, `..._HEADERS`) stand above the rest.
        endpoint: The address, where they name none. Their headers are sent there, too.
    """
    named = environment.get("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") or environment.get("OTEL_EXPORTER_OTLP_ENDPOINT")
    endpoint = named or endpoint
    if not endpoint:
        return None
    headers = environment.get("OTEL_EXPORTER_OTLP_TRACES_HEADERS") or environment.get("OTEL_EXPORTER_OTLP_HEADERS", "")
    pairs = (pair.partition("=") for pair in headers.split(",") if "=" in pair)
    return OtlpTarget(endpoint, {name.strip(): unquote(value.strip()) for name, _, value in pairs})


class ExportError(Exception):
    """Traces could not be sent; the message says why, without address or headers."""


class OtlpExporter:
    """Implements `app.agent.tracing.pipeline.SpanExporter`. The SDK is imported when the first run is sent.

    Raises:
        ExportError: The extra is not installed.
    """

    def __init__(self, target: OtlpTarget) -> None:
        if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter") is None:
            raise ExportError("Sending traces needs one more package: install greenroom[trace].")
        self._target = target
        self._sdk: _Sdk | None = None
        self._closed = False

    def export(self, spans: Sequence[Span]) -> None:
        """Sends the spans of a run, and waits until the server has taken them.

        Raises:
            ExportError: It has not.
        """
        if self._closed:
            return
        if self._sdk is None:
            self._sdk = _Sdk(self._target)
        if not self._sdk.send(spans):
            raise ExportError("the server did not take them.")

    def close(self) -> None:
        """Gives up what is being sent, and sends nothing more."""
        self._closed = True
        if self._sdk is not None:
            self._sdk.close()


class _Sdk:
    """OpenTelemetry's SDK with ids and times that are given, not made."""

    def __init__(self, target: OtlpTarget) -> None:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
        from opentelemetry.sdk.trace.id_generator import IdGenerator
        from opentelemetry.sdk.trace.sampling import ALWAYS_ON

        ids = self._ids = _GivenIds()
        ended = self._ended = list["ReadableSpan"]()

        class Ids(IdGenerator):
            def generate_trace_id(self) -> int:
                return ids.trace_id

            def generate_span_id(self) -> int:
                return ids.span_id

        class Collect(SpanProcessor):
            def on_end(self, span: ReadableSpan) -> None:
                ended.append(span)

        resource = Resource({"service.name": "greenroom", "service.version": _version()})
        provider = TracerProvider(ALWAYS_ON, resource, shutdown_on_exit=False, id_generator=Ids())
        provider.add_span_processor(Collect())
        self._tracer = provider.get_tracer("greenroom", _version())
        self._exporter = OTLPSpanExporter(target.url, headers=dict(target.headers), timeout=target.timeout_s)

    def send(self, spans: Sequence[Span]) -> bool:
        from opentelemetry.sdk.trace.export import SpanExportResult

        self._ended.clear()
        for span in spans:
            self._make(span)
        return self._exporter.export(list(self._ended)) is SpanExportResult.SUCCESS

    def close(self) -> None:
        self._exporter.shutdown()  # type: ignore[no-untyped-call]

    def _make(self, span: Span) -> None:
        from opentelemetry import trace
        from opentelemetry.context import Context

        self._ids.trace_id, self._ids.span_id = int(span.trace_id, 16), int(span.span_id, 16)
        context = Context()
        if span.parent_id is not None:
            parent = trace.SpanContext(
                self._ids.trace_id, int(span.parent_id, 16), False, trace.TraceFlags(trace.TraceFlags.SAMPLED)
            )
            context = trace.set_span_in_context(trace.NonRecordingSpan(parent), context)
        kind = trace.SpanKind.CLIENT if span.kind == "client" else trace.SpanKind.INTERNAL
        attributes: dict[str, Any] = thaw(span.attributes)
        made = self._tracer.start_span(span.name, context, kind, attributes, start_time=_nanoseconds(span.started_at))
        if not span.ok:
            made.set_status(trace.StatusCode.ERROR)
        made.end(_nanoseconds(span.ended_at))


@dataclass
class _GivenIds:
    """The ids of the span that is made next."""

    trace_id: int = 0
    span_id: int = 0


def _nanoseconds(at: datetime) -> int:
    since = at - _EPOCH
    return ((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000


def _version() -> str:
    try:
        return version("greenroom")
    except PackageNotFoundError:
        return "unknown"
