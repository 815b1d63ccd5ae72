"""The key for a model server: from the environment, from the system's secret service, or for this run only."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import SecretStr

SERVICE = "greenroom"
OPENAI = "https://api.openai.com/v1"
VARIABLE = "OPENAI_API_KEY"

Source: TypeAlias = Literal["environment", "secret_service", "this_run"]


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key and where it came from. Neither `repr` nor `str` shows the key."""

    secret: SecretStr
    source: Source


class KeyStore:
    """Finds and keeps keys, one for each server, so that the key of one never reaches another.

    The key in `OPENAI_API_KEY` goes first and is used for whatever server is chosen, as with other programs. The
    secret service may ask the person to unlock it: call from a thread that may wait.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        self._environment = os.environ if environment is None else environment
        self._this_run: dict[str, SecretStr] = {}

    def key(self, base_url: str = "") -> ApiKey | None:
        """The key for a server (empty: OpenAI's), or None where there is none."""
        given = self._environment.get(VARIABLE, "").strip()
        if given:
            return ApiKey(SecretStr(given), "environment")
        server = _server(base_url)
        if server in self._this_run:
            return ApiKey(self._this_run[server], "this_run")
        stored = _read(server)
        return ApiKey(SecretStr(stored), "secret_service") if stored else None

    def remember(self, key: SecretStr, base_url: str = "") -> str:
        """Keeps a key for a server, and returns a sentence that says where.

        Raises:
            ValueError: The key is empty or holds a blank.
        """
        text = key.get_secret_value().strip()
        if not text or any(character.isspace() for character in text):
            raise ValueError("A key is one word without blanks.")
        server = _server(base_url)
        if _write(server, text):
            self._this_run.pop(server, None)
            return "The key is kept by the secret service of this system."
        self._this_run[server] = SecretStr(text)
        return (
            "This system has no secret service, so the key is kept for this run only. "
            f"To keep it, set {VARIABLE} in the environment."
        )

    def forget(self, base_url: str = "") -> None:
        """Removes the kept key of a server. One in the environment stays: it is not ours."""
        server = _server(base_url)
        self._this_run.pop(server, None)
        _delete(server)


def _server(base_url: str) -> str:
    return base_url.strip().rstrip("/") or OPENAI


def _read(server: str) -> str:
    import keyring
    from keyring.errors import KeyringError

    try:
        return keyring.get_password(SERVICE, server) or ""
    except KeyringError:
        return ""


def _write(server: str, key: str) -> bool:
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.set_password(SERVICE, server, key)
        # A backend may take a password and keep nothing.
        return keyring.get_password(SERVICE, server) == key
    except KeyringError:
        return False


def _delete(server: str) -> None:
    import keyring
    from keyring.errors import KeyringError

    try:
        keyring.delete_password(SERVICE, server)
    except KeyringError:
        # There was none, or nothing to keep it in.
        return
