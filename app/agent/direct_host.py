"""A host without threads: the registry's objects are called where the loop runs. For programs without a GUI."""

from __future__ import annotations

import inspect

from app.agent.errors import ToolError
from app.agent.registry import Registry
from app.agent.results import describe_error, describe_result
from app.agent.snapshot import BoundCall, Preview, Snapshot


class DirectHost:
    """Implements `app.agent.host.Host` over a registry in the same thread."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry

    async def snapshot(self) -> Snapshot:
        """Takes the tools and state now."""
        return self._registry.snapshot()

    async def bind(self, snapshot: Snapshot, tool: str, arguments: str) -> BoundCall:
        """Validates a call and finds its target."""
        return self._registry.bind(snapshot, tool, arguments)

    async def preview(self, call: BoundCall) -> Preview:
        """Says what the call would change."""
        return self._registry.preview(call)

    async def execute(self, call: BoundCall) -> str:
        """Runs the call; a coroutine is awaited."""
        try:
            result = self._registry.invoke(call)
            return describe_result(await result if inspect.isawaitable(result) else result)
        except ToolError:
            raise
        except Exception as error:
            # Whatever a tool raises is its answer to the model and the person; the run goes on without its effect.
            raise ToolError(describe_error(error)) from error

    async def begin(self, run_id: str, title: str) -> None:
        """Nothing to group here."""

    async def end(self, run_id: str) -> None:
        """Nothing to group here."""
