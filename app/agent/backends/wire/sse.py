"""Server-sent events out of bytes, as they arrive.

The `openai` package has a decoder of its own. It raises on an `error` object before the status in it can be read,
fails on a line that is not UTF-8, turns each chunk into a model, which loses what does not fit the model (arguments
given as an object), and parses two `data:` lines without an empty line between them as one. So only its connection is
used, and the bytes are decoded here. Source: "Server-sent events" in the HTML standard, section 9.2.6.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

DONE = "[DONE]"
"""The payload that closes a stream."""


class EventDecoder:
    """Cuts a stream of bytes into the payloads of its events. Comments and fields other than `data` are ignored."""

    def __init__(self) -> None:
        self._line = bytearray()
        self._after_cr = False
        self._data: list[str] = []

    def feed(self, received: bytes) -> Iterator[str]:
        """Takes bytes, cut anywhere, and yields the payload of each event that they complete."""
        if not received:
            return
        ends_in_cr = received.endswith(b"\r")
        if self._after_cr:
            received = received.removeprefix(b"\n")
        self._after_cr = ends_in_cr
        lines = received.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for index, piece in enumerate(lines):
            self._line += piece
            if index < len(lines) - 1:
                line = self._line.decode("utf-8", "replace")
                self._line.clear()
                yield from self._take(line)

    def end(self) -> Iterator[str]:
        """Yields the event that the stream ended in, without the empty line that should have closed it."""
        yield from self.feed(b"\n\n")

    def _take(self, line: str) -> Iterator[str]:
        if not line:
            yield from self._payloads()
            return
        name, _, value = line.lstrip("\ufeff").partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))

    def _payloads(self) -> Iterator[str]:
        lines, self._data = self._data, []
        if not lines:
            return
        joined = "\n".join(lines)
        # By the standard, lines without an empty one between them are one event. Some servers leave it out.
        separate = len(lines) > 1 and not _is_json(joined) and all(_is_json(x) or x.strip() == DONE for x in lines)
        yield from lines if separate else [joined]


def parse_payload(payload: str) -> Any:
    """The JSON value of a payload, or None where it is not JSON."""
    try:
        return json.loads(payload)
    except (ValueError, RecursionError):
        return None


def _is_json(text: str) -> bool:
    return parse_payload(text) is not None
