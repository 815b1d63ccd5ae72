"""The connection to the server, through the `openai` package: a request goes out, bytes come in.

The package has its own retries and its own reading of streams. Neither is used: a retry must know what was shown
already, and `sse.py` says what the package makes of streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.wire.faults import WireError, connection_fault, status_fault

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_CONNECT_S = 10.0
_LONGEST_ANSWER_BYTES = 32_000_000
_NO_KEY = "none"
"""In place of a missing key, which the package would take from the environment. It is never sent."""


class Transport:
    """Posts requests to one server. Its client is made when it is first needed, and kept for that event loop."""

    def __init__(self, settings: ModelSettings) -> None:
        self._settings = settings
        self._client: AsyncOpenAI | None = None
        self._kept: AsyncGenerator[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @asynccontextmanager
    async def post(self, body: Mapping[str, Any]) -> AsyncGenerator[AsyncIterator[bytes]]:
        """Sends a request and gives the bytes of the answer. Leaving the context gives up what was not read.

        Raises:
            WireError: No connection, an error status, a stall, or a broken connection, here or while reading.
        """
        client = await self._open()
        import httpx2
        import openai

        headers = {} if self._settings.api_key else {"Authorization": openai.Omit()}
        options: Any = {"headers": headers, "security": {"bearer_auth": True}}
        try:
            # `post` instead of `chat.completions.create`, which walks through every message and schema to rename keys
            # that need no renaming: a third of the time of a turn.
            stream = await client.post(
                "/chat/completions",
                body=body,
                cast_to=object,
                options=options,
                stream=True,
                stream_cls=openai.AsyncStream[object],
            )
            async with stream, aclosing(_read(stream.response.aiter_bytes(), self._settings)) as pieces:
                yield pieces
        except openai.APIStatusError as error:
            answer = error.response
            wait_s = _retry_after_s(answer.headers.get("retry-after-ms"), answer.headers.get("retry-after"))
            raise status_fault(answer.status_code, answer.text, self._settings, retry_after_s=wait_s) from None
        except (openai.APIConnectionError, httpx2.TransportError, httpx2.DecodingError) as error:
            raise connection_fault(error, self._settings) from None
        except (httpx2.InvalidURL, UnicodeError):
            raise _bad_address() from None

    async def aclose(self) -> None:
        """Closes the connections now, not only with the event loop."""
        kept, self._kept, self._client = self._kept, None, None
        if kept is not None:
            await kept.aclose()

    async def _open(self) -> AsyncOpenAI:
        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            # In a thread: the import takes most of a second and the certificates a tenth, and a cancellation has to
            # be heard meanwhile.
            client = await asyncio.to_thread(_make_client, self._settings)
            if self._client is None or self._loop is not loop:
                self._client, self._loop, self._kept = client, loop, _until_closed(client)
                await anext(self._kept)
        return self._client


async def _until_closed(client: AsyncOpenAI) -> AsyncGenerator[None]:
    """Closes the client when it is closed itself, or dropped, or when its event loop shuts its generators down: a
    backend is kept and replaced by settings that know nothing of connections."""
    try:
        yield
    finally:
        await client.close()


def _make_client(settings: ModelSettings) -> AsyncOpenAI:
    import httpx2
    from openai import AsyncOpenAI

    key = settings.api_key.get_secret_value() if settings.api_key else ""
    if not settings.server.startswith(("http://", "https://")):
        raise _bad_address()
    try:
        return AsyncOpenAI(
            api_key=key or _NO_KEY,
            base_url=settings.server,
            timeout=httpx2.Timeout(settings.timeout_s, connect=min(_CONNECT_S, settings.timeout_s)),
            max_retries=0,
        )
    except httpx2.InvalidURL:
        raise _bad_address() from None


def _bad_address() -> WireError:
    hint = "A base URL looks like https://example.org/v1."
    return WireError("The address of the server can't be used.", kind="unreachable", hint=hint)


async def _read(pieces: AsyncIterator[bytes], settings: ModelSettings) -> AsyncGenerator[bytes]:
    import httpx2

    size = 0
    try:
        async for piece in pieces:
            size += len(piece)
            if size > _LONGEST_ANSWER_BYTES:
                raise WireError(f"The answer of {settings.host} does not end.", kind="bad_answer")
            yield piece
    except (httpx2.TransportError, httpx2.DecodingError) as error:
        raise connection_fault(error, settings) from None


def _retry_after_s(milliseconds: str | None, seconds_or_date: str | None) -> float | None:
    """Seconds to wait: from `retry-after-ms`, or from `Retry-After` in its two forms (RFC 9110, section 10.2.3)."""
    for text, unit in ((milliseconds, 0.001), (seconds_or_date, 1.0)):
        try:
            return max(0.0, float(text or "") * unit)
        except ValueError:
            continue
    try:
        at = parsedate_to_datetime(seconds_or_date or "")
    except ValueError:
        return None
    return max(0.0, (at - datetime.now(UTC)).total_seconds()) if at.tzinfo else None
