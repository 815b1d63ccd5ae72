"""Measures the registry: first snapshot, snapshot after one change, registering, and what it keeps alive.

Run with `python benchmarks/bench_registry.py`; exits with 1 if a target is missed.
"""

from __future__ import annotations

import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

from app.agent.registry import Registry
from app.agent.tools import ai_tool

INSTANCES = 10_000
MADE_AND_DESTROYED = 20_000
ROUNDS = 5


class Field:
    """Something to fill in, as a form has many."""

    def __init__(self, value: str = "") -> None:
        self.value = value
        self.reason = ""

    @ai_tool(name="fill")
    def fill(self, value: str) -> None:
        """Replaces the value of a field.

        Args:
            value: The new value.
        """
        self.value = value

    @ai_tool(name="clear")
    def clear(self) -> None:
        """Empties a field."""
        self.value = ""

    def state(self) -> dict[str, object]:
        """What the registry reads."""
        return {"value": self.value, "value_type": "text", "choices": ["one", "two"]}

    def why_not(self) -> str:
        """Whether it can be filled in."""
        return self.reason


def registered(count: int) -> tuple[Registry, list[Field], list[Callable[[], None]], float]:
    """Registers that many fields; also gives how to touch each, and the mean time of one in microseconds."""
    registry = Registry(screen=lambda: {"page": "Contributions"})
    fields = [Field(str(number)) for number in range(count)]
    started = time.perf_counter()
    touches = [
        registry.register_instance(
            field, label=f"Field {number % 500}", state=field.state, available=field.why_not
        ).touch
        for number, field in enumerate(fields)
    ]
    return registry, fields, touches, (time.perf_counter() - started) / count * 1e6


def median_ms(change: Callable[[int], None], registry: Registry, repeats: int = 50) -> float:
    """The median time of a snapshot after a change, in milliseconds."""
    times = []
    for number in range(repeats):
        change(number)
        started = time.perf_counter()
        registry.snapshot()
        times.append((time.perf_counter() - started) * 1e3)
    return statistics.median(times)


def growth(made: int) -> tuple[int, int]:
    """Makes and destroys objects, half of them without `dispose`: instances left, and bytes grown after warming up."""
    registry = Registry()

    def churn(count: int) -> None:
        for number in range(count):
            field = Field()
            handle = registry.register_instance(field, label="Row", state=field.state, available=field.why_not)
            if number % 100 == 0:
                registry.snapshot()
            if number % 2:
                handle.dispose()

    churn(1000)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    churn(made)
    gc.collect()
    left = len(registry.snapshot().instances)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return left, grown


def main() -> int:
    """Prints each figure beside its target."""
    # What happens once in a process is measured in five rounds: the first pays for imports and schemas as well.
    register_us, first_ms = [], []
    for _ in range(ROUNDS):
        registry, fields, touches, mean_us = registered(INSTANCES)
        started = time.perf_counter()
        registry.snapshot()
        first_ms.append((time.perf_counter() - started) * 1e3)
        register_us.append(mean_us)
    print(f"registering, slowest of {ROUNDS} rounds: {max(register_us):.1f} µs; first snapshot: {max(first_ms):.1f} ms")

    def change_value(number: int) -> None:
        fields[number * 7].value = f"new {number}"
        touches[number * 7]()

    def change_availability(number: int) -> None:
        fields[number * 7].reason = "" if fields[number * 7].reason else "it is disabled"
        touches[number * 7]()

    def look_up(number: int) -> None:
        change_value(number)
        registry.bind(registry.snapshot(), "fill", f'{{"target": "field_{number}", "value": "x"}}')

    value_ms = median_ms(change_value, registry)
    available_ms = median_ms(change_availability, registry)
    idle_ms = median_ms(lambda _number: None, registry)
    left, grown = growth(MADE_AND_DESTROYED)
    rows = [
        (f"registering one (mean of {INSTANCES}, median of {ROUNDS})", statistics.median(register_us), 30.0, "µs"),
        (f"first snapshot of {INSTANCES} (median of {ROUNDS})", statistics.median(first_ms), 150.0, "ms"),
        ("snapshot, one value changed", value_ms, 1.0, "ms"),
        ("snapshot, one switched on or off", available_ms, 1.0, "ms"),
        ("snapshot, nothing changed", idle_ms, 1.0, "ms"),
        (f"instances left of {MADE_AND_DESTROYED} made and destroyed", float(left), 0.0, ""),
        ("memory grown by them", grown / 1024, 64.0, "KiB"),
    ]
    for name, figure, target, unit in rows:
        print(f"{name:<52} {figure:10.3f} {unit:<3} (target <= {target:g}) {'ok' if figure <= target else 'MISSED'}")
    return 0 if all(figure <= target for _, figure, target, _ in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
