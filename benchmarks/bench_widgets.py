"""Measures real widgets under voice control: 2,000 on one window, and what 20,000 made and destroyed leave behind.

Run with `python benchmarks/bench_widgets.py`; exits with 1 if a target is missed. It needs no display.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("QT_LOGGING_RULES", "*.warning=false")  # the offscreen platform warns at each window

sys.path.insert(1, str(Path(__file__).parents[1] / "tests" / "widgets"))

import shiboken6
from many_widgets import window_of
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget

from app.agent.registry import Registry
from app.qtbridge.undo import UndoLog
from app.widgets.adapter import adapter_of
from app.widgets.adoption import voice_enable

WIDGETS = 2_000
MADE_AND_DESTROYED = 20_000
GROUP = 100
"""Widgets that share a parent, as in the parts of a form."""
REPEATS = 50


def took_ms(work: Callable[[], object]) -> float:
    """How long it takes once."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1e3


def snapshot_ms(change: Callable[[int], object], registry: Registry) -> float:
    """The median time of a snapshot after a change."""
    times = []
    for number in range(REPEATS):
        change(number)
        times.append(took_ms(registry.snapshot))
    return statistics.median(times)


def main() -> int:
    """Prints each figure beside its target."""
    application = QApplication([])
    registry, undo = Registry(), UndoLog()
    window, plain = window_of(WIDGETS, GROUP), window_of(WIDGETS, GROUP)
    plain_show_ms = took_ms(plain.show)
    adopt_ms = took_ms(lambda: voice_enable(window, registry, undo))
    show_ms = took_ms(window.show)
    first_ms = took_ms(registry.snapshot)
    found = len(registry.snapshot().instances)
    widgets = [widget for widget in window.findChildren(QWidget) if adapter_of(widget) is not None]
    edits = [widget for widget in widgets if isinstance(widget, QLineEdit)]

    def switch(number: int) -> None:
        widget = widgets[number * 7]
        widget.setEnabled(not widget.isEnabled())

    value_ms = snapshot_ms(lambda number: edits[number * 7].setText(f"new {number}"), registry)
    switch_ms = snapshot_ms(switch, registry)
    idle_ms = snapshot_ms(lambda _number: None, registry)
    dialog = QDialog(window)
    dialog.setWindowModality(Qt.WindowModality.WindowModal)

    def seen_after(change: Callable[[], object]) -> None:
        change()
        application.processEvents()
        registry.snapshot()

    application.processEvents()  # the window is painted before the dialog comes
    blocked_ms = took_ms(lambda: seen_after(dialog.show))
    freed_ms = took_ms(lambda: seen_after(dialog.close))
    gone_ms = took_ms(lambda: shiboken6.delete(window))
    left = len(registry.snapshot().instances)
    shiboken6.delete(plain)
    churn_ms = churn(registry, undo)
    left += len(registry.snapshot().instances)
    rows = [
        (f"adopting a window of {WIDGETS}, each", adopt_ms / WIDGETS * 1e3, 500.0, "µs"),
        ("showing it, each, beyond what Qt takes", max(show_ms - plain_show_ms, 0) / WIDGETS * 1e3, 500.0, "µs"),
        (f"first snapshot of {found}", first_ms, 150.0, "ms"),
        ("snapshot, one text changed", value_ms, 2.0, "ms"),
        ("snapshot, one switched on or off", switch_ms, 2.0, "ms"),
        ("snapshot, nothing changed", idle_ms, 1.0, "ms"),
        ("a dialog comes in front, and a snapshot", blocked_ms, 150.0, "ms"),
        ("the dialog goes, and a snapshot", freed_ms, 150.0, "ms"),
        ("destroying the window, each", gone_ms / WIDGETS * 1e3, 500.0, "µs"),
        (f"making and destroying {MADE_AND_DESTROYED}, each", churn_ms / MADE_AND_DESTROYED * 1e3, 2_000.0, "µs"),
        ("left in the registry", float(left), 0.0, ""),
    ]
    for name, figure, target, unit in rows:
        print(f"{name:<44} {figure:10.2f} {unit:<3} (target <= {target:g}) {'ok' if figure <= target else 'MISSED'}")
    print(f"found: {found} of {WIDGETS}")
    return 0 if all(figure <= target for _, figure, target, _ in rows) and found >= WIDGETS else 1


def churn(registry: Registry, undo: UndoLog) -> float:
    """Makes and destroys windows of 500 widgets with a snapshot of each; the milliseconds it takes in all."""

    def once() -> None:
        window = window_of(500, GROUP)
        voice_enable(window, registry, undo)
        window.show()
        registry.snapshot()
        shiboken6.delete(window)

    return sum(took_ms(once) for _ in range(MADE_AND_DESTROYED // 500))


if __name__ == "__main__":
    sys.exit(main())
