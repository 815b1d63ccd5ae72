"""Finds the tools whose schema makes a server refuse a whole request, by asking with fewer of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.agent.backends.wire.faults import WireError
from app.agent.backends.wire.learning import bad_tool, may_be_schema
from app.agent.backends.wire.profiles import fingerprint
from app.agent.backends.wire.transport import Transport

_PROBES = 40
"""Requests in all for one search: enough for four bad ones among 128."""


async def find_bad_tools(transport: Transport, body: Mapping[str, Any], fault: WireError) -> tuple[str, ...]:
    """The fingerprints of the tools to leave out, or nothing where the schemas are not why the server refused.

    A tool that the server names is believed. Otherwise the list is halved: a probe is the same request with fewer
    tools, given up as soon as the server begins to answer.

    Raises:
        WireError: The server failed in another way meanwhile.
    """
    named = bad_tool(fault, body)
    if named is not None:
        return (named,)
    if not may_be_schema(fault, body):
        return ()
    search = _Search(transport, body)
    if not await search.accepts(()):
        return ()
    return tuple(fingerprint(tool) for tool in await search.bad_among(body["tools"]))


class _Search:
    def __init__(self, transport: Transport, body: Mapping[str, Any]) -> None:
        self._transport = transport
        self._body = body
        self._left = _PROBES

    async def bad_among(self, tools: Sequence[Any]) -> list[Any]:
        """The bad ones of `tools`, which are known to hold at least one. Where probes run out, all count as bad."""
        if len(tools) == 1 or self._left <= 0:
            return list(tools)
        middle = len(tools) // 2
        first, second = tools[:middle], tools[middle:]
        found = [] if await self.accepts(first) else await self.bad_among(first)
        if not found or not await self.accepts(second):
            found += await self.bad_among(second)
        return found

    async def accepts(self, tools: Sequence[Any]) -> bool:
        self._left -= 1
        body = {key: value for key, value in self._body.items() if key != "tools"}
        if tools:
            body["tools"] = list(tools)
        try:
            async with self._transport.post(body):
                return True
        except WireError as fault:
            if fault.status in (400, 422, 500):
                return False
            raise
