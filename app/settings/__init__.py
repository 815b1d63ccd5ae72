"""The person's settings and the key for a model server. Imports no Qt.

What counts, in this order: an option of the command line, the environment (`with_environment`), the settings file,
the default. The key is never in the settings: `KeyStore` finds and keeps it.
"""

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
