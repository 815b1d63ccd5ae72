"""The engine as a Qt object: events on the GUI thread for the window, and at once for what measures time."""

from __future__ import annotations

import threading

from pytestqt.qtbot import QtBot

from app.agent.backends.base import TurnEnd
from app.agent.backends.scripted import ScriptedBackend
from app.agent.events import CallDecided, CallProposed, Event, RunFinished
from app.agent.grants import MemoryGrants
from app.agent.journal import MemoryJournal
from app.agent.loop import EngineOptions
from app.agent.messages import ToolCall
from app.agent.proposal import Decision
from app.agent.registry import Registry
from app.agent.tools import ai_tool
from app.qtbridge.engine_bridge import EngineBridge
from app.qtbridge.gui_host import GuiHost
from app.qtbridge.gui_thread import GuiThread
from app.qtbridge.undo import UndoLog


class Lamp:
    """Something to switch."""

    def __init__(self) -> None:
        self.runs = 0

    @ai_tool(name="switch", policy="confirm")
    def switch(self) -> str:
        """Switches it."""
        self.runs += 1
        return "Switched."


def test_what_is_always_allowed_runs_unasked_and_every_event_is_observed_in_the_engines_thread(qtbot: QtBot) -> None:
    gui, registry, lamp, grants = GuiThread(), Registry(), Lamp(), MemoryGrants()
    handle = registry.register_instance(lamp, label="Lamp")
    switch = TurnEnd(calls=(ToolCall("", "switch", "{}", 0.95),), finish="tool_calls")
    backend = ScriptedBackend([switch, TurnEnd("On."), switch, TurnEnd("Off.")])
    observed: list[tuple[Event, int]] = []
    told: list[Event] = []
    bridge = EngineBridge(
        gui,
        GuiHost(gui, registry, UndoLog()),
        backend,
        MemoryJournal(),
        lambda _utterance, _waiting: None,
        EngineOptions(),
        grants=grants,
        observe=lambda event: observed.append((event, threading.get_ident())),
    )

    def take(event: Event) -> None:
        told.append(event)
        if isinstance(event, CallProposed) and event.proposal.status == "waiting":
            bridge.decide(Decision(event.proposal.id, "approve", always=True))

    bridge.happened.connect(take)
    for runs in (1, 2):
        bridge.submit_text("switch it")
        qtbot.waitUntil(lambda expected=runs: len([e for e in told if isinstance(e, RunFinished)]) == expected)  # type: ignore[misc]
    bridge.shutdown()
    assert [event.by for event in told if isinstance(event, CallDecided)] == ["panel", "grant"]
    assert lamp.runs == 2
    assert [event for event, _ in observed] == told
    (engine_thread,) = {thread for _, thread in observed}
    assert engine_thread != threading.get_ident()
    handle.dispose()
