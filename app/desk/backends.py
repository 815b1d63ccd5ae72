"""Makes the backend that the settings, the environment and the command line ask for."""

from __future__ import annotations

from dataclasses import replace

from pydantic import SecretStr

from app.agent.backends.base import Backend
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.routed import RoutedBackend
from app.agent.commands import CommandBackend
from app.settings import AssistantSettings
from app.store.location import data_folder

DEFAULT_MODEL = "gpt-4.1-mini"
"""What is asked for on OpenAI's server where the person names no model: quick, and reliable with tools."""


def make_backend(assistant: AssistantSettings, key: SecretStr | None, *, timeout_s: float | None = None) -> Backend:
    """The backend of these settings.

    A server counts as configured where there is a key for it, or an address of its own: servers on one's own machine
    want no key.
    """
    commands = CommandBackend()
    if assistant.backend == "commands":
        return commands

    def model() -> Backend:
        # Imported late: the client library takes most of a second, and only free speech needs it.
        from app.agent.backends.openai_backend import OpenAIBackend
        from app.agent.backends.wire.profile_file import FileProfiles

        settings = ModelSettings(assistant.model or DEFAULT_MODEL, assistant.base_url or None, key)
        profiles = FileProfiles(data_folder() / "servers.json")
        return OpenAIBackend(settings if timeout_s is None else replace(settings, timeout_s=timeout_s), profiles)

    if assistant.backend == "openai":
        return model()
    return RoutedBackend(commands, model if key is not None or assistant.base_url else None)
