"""`greenroom doctor`: what this machine has, and how to get what is missing."""

from __future__ import annotations

import json
import os
import platform
import sys
from dataclasses import asdict

from app.agent.backends.model_settings import ModelSettings
from app.desk.backends import DEFAULT_MODEL
from app.settings import KeyStore, Settings, SettingsFile, with_environment
from app.store.database import Database
from app.store.errors import StoreError
from app.voice.doctor import Check, check_voice
from app.voice.portaudio import PortAudio


def run_doctor(*, as_json: bool) -> int:
    """Prints every check; the exit status is 0 where Greenroom can work, 4 where something it needs is missing."""
    loaded = SettingsFile().load()
    settings = with_environment(loaded.settings)
    checks = [
        _check_python(),
        _check_display(),
        _check_settings(loaded.notice),
        _check_database(settings),
        *check_voice(PortAudio(), model=settings.voice.model),
        _check_model_server(settings),
    ]
    if as_json:
        print(json.dumps([asdict(check) for check in checks], ensure_ascii=False))
    else:
        for check in checks:
            print(f"{'ok     ' if check.ok else 'missing'}  {check.name}: {check.detail}")
            if check.fix:
                print(f"         {check.fix}")
    needed = {"Python", "Settings", "Database"}
    return 4 if any(not check.ok and check.name in needed for check in checks) else 0


def _check_python() -> Check:
    import PySide6

    version = platform.python_version()
    # PySide6 6.12 aborts on Python 3.10 and 3.11 after some thousand calls into Qt.
    broken = sys.version_info < (3, 12) and PySide6.__version_info__ >= (6, 12)
    fix = "Install a PySide6 before 6.12: pip install 'PySide6-Essentials<6.12'." if broken else ""
    return Check("Python", not broken, f"Python {version}, PySide6 {PySide6.__version__}.", fix)


def _check_display() -> Check:
    if sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return Check("Display", True, "There is one.")
    fix = "hear, ask and tour work without one."
    return Check("Display", False, "DISPLAY and WAYLAND_DISPLAY are not set.", fix)


def _check_settings(notice: str) -> Check:
    return Check("Settings", True, notice or "Readable.")


def _check_database(settings: Settings) -> Check:
    try:
        opened = Database.open(settings.data.database_url or None)
    except StoreError as error:
        return Check("Database", False, "It can't be opened.", str(error))
    kind = opened.database.kind
    opened.database.close()
    return Check("Database", True, opened.notice or f"{kind}, up to date.")


def _check_model_server(settings: Settings) -> Check:
    """Says what is configured; nothing is sent to the server."""
    assistant = settings.assistant
    key = KeyStore().key(assistant.base_url)
    if key is None and not assistant.base_url:
        fix = "Only for free speech: set OPENAI_API_KEY, or an address and a model in Settings, page Assistant."
        return Check("Model server", True, "None: the command grammar answers.", fix)
    server = ModelSettings(assistant.model or DEFAULT_MODEL, assistant.base_url or None)
    where = "the environment" if key and key.source == "environment" else "the key store" if key else "no key"
    return Check("Model server", True, f"{server.host}, model {server.model}, key from {where}.")
