"""Environment variables that stand above the settings file."""

from __future__ import annotations

import os
from collections.abc import Mapping

from app.settings.model import Settings

_VARIABLES = (
    ("OPENAI_BASE_URL", "assistant", "base_url"),
    ("GREENROOM_MODEL", "assistant", "model"),
    ("GREENROOM_DATABASE_URL", "data", "database_url"),
    # As OpenTelemetry has it, the second stands above the first.
    ("OTEL_EXPORTER_OTLP_ENDPOINT", "tracing", "endpoint"),
    ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "tracing", "endpoint"),
)


def overridden(environment: Mapping[str, str] | None = None) -> dict[tuple[str, str], str]:
    """The settings that the environment decides: (section, name) to the variable's name."""
    environment = os.environ if environment is None else environment
    return {(section, name): variable for variable, section, name in _VARIABLES if _value(environment, variable)}


def with_environment(settings: Settings, environment: Mapping[str, str] | None = None) -> Settings:
    """The settings as they count, with the environment's values on top. Use it, but never save it."""
    environment = os.environ if environment is None else environment
    for (section, name), variable in overridden(environment).items():
        changed = getattr(settings, section).model_copy(update={name: _value(environment, variable)})
        settings = settings.model_copy(update={section: changed})
    return settings


def _value(environment: Mapping[str, str], variable: str) -> str:
    return environment.get(variable, "").strip()
