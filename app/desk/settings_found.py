"""The settings as they count for one run. Read before the database is opened: they say which model listens."""

from __future__ import annotations

from dataclasses import dataclass

from app.desk.options import DeskOptions, with_options
from app.settings import Settings, SettingsFile, with_environment


@dataclass(frozen=True, slots=True)
class SettingsFound:
    """What was found.

    Attributes:
        file: Where settings are kept; `stored` is what it has.
        settings: The settings as they count.
        notice: A sentence for the person about the file, if there is something to say.
    """

    file: SettingsFile
    stored: Settings
    settings: Settings
    notice: str


def find_settings(options: DeskOptions) -> SettingsFound:
    """Reads the settings file; the environment and the command line stand above it."""
    file = SettingsFile()
    loaded = file.load()
    settings = with_options(with_environment(loaded.settings), options)
    return SettingsFound(file, loaded.settings, settings, loaded.notice)
