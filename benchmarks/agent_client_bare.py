"""No client at all: the two requests of a run as ready-made bytes. What it takes is the time of the server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from urllib.parse import urlsplit

from agent_clients import MODEL, PROMPT, Approve, Result

_FIRST = [{"role": "user", "content": PROMPT}]
_SECOND = [*_FIRST, {"role": "tool", "tool_call_id": "call_0", "content": "done"}]
_END = b"0\r\n\r\n"


class Bare:
    """Implements `Client` as far as turns are timed."""

    def __init__(self, _folder: Path) -> None:
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def run(self, base_url: str, *, stored: bool) -> Result:  # noqa: ARG002 - there is nothing to store
        """Sends both requests, and reads each answer to its end."""
        url = urlsplit(base_url)
        if self._streams is None:
            self._streams = await asyncio.open_connection(url.hostname, url.port)
        reader, writer = self._streams
        for messages in (_FIRST, _SECOND):
            body = json.dumps({"model": MODEL, "messages": messages, "stream": True}).encode()
            head = f"POST {url.path}/chat/completions HTTP/1.1\r\nHost: {url.netloc}\r\nContent-Length: {len(body)}"
            writer.write(head.encode() + b"\r\n\r\n" + body)
            await reader.readuntil(_END)
        return Result(text="Done.")

    async def interrupt(self, base_url: str, state: Path) -> None:
        """It has nothing to approve."""
        raise NotImplementedError

    async def load(self, base_url: str, state: Path) -> Approve:
        """It saves nothing."""
        raise NotImplementedError
