"""What the loop needs from the program around it: the screen now, previews, execution, a transaction."""

from __future__ import annotations

from typing import Protocol

from app.agent.snapshot import BoundCall, Preview, Snapshot


class Host(Protocol):
    """The screen as the engine sees it. With Qt each method runs its work on the GUI thread and awaits it."""

    async def snapshot(self) -> Snapshot:
        """Takes the tools and state of the screen now."""

    async def bind(self, snapshot: Snapshot, tool: str, arguments: str) -> BoundCall:
        """Validates JSON text against the tool and finds its target.

        Raises:
            ToolError: Unknown tool, bad arguments, or no such target.
        """

    async def preview(self, call: BoundCall) -> Preview:
        """Says what the call would change, changing nothing.

        Raises:
            ToolError: The target would refuse it.
        """

    async def execute(self, call: BoundCall) -> str:
        """Looks the target up again, runs the call, and returns the result as the model reads it.

        Raises:
            ToolError: The target has gone or refuses.
        """

    async def begin(self, run_id: str, title: str) -> None:
        """Opens the transaction of an utterance: what it changes is undone as one."""

    async def end(self, run_id: str) -> None:
        """Closes it."""
