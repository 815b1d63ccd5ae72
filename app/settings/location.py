"""Where the settings file is."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_config_path

FILE_NAME = "settings.json"


def settings_path() -> Path:
    """The settings file in `GREENROOM_CONFIG_DIR`, or in the system's folder for settings. It need not exist."""
    chosen = os.environ.get("GREENROOM_CONFIG_DIR", "")
    folder = Path(chosen).expanduser() if chosen else user_config_path("greenroom", appauthor=False)
    return folder / FILE_NAME
