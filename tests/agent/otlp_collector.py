"""A collector that takes traces by OTLP over HTTP, on a port of this machine, and decodes them."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue


class Collector:
    """A running server; a context manager. `requests` holds (path, headers by name in lower case, decoded body).

    Args:
        status: What it answers.
        silent: It takes requests and never answers any, until it is closed.
    """

    def __init__(self, status: int = 200, *, silent: bool = False) -> None:
        self.status = status
        self.requests: list[tuple[str, Mapping[str, str], ExportTraceServiceRequest]] = []
        self.reached = threading.Event()
        self._close = threading.Event()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                request = ExportTraceServiceRequest.FromString(body)
                collector.requests.append(
                    (self.path, {name.lower(): text for name, text in self.headers.items()}, request)
                )
                collector.reached.set()
                if silent:
                    collector._close.wait()
                    return
                self.send_response(collector.status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Says nothing on the terminal."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def spans(self) -> list[Any]:
        """All spans received, in order."""
        return [
            span
            for _, _, request in self.requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def __enter__(self) -> Collector:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def values(attributes: Any) -> dict[str, object]:
    """The attributes of a span or a resource as plain values."""
    return {each.key: value(each.value) for each in attributes}


def value(given: AnyValue) -> object:
    kind = given.WhichOneof("value")
    if kind == "array_value":
        return [value(each) for each in given.array_value.values]
    return getattr(given, str(kind))
