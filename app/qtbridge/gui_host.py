"""The screen as the engine sees it: each step runs on the GUI thread."""

from __future__ import annotations

import inspect
from typing import Protocol

from app.agent.errors import ToolError
from app.agent.registry import Registry
from app.agent.results import describe_error, describe_result
from app.agent.snapshot import BoundCall, Preview, Snapshot
from app.qtbridge.gui_thread import GuiThread


class Transactions(Protocol):
    """What groups the changes of one utterance: the undo log."""

    def begin(self, run_id: str, title: str) -> None:
        """Opens the group."""

    def end(self, run_id: str) -> None:
        """Closes it."""


class GuiHost:
    """Implements `app.agent.host.Host` over the registry of the widgets on screen."""

    def __init__(self, gui: GuiThread, registry: Registry, transactions: Transactions) -> None:
        self._gui = gui
        self._registry = registry
        self._transactions = transactions

    async def snapshot(self) -> Snapshot:
        """Takes the tools and state of the screen now."""
        return await self._gui.call(self._registry.snapshot)

    async def bind(self, snapshot: Snapshot, tool: str, arguments: str) -> BoundCall:
        """Validates a call and finds its target."""
        return await self._gui.call(lambda: self._registry.bind(snapshot, tool, arguments))

    async def preview(self, call: BoundCall) -> Preview:
        """Says what the call would change."""
        return await self._gui.call(lambda: self._registry.preview(call))

    async def execute(self, call: BoundCall) -> str:
        """Runs the call on its widget."""
        return await self._gui.call(lambda: self._invoke(call))

    async def begin(self, run_id: str, title: str) -> None:
        """Opens the transaction of an utterance."""
        await self._gui.call(lambda: self._transactions.begin(run_id, title))

    async def end(self, run_id: str) -> None:
        """Closes it."""
        await self._gui.call(lambda: self._transactions.end(run_id))

    def _invoke(self, call: BoundCall) -> str:
        try:
            result = self._registry.invoke(call)
            if inspect.iscoroutine(result):
                # Its body would run in the engine's thread, where no widget may be touched.
                result.close()
                raise ToolError("Nothing was done: this action has to be awaited, and a window can't wait.")
            return describe_result(result)
        except ToolError:
            raise
        except Exception as error:
            # Whatever a tool raises is its answer to the model and the person; the run goes on without its effect.
            raise ToolError(describe_error(error)) from error
