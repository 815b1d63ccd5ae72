"""A burst of events is told in order, and other work of the GUI thread gets its turn in between."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from app.agent.events import Event, StateChanged, TextDelta
from app.qtbridge.paced_events import PacedEvents

HEAVY_S = 0.006
"""What one card may take."""


def test_a_burst_is_told_in_order_with_turns_for_others_in_between(qtbot: QtBot) -> None:
    owner = QObject()
    paced = PacedEvents(owner)
    order: list[object] = []
    sent: list[Event] = [TextDelta("run", str(number)) for number in range(6)]

    def build(event: Event) -> None:
        order.append(event)
        until = time.perf_counter() + HEAVY_S
        while time.perf_counter() < until:
            """As building a card does, it takes its time."""

    beat = QTimer(owner)
    beat.timeout.connect(lambda: order.append("beat"))
    beat.start(0)
    paced.told.connect(build)
    for event in sent:
        paced.take(event)
    qtbot.waitUntil(lambda: sent[-1] in order)
    beat.stop()
    assert [each for each in order if each != "beat"] == sent
    assert order.count("beat") >= len(sent) - 2


def test_what_is_told_within_telling_comes_after_it(qtbot: QtBot) -> None:
    owner = QObject()
    paced = PacedEvents(owner)
    told: list[Event] = []
    first, second = StateChanged("thinking"), StateChanged("idle")

    def take(event: Event) -> None:
        if event is first:
            paced.take(second)
        told.append(event)

    paced.told.connect(take)
    paced.take(first)
    qtbot.waitUntil(lambda: len(told) == 2)
    assert told == [first, second]


def test_at_the_end_all_that_waits_is_told_at_once() -> None:
    owner = QObject()
    paced = PacedEvents(owner)
    told: list[Event] = []

    def build(event: Event) -> None:
        told.append(event)
        until = time.perf_counter() + HEAVY_S
        while time.perf_counter() < until:
            """As building a card does, it takes its time."""

    paced.told.connect(build)
    sent: list[Event] = [TextDelta("run", str(number)) for number in range(3)]
    for event in sent[:2]:
        paced.take(event)
    assert told == sent[:1]
    paced.finish()
    paced.take(sent[2])
    assert told == sent
