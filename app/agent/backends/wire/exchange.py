"""One request and its answer, streamed or not, as parts of a turn."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing
from typing import Any

from app.agent.backends.base import ReasoningPart, TextPart, TurnEnd
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.wire.assembler import AnswerError, Assembler
from app.agent.backends.wire.faults import WireError, status_fault
from app.agent.backends.wire.sse import DONE, EventDecoder, parse_payload
from app.agent.backends.wire.transport import Transport

_AFTER_FINISH_S = 2.0
"""How long the rest of a stream is waited for once the server has said that the turn is over."""

_DRAIN_S = 0.05
"""How long the end of the body is waited for after `[DONE]`, so that the connection can be used again."""


async def exchange(
    transport: Transport, body: Mapping[str, Any], assembler: Assembler, settings: ModelSettings
) -> AsyncGenerator[TextPart | ReasoningPart | TurnEnd]:
    """Sends a request and yields the parts of its answer, the last of them a `TurnEnd`.

    Raises:
        WireError: The answer did not come, broke off before its end, is empty, is no answer, or holds an error.
    """
    closed = False
    async with transport.post(body) as pieces, aclosing(_payloads(pieces, settings)) as payloads:
        while not closed and (payload := await _next(payloads, assembler)) is not None:
            closed = payload == DONE
            for part in () if closed else _fed(assembler, payload, settings):
                yield part
        if closed:
            await _drain(payloads)
    for part in assembler.flush():
        yield part
    if not (closed or assembler.finished):
        raise WireError(f"The answer of {settings.host} broke off.", kind="unreachable", passing=True)
    if assembler.empty:
        raise WireError(f"The model at {settings.host} gave an empty answer.", kind="bad_answer", passing=True)
    yield assembler.end(closed=closed)


async def _next(payloads: AsyncIterator[str], assembler: Assembler) -> str | None:
    """The next payload, or None at the end. What goes wrong after the turn is over no longer counts."""
    if not assembler.finished:
        return await anext(payloads, None)
    try:
        async with asyncio.timeout(_AFTER_FINISH_S):
            return await anext(payloads, None)
    except (TimeoutError, WireError):
        return None


async def _drain(payloads: AsyncIterator[str]) -> None:
    try:
        async with asyncio.timeout(_DRAIN_S):
            async for _ in payloads:
                pass
    except (TimeoutError, WireError):
        return


async def _payloads(pieces: AsyncIterator[bytes], settings: ModelSettings) -> AsyncGenerator[str]:
    """The payloads of a stream, or a whole JSON document followed by `[DONE]`, for it is closed by its last brace.

    Servers give either one under any content type, so the first character decides.
    """
    events, first = EventDecoder(), b""
    async for piece in pieces:
        if not first.strip():
            first += piece
            if first.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
                break
            if first.lstrip()[:1] == b"<":
                hint = "Check the base URL: it usually ends in /v1."
                raise WireError(f"{settings.host} answered with a web page.", kind="bad_answer", hint=hint)
        for payload in events.feed(piece):
            yield payload
    else:
        for payload in events.end():
            yield payload
        return
    document = first + b"".join([piece async for piece in pieces])
    yield document.decode("utf-8-sig", "replace")
    yield DONE


def _fed(assembler: Assembler, payload: str, settings: ModelSettings) -> Iterator[TextPart | ReasoningPart]:
    chunk = parse_payload(payload)
    if chunk is None and payload.strip() not in ("", "null"):
        raise WireError(f"{settings.host} sent something that can't be read.", kind="bad_answer", passing=True)
    try:
        yield from assembler.feed(chunk)
    except AnswerError as error:
        raise status_fault(error.status, error.body, settings) from None
