"""What `bench_agent.py` has found, as a table in plain text."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version

from agent_streams_table import CASES, LENGTH_CASES

TARGET_RATIO = 0.5
_WIDTH = 44
_CELL = 26


@dataclass
class Found:
    """What was found about one client.

    Attributes:
        faults: What went wrong with each stream, or an empty string.
        cut_off_effects: How many answers cut off by `length` had an effect.
        same_process, two_processes: How often an approved call ran when its saved state was resumed twice.
        memory_ms: Median milliseconds of a turn with the conversation in memory.
        stored_ms: The same with the conversation in SQLite; None where the library brings nothing for that.
        peak_mb: The most memory of its process.
    """

    name: str
    faults: list[str] = field(default_factory=list)
    cut_off_effects: int = 0
    same_process: int = 0
    two_processes: int = 0
    memory_ms: float = 0.0
    stored_ms: float | None = None
    peak_mb: float = 0.0

    @property
    def right(self) -> int:
        """How many streams came out right."""
        return sum(not fault for fault in self.faults)


def report(found: list[Found], server_ms: float) -> bool:
    """Prints the table; the first client is ours. Returns whether all targets are met."""
    ours, *others = found
    packages = ", ".join(f"{name} {version(name)}" for name in ("openai-agents", "pydantic-ai-slim", "openai"))
    print(f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {platform.python_version()}, {packages}\n")
    _row("", (each.name for each in found))
    for number, case in enumerate(CASES):
        _row(f"{case.row:>2}  {case.name}", (each.faults[number] or "right" for each in found))
    _row("streams that come out right", (f"{each.right} of {len(CASES)}" for each in found))
    _row("answers cut off by length: ran a tool", (f"{each.cut_off_effects} of {len(LENGTH_CASES)}" for each in found))
    _row("approval resumed twice, one process: runs", (str(each.same_process) for each in found))
    _row("approval resumed twice, two processes: runs", (str(each.two_processes) for each in found))
    _row("ms per turn, kept in memory", (f"{each.memory_ms:.2f}" for each in found))
    _row("ms per turn, kept in SQLite", (_ms(each.stored_ms) for each in found))
    _row("peak memory, MB", (f"{each.peak_mb:.0f}" for each in found))
    print(f"\nThe server itself takes {server_ms:.2f} ms of each turn.")
    in_memory = ours.memory_ms / min(each.memory_ms for each in others)
    stored = (ours.stored_ms or 0.0) / min(each.stored_ms for each in others if each.stored_ms is not None)
    met = [
        _target("streams of ours that come out wrong", len(CASES) - ours.right, 0),
        _target("answers cut off by length on which ours ran a tool", ours.cut_off_effects, 0),
        _target("runs of ours beyond the one approved", ours.same_process + ours.two_processes - 2, 0),
        _target("ms per turn, in memory: ours / the faster of the two", in_memory, TARGET_RATIO),
        _target("ms per turn, in SQLite: ours / the one that can", stored, TARGET_RATIO),
    ]
    return all(met)


def _ms(value: float | None) -> str:
    return "brings nothing for that" if value is None else f"{value:.2f}"


def _target(title: str, figure: float, target: float) -> bool:
    met = figure <= target
    print(f"{title:54} {figure:5.2f} (target <= {target:g}) {'ok' if met else 'MISSED'}")
    return met


def _row(title: str, values: Iterable[str]) -> None:
    print(f"{title:{_WIDTH}.{_WIDTH}}  " + "  ".join(f"{value:{_CELL}.{_CELL}}" for value in values).rstrip())
