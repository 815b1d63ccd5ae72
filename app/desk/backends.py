"""Makes the backend that the settings, the environment and the command line ask for."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pydantic import SecretStr

from app.agent.backends.base import Backend, Part, TurnRequest
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.routed import RoutedBackend
from app.agent.messages import UserMessage, Utterance
from app.agent.snapshot import Snapshot
from app.settings import AssistantSettings
from app.store.location import data_folder

if TYPE_CHECKING:
    from app.agent.commands import AmendingBackend, Corrections

DEFAULT_MODEL = "gpt-4.1-mini"
"""What is asked for on OpenAI's server where the person names no model: quick, and reliable with tools."""

_WARM_UP = "set the duration to forty five, go to speakers, and set the starts on to the third of may"
"""Touches number words, dates and a chain, so that what they need is loaded."""


class DeferredBackend:
    """Makes a backend when it is first asked, in a thread: grammar and client library take most of a second to load.

    Args:
        make: Makes it.
    """

    name = "routed"

    def __init__(self, make: Callable[[], Backend]) -> None:
        self._make = make
        self._made: Backend | None = None

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Yields the parts of the backend's answer."""
        if self._made is None:
            self._made = await asyncio.to_thread(self._make)
        async with aclosing(self._made.stream(request)) as parts:
            async for part in parts:
                yield part


class Backends:
    """Makes backends that share one command grammar. What they load is loaded at first use, in whatever thread asks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._commands: AmendingBackend | None = None
        self._corrections: Corrections | None = None

    def deferred(self, assistant: AssistantSettings, key: SecretStr | None, timeout_s: float | None) -> DeferredBackend:
        """The backend of these settings, made when it is first asked."""
        return DeferredBackend(partial(self.make, assistant, key, timeout_s))

    def make(self, assistant: AssistantSettings, key: SecretStr | None, timeout_s: float | None) -> Backend:
        """The backend of these settings.

        A server counts as configured where there is a key for it, or an address of its own: servers on one's own
        machine want no key.
        """
        if assistant.backend == "commands":
            return self.commands()
        model = partial(_model, assistant, key, timeout_s)
        if assistant.backend == "openai":
            return model()
        return RoutedBackend(self.commands(), model if key is not None or assistant.base_url else None)

    def commands(self) -> AmendingBackend:
        """The command grammar, with what a person has put right."""
        # Imported late, here and below: the window paints before the grammar and the client library are needed.
        from app.agent.commands import AmendingBackend, CommandBackend

        corrections = self.corrections()
        with self._lock:
            if self._commands is None:
                self._commands = AmendingBackend(CommandBackend(), corrections)
            return self._commands

    def corrections(self) -> Corrections:
        """What a person has put right. For a thread that may wait: the grammar may be loaded with it."""
        from app.agent.commands import Corrections
        from app.desk.remembered_words import correction_store

        with self._lock:
            if self._corrections is None:
                self._corrections = Corrections(correction_store())
            return self._corrections

    def prepare(self, snapshot: Snapshot, language: str) -> None:
        """Makes ready for commands on a screen. For a thread that may wait some tenths of a second."""
        self.commands().prepare(snapshot, language)

    def warm_up(self, snapshot: Snapshot) -> None:
        """Loads what the first command will need, so that it is as quick as the next. For a thread that may wait."""
        utterance = UserMessage(Utterance("warm-up", _WARM_UP))
        self.commands().answer(TurnRequest((utterance,), snapshot))


def _model(assistant: AssistantSettings, key: SecretStr | None, timeout_s: float | None) -> Backend:
    from app.agent.backends.openai_backend import OpenAIBackend
    from app.agent.backends.wire.profile_file import FileProfiles

    settings = ModelSettings(assistant.model or DEFAULT_MODEL, assistant.base_url or None, key)
    profiles = FileProfiles(data_folder() / "servers.json")
    return OpenAIBackend(settings if timeout_s is None else replace(settings, timeout_s=timeout_s), profiles)
