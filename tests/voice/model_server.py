"""A model hub for tests: real HTTP over loopback that serves small files, and misbehaves as it is told."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeAlias

from app.voice.catalogue import KnownModel, ModelFile

WAIT_S = 60.0
"""Only a failing test waits that long."""


def contents(seed: int, size: int) -> bytes:
    """Bytes that differ everywhere, so that a part in the wrong place has another checksum."""
    blocks = (hashlib.sha256(f"{seed} {at}".encode()).digest() for at in range(size // 32 + 1))
    return b"".join(blocks)[:size]


FILES: Mapping[str, bytes] = {
    "config.json": b'{"a": 1}',
    "vocabulary.txt": contents(1, 2_000),
    "tokenizer.json": contents(2, 5_000),
    "model.bin": contents(3, 3_000_000),
}


def model_of(files: Mapping[str, bytes] = FILES, name: str = "small") -> KnownModel:
    """The catalogue's entry for such files."""
    entries = (ModelFile(file, len(data), hashlib.sha256(data).hexdigest()) for file, data in files.items())
    return KnownModel(name, f"maker/faster-{name}", "0123abc", tuple(entries))


@dataclass
class Answer:
    """One answer, built up by a test from what was asked.

    Attributes:
        body: What is sent after the headers; cut off there if `length` says more.
        hold: Sends nothing after the body until it is set, and then ends the connection.
    """

    status: int
    body: bytes
    headers: dict[str, str] = field(default_factory=dict)
    hold: threading.Event | None = None


Misbehaviour: TypeAlias = Callable[[bytes, int], Answer | None]
"""Whole file and first byte asked for -> the answer; None answers as a good server does."""


class ModelServer:
    """Serves files by their name, whatever the folders before it. `script` answers the requests for `model.bin`."""

    def __init__(self, files: Mapping[str, bytes] = FILES) -> None:
        self.files = dict(files)
        self.script: list[Misbehaviour] = []
        self.requests: list[tuple[str, str]] = []
        """Path and `Range` of every request, in order."""
        self.sending = threading.Event()
        """Set when an answer that holds has sent its body."""
        self.held = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                server.answer(self)

            def log_message(self, *_args: Any) -> None:
                """A test's output is not the place."""

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = False
        self._thread = threading.Thread(target=self._http.serve_forever, name="model server", args=(0.01,))

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def ranges(self) -> list[str]:
        """The `Range` of each request for `model.bin`; an empty text where there was none."""
        return [asked for path, asked in self.requests if path.endswith("model.bin")]

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.held.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(WAIT_S)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        asked = handler.headers.get("Range", "")
        self.requests.append((handler.path, asked))
        data = self.files.get(handler.path.rsplit("/", 1)[-1])
        start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked else 0
        answer = None
        if data is not None and handler.path.endswith("model.bin") and self.script:
            answer = self.script.pop(0)(data, start)
        _send(handler, answer or _good(data, start, asked), self)


def _good(data: bytes | None, start: int, asked: str) -> Answer:
    if data is None:
        return Answer(404, b"not here")
    if not asked:
        return Answer(200, data)
    if start >= len(data):
        return Answer(416, b"", {"Content-Range": f"bytes */{len(data)}"})
    return part(data, start)


def part(data: bytes, start: int) -> Answer:
    """The rest of a file as a range."""
    return Answer(206, data[start:], {"Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"})


def cut(size: int, hold: threading.Event | None = None) -> Misbehaviour:
    """Promises the rest of the file, sends `size` bytes of it, and breaks off (when `hold` is set)."""

    def answer(data: bytes, start: int) -> Answer:
        given = _good(data, start, f"bytes={start}-" if start else "")
        headers = {**given.headers, "Content-Length": str(len(given.body))}
        return Answer(given.status, given.body[:size], headers, hold)

    return answer


def _send(handler: BaseHTTPRequestHandler, answer: Answer, server: ModelServer) -> None:
    headers = {"Content-Length": str(len(answer.body)), **answer.headers}
    whole = headers["Content-Length"] == str(len(answer.body)) and answer.hold is None
    try:
        handler.send_response(answer.status)
        for name, value in headers.items():
            if value:
                handler.send_header(name, value)
        if not whole or not headers["Content-Length"]:
            handler.send_header("Connection", "close")
            handler.close_connection = True
        handler.end_headers()
        handler.wfile.write(answer.body)
        handler.wfile.flush()
        if answer.hold is not None:
            server.sending.set()
            answer.hold.wait(WAIT_S)
    except (BrokenPipeError, ConnectionResetError):
        handler.close_connection = True  # The client has heard enough.
