"""Makes the backend that the settings, the environment and the command line ask for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace

from pydantic import SecretStr

from app.agent.backends.base import Backend, Part, TurnRequest
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.routed import RoutedBackend
from app.settings import AssistantSettings
from app.store.location import data_folder

DEFAULT_MODEL = "gpt-4.1-mini"
"""What is asked for on OpenAI's server where the person names no model: quick, and reliable with tools."""


class DeferredBackend:
    """Makes a backend when it is first asked, in a thread: grammar and client library take most of a second to load.

    Args:
        make: Makes it.
    """

    name = "routed"

    def __init__(self, make: Callable[[], Backend]) -> None:
        self._make = make
        self._made: Backend | None = None

    async def load(self) -> Backend:
        """The backend, made if it was not yet."""
        if self._made is None:
            self._made = await asyncio.to_thread(self._make)
        return self._made

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Yields the parts of the backend's answer."""
        backend = await self.load()
        async with aclosing(backend.stream(request)) as parts:
            async for part in parts:
                yield part


def make_backend(assistant: AssistantSettings, key: SecretStr | None, *, timeout_s: float | None = None) -> Backend:
    """The backend of these settings.

    A server counts as configured where there is a key for it, or an address of its own: servers on one's own machine
    want no key.
    """
    # Imported late, here and below: the window paints before the grammar and the client library are needed.
    from app.agent.commands import CommandBackend

    commands = CommandBackend()
    if assistant.backend == "commands":
        return commands

    def model() -> Backend:
        from app.agent.backends.openai_backend import OpenAIBackend
        from app.agent.backends.wire.profile_file import FileProfiles

        settings = ModelSettings(assistant.model or DEFAULT_MODEL, assistant.base_url or None, key)
        profiles = FileProfiles(data_folder() / "servers.json")
        return OpenAIBackend(settings if timeout_s is None else replace(settings, timeout_s=timeout_s), profiles)

    if assistant.backend == "openai":
        return model()
    return RoutedBackend(commands, model if key is not None or assistant.base_url else None)
