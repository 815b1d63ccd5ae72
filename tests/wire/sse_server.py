"""A model server for tests: real HTTP over loopback, with every byte of an answer written by hand.

Each request takes the next reply of the script. A reply is a status, headers and pieces; a piece is bytes (one chunk
of the chunked body, flushed) or one of `Stall`, `Cut` and `Wait`.
"""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeAlias, cast

_LONGEST_WAIT_S = 90.0


class Stall:
    """Sends nothing more, and keeps the connection until the client or the test gives up."""


class Cut:
    """Closes the connection in the middle of the body."""


@dataclass(frozen=True)
class Wait:
    """Goes on when the event is set."""

    event: threading.Event


Piece: TypeAlias = bytes | Stall | Cut | Wait


@dataclass(frozen=True)
class Reply:
    """One answer. A `Stall` as the first of the pieces comes before the status line, too."""

    pieces: Sequence[Piece] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "text/event-stream"})


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived. Header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages in it."""
        return cast("list[dict[str, Any]]", self.body["messages"])

    @property
    def tool_names(self) -> list[str]:
        """Names of the tools in it."""
        return [tool["function"]["name"] for tool in self.body.get("tools", ())]


Step: TypeAlias = Reply | Callable[[Recorded], Reply]


class SseServer:
    """A server on a free port of the loopback interface; a context manager.

    Attributes:
        requests: What has been asked, in order.
        got_request: Set when a request has arrived.
        client_gone: Set when a client has left before its answer was sent.
        connections: How many have been made.
    """

    def __init__(self, *script: Step) -> None:
        self._script = list(script)
        self._repeated: Step | None = None
        self._lock = threading.Lock()
        self.requests: list[Recorded] = []
        self.got_request = threading.Event()
        self.client_gone = threading.Event()
        self.connections = 0
        self.closing = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), name="sse-server")

    @property
    def base_url(self) -> str:
        """What a client is given."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self._server.server_address[1])

    def script(self, *steps: Step) -> None:
        """Adds replies."""
        with self._lock:
            self._script.extend(steps)

    def always(self, step: Step) -> None:
        """What is replied once the script is over; without it, status 599."""
        self._repeated = step

    def open_connections(self, expected: int = 0, within_s: float = 60.0) -> int:
        """How many connections are open, once it is as many as expected or the time is over."""
        end = time.monotonic() + within_s
        while (count := self._server.open_connections) != expected and time.monotonic() < end:
            self._server.changed.wait(0.05)
            self._server.changed.clear()
        return count

    def next_reply(self, request: Recorded) -> Reply:
        """Notes a request and takes its reply."""
        with self._lock:
            self.requests.append(request)
            self.got_request.set()
            step = self._script.pop(0) if self._script else self._repeated
        if step is None:
            return Reply([b'{"error": {"message": "the script of the test is over"}}'], 599, JSON_HEADERS)
        return step if isinstance(step, Reply) else step(request)

    def __enter__(self) -> SseServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.close_connections()
        self._server.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True

    def __init__(self, owner: SseServer) -> None:
        self.owner = owner
        self._sockets: set[socket.socket] = set()
        self.changed = threading.Event()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.owner.connections += 1
        request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sockets.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._sockets.discard(request)
        self.changed.set()
        super().shutdown_request(request)

    @property
    def open_connections(self) -> int:
        return len(self._sockets)

    def close_connections(self) -> None:
        for connection in list(self._sockets):
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:  # the client was quicker
                continue

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002
        """Clients that give up in the middle are what these tests are about: no traceback for them."""
        self.owner.client_gone.set()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        reply = self.server.owner.next_reply(Recorded(self.path, headers, body))
        pieces = list(reply.pieces)
        if pieces and isinstance(pieces[0], Stall):
            self._stall()
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in pieces:
            if isinstance(piece, Stall):
                self._stall()
                return
            if isinstance(piece, Cut):
                self.close_connection = True
                return
            if isinstance(piece, Wait):
                piece.event.wait(_LONGEST_WAIT_S)
            elif piece:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")

    def _stall(self) -> None:
        self.close_connection = True
        self.server.owner.closing.wait(_LONGEST_WAIT_S)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


JSON_HEADERS = {"Content-Type": "application/json"}


def event(value: object) -> bytes:
    """A server-sent event with a JSON value, or with a text as it is."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


DONE = event("[DONE]")


def chunk(delta: object = None, finish: object = None, **choice: object) -> bytes:
    """A chunk with one choice."""
    return event({"id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish, **choice}]})


def call_delta(
    name: str | None = None, arguments: object = None, *, id: str | None = None, index: int | None = None
) -> dict[str, Any]:
    """An entry of `tool_calls`; what is None is not in it."""
    function = {key: value for key, value in (("name", name), ("arguments", arguments)) if value is not None}
    entry = {key: value for key, value in (("index", index), ("id", id)) if value is not None}
    return {**entry, "type": "function", "function": function}


def calls_chunk(*entries: dict[str, Any], finish: object = None, **choice: object) -> bytes:
    """A chunk with entries of `tool_calls`."""
    return chunk({"tool_calls": list(entries)}, finish, **choice)


def streamed(*pieces: Piece, done: bool = True) -> Reply:
    """A stream, closed by `[DONE]` unless said otherwise."""
    return Reply([*pieces, *([DONE] if done else [])])


def text_reply(text: str) -> Reply:
    """A plain streamed answer."""
    return streamed(chunk({"role": "assistant", "content": text}), chunk({}, "stop"))


def call_reply(name: str, arguments: str, id: str = "call_0") -> Reply:
    """A plain streamed call."""
    return streamed(calls_chunk(call_delta(name, arguments, id=id, index=0)), chunk({}, "tool_calls"))


def whole(message: Mapping[str, object], finish: object = "stop", **more: object) -> Reply:
    """A whole answer instead of a stream."""
    document = {"id": "c", "choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}
    return Reply([json.dumps(document).encode()], headers=JSON_HEADERS)


def error_reply(status: int, message: str, headers: Mapping[str, str] | None = None, **more: object) -> Reply:
    """An error in OpenAI's form."""
    document = {"error": {"message": message, **more}}
    return Reply([json.dumps(document).encode()], status, {**JSON_HEADERS, **(headers or {})})
