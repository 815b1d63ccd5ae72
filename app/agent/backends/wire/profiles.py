"""What is known about a server with one model, learned from its errors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from app.agent.backends.model_settings import ModelSettings
from app.agent.json_types import JsonObject


@dataclass(frozen=True, slots=True)
class ServerProfile:
    """What a server takes and what it refuses.

    Attributes:
        tools: Whether it takes tools at all.
        null_content: Whether the content of a message that only calls may be null; else it is "".
        alternate_roles: Whether it insists on user and assistant taking turns.
        context_tokens: The largest request it takes, where it has said so.
        dropped: Parts of a request that it refuses.
        bad_tools: Tools whose schema it can't take, as `fingerprint` names them.
    """

    tools: bool = True
    null_content: bool = True
    alternate_roles: bool = False
    context_tokens: int | None = None
    dropped: tuple[str, ...] = ()
    bad_tools: tuple[str, ...] = ()

    def without_tools(self, fingerprints: Sequence[str]) -> ServerProfile:
        """The same, with more tools left out."""
        return replace(self, bad_tools=tuple(dict.fromkeys((*self.bad_tools, *fingerprints))))

    def to_json(self) -> JsonObject:
        """For a store."""
        return {**asdict(self), "dropped": list(self.dropped), "bad_tools": list(self.bad_tools)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> ServerProfile:
        """From what `to_json` gave; what is missing or of the wrong type is as for an unknown server."""
        context = stored.get("context_tokens")
        return cls(
            tools=stored.get("tools") is not False,
            null_content=stored.get("null_content") is not False,
            alternate_roles=stored.get("alternate_roles") is True,
            context_tokens=context if isinstance(context, int) else None,
            dropped=_names(stored.get("dropped")),
            bad_tools=_names(stored.get("bad_tools")),
        )


class ProfileStore(Protocol):
    """Keeps profiles as JSON objects, one a key."""

    def load(self, key: str) -> JsonObject | None:
        """What was saved under `key`, or None."""

    def save(self, key: str, profile: JsonObject) -> None:
        """Keeps `profile` under `key` in place of what was there."""


class MemoryProfiles:
    """Keeps profiles while the program runs."""

    def __init__(self) -> None:
        self._profiles: dict[str, JsonObject] = {}

    def load(self, key: str) -> JsonObject | None:
        """What was saved under `key`, or None."""
        return self._profiles.get(key)

    def save(self, key: str, profile: JsonObject) -> None:
        """Keeps `profile` under `key`."""
        self._profiles[key] = profile

    def remove(self, key: str) -> None:
        """Forgets what was saved under `key`."""
        self._profiles.pop(key, None)

    def saved_under(self) -> tuple[str, ...]:
        """What something is saved under, oldest first."""
        return tuple(self._profiles)


def profile_key(settings: ModelSettings) -> str:
    """The key of a server and model. Holds no password, should the address have one."""
    scheme, _, rest = settings.server.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]} {settings.model}"


def fingerprint(tool: Mapping[str, Any]) -> str:
    """Names a tool as it stands in a request. One whose schema has changed since is tried again."""
    function = tool["function"]
    text = json.dumps(function["parameters"], sort_keys=True)
    return f"{function['name']}:{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def _names(value: object) -> tuple[str, ...]:
    return tuple(name for name in value if isinstance(name, str)) if isinstance(value, list | tuple) else ()
