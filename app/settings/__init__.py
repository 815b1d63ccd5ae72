"""The person's settings and the key for a model server. Imports no Qt.

What counts, in this order: an option of the command line, the environment (`with_environment`), the settings file,
the default. The key is never in the settings: `KeyStore` finds and keeps it.

What is named here is imported when it is asked for (PEP 562): the window reads its `first_look` without pydantic.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.settings.environment import overridden, with_environment
    from app.settings.file import Loaded, SettingsError, SettingsFile
    from app.settings.keys import ApiKey, KeyStore
    from app.settings.model import (
        AppearanceSettings,
        AssistantSettings,
        DataSettings,
        PolicySettings,
        Settings,
        TracingSettings,
        VoiceSettings,
    )

_PLACES = {
    "app.settings.environment": ("overridden", "with_environment"),
    "app.settings.file": ("Loaded", "SettingsError", "SettingsFile"),
    "app.settings.keys": ("ApiKey", "KeyStore"),
}
_ELSE = "app.settings.model"

__all__ = [
    "ApiKey",
    "AppearanceSettings",
    "AssistantSettings",
    "DataSettings",
    "KeyStore",
    "Loaded",
    "PolicySettings",
    "Settings",
    "SettingsError",
    "SettingsFile",
    "TracingSettings",
    "VoiceSettings",
    "overridden",
    "with_environment",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    place = next((place for place, names in _PLACES.items() if name in names), _ELSE)
    return getattr(import_module(place), name)
