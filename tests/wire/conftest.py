"""A scripted model server, and a short way to ask a turn of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from pydantic import SecretStr
from sse_server import SseServer
from wire_helpers import KEY, QUICK, Ask, turn_request

from app.agent.backends.base import Part, TurnEnd, TurnRequest
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.openai_backend import OpenAIBackend


@pytest.fixture
def server() -> Iterator[SseServer]:
    """A model server without a script yet."""
    with SseServer() as running:
        yield running


@pytest.fixture
async def backend(server: SseServer) -> AsyncIterator[OpenAIBackend]:
    """A backend that asks `server` and waits hardly at all between attempts."""
    settings = ModelSettings("test-model", server.base_url, SecretStr(KEY), timeout_s=60.0)
    made = OpenAIBackend(settings, retry=QUICK)
    yield made
    await made.aclose()


@pytest.fixture
def ask(backend: OpenAIBackend) -> Ask:
    """Asks one turn and gives its end, having checked that it came last and once."""

    async def asked(request: TurnRequest | None = None) -> TurnEnd:
        parts: list[Part] = [part async for part in backend.stream(request or turn_request())]
        assert [isinstance(part, TurnEnd) for part in parts] == [False] * (len(parts) - 1) + [True]
        end = parts[-1]
        assert isinstance(end, TurnEnd)
        return end

    return asked
