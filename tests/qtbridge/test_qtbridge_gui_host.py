"""The host over the registry of a window: calls run on the GUI thread, and what goes wrong there comes back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.agent.errors import ToolError
from app.agent.registry import Registry
from app.agent.tools import ai_tool
from app.qtbridge.engine_thread import EngineThread
from app.qtbridge.gui_host import GuiHost
from app.qtbridge.gui_thread import GuiThread
from app.qtbridge.undo import UndoLog


class Tools:
    """Tools that note where they ran."""

    def __init__(self) -> None:
        self.threads: list[int] = []

    @ai_tool(name="look")
    def look(self) -> str:
        """Looks."""
        self.threads.append(threading.get_ident())
        return "seen"

    @ai_tool(name="wait")
    async def wait(self) -> str:
        """Waits."""
        self.threads.append(threading.get_ident())
        return "waited"

    @ai_tool(name="break")
    def break_(self) -> str:
        """Breaks."""
        raise ValueError("broken")


@pytest.fixture
def tools() -> Tools:
    return Tools()


@pytest.fixture
def call(qtbot: QtBot, tools: Tools) -> Iterator[Callable[[str], Any]]:
    """Calls a tool from the engine's thread, as the engine does, and gives its result or its error."""
    gui, registry, thread = GuiThread(), Registry(), EngineThread()
    handle = registry.register_instance(tools, label="Tools")
    host = GuiHost(gui, registry, UndoLog())

    async def work(tool: str) -> str:
        return await host.execute(await host.bind(await host.snapshot(), tool, "{}"))

    def run(tool: str) -> Any:
        future = thread.submit(work(tool))
        qtbot.waitUntil(future.done)
        return future.exception() or future.result()

    yield run
    gui.close()
    thread.stop()
    handle.dispose()


def test_a_call_runs_on_the_gui_thread(call: Callable[[str], Any], tools: Tools) -> None:
    assert call("look") == "seen"
    assert tools.threads == [threading.get_ident()]


def test_an_async_tool_is_not_run_and_says_so(call: Callable[[str], Any], tools: Tools) -> None:
    error = call("wait")
    assert isinstance(error, ToolError)
    assert "Nothing was done" in str(error)
    assert tools.threads == []


def test_what_a_tool_raises_is_told(call: Callable[[str], Any]) -> None:
    error = call("break")
    assert isinstance(error, ToolError)
    assert "broken" in str(error)


def test_a_call_that_is_cancelled_while_the_window_is_busy_is_not_run(qtbot: QtBot, tools: Tools) -> None:
    gui, registry, thread = GuiThread(), Registry(), EngineThread()
    handle = registry.register_instance(tools, label="Tools")
    host = GuiHost(gui, registry, UndoLog())
    bound = registry.bind(registry.snapshot(), "look", "{}")

    async def give_up() -> None:
        # The GUI thread waits in this test, so the call can only be queued.
        execution = asyncio.ensure_future(host.execute(bound))
        await asyncio.wait([execution], timeout=0.01)
        execution.cancel()
        await asyncio.wait([execution])

    thread.submit(give_up()).result(60)
    assert gui.post(lambda: "the queue was served").cancelled() is False
    qtbot.waitUntil(lambda: not gui._queue)
    assert tools.threads == []
    gui.close()
    thread.stop()
    handle.dispose()
