"""What the clients of `bench_agent.py` have in common: one prompt, the same two tools, the same things to do."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol

PROMPT = "Set the title to A."
INSTRUCTIONS = "You operate a program."
MODEL = "m"

Approve = Callable[[], Awaitable[None]]
"""Approves what was loaded, and runs to the end."""


@dataclass
class Result:
    """What came of one utterance: effects in order, an error told to the caller, or the answer."""

    effects: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    error: str = ""
    text: str = ""

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


class Client(Protocol):
    """One agent library. Everything runs in one event loop of one process."""

    async def run(self, base_url: str, *, stored: bool) -> Result:
        """Runs `PROMPT` against the server of that base URL; nothing is asked.

        Args:
            base_url: With the version.
            stored: Keep the conversation in a SQLite file with what the library has for that, else in memory.
        """

    async def interrupt(self, base_url: str, state: Path) -> None:
        """Runs it until a call waits to be approved, and saves what is needed to go on later in `state`."""

    async def load(self, base_url: str, state: Path) -> Approve:
        """Reads what `interrupt` saved, as a program does that has been started anew."""


def save(state: Path, text: str) -> None:
    """Saves what a client gives to be saved."""
    state.write_text(text, encoding="utf-8")


def saved(state: Path) -> str:
    """Reads it again."""
    return state.read_text(encoding="utf-8")


def note_effect(state: Path) -> None:
    """The side effect of an approved call: one line, counted by `effects_noted`, whichever process it happens in."""
    with effects_file(state).open("ab", buffering=0) as file:
        file.write(f"{os.getpid()}\n".encode())


def effects_noted(state: Path) -> int:
    """How often it happened."""
    file = effects_file(state)
    return len(file.read_text().splitlines()) if file.exists() else 0


def effects_file(state: Path) -> Path:
    """Where they are noted."""
    return state.with_name(state.name + ".effects")
