"""One client in a process of its own: commands in, one JSON line for each out. So memory can be told apart, a saved
state can be taken up by another process, and turns of several clients can be timed in alternation."""

from __future__ import annotations

import asyncio
import importlib
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from agent_clients import Approve, Client, Result

CLIENTS = {
    "greenroom": ("agent_client_greenroom", "Greenroom"),
    "openai-agents": ("agent_client_openai_agents", "OpenAIAgents"),
    "pydantic-ai": ("agent_client_pydantic_ai", "PydanticAI"),
    "server-alone": ("agent_client_bare", "Bare"),
}
_LONGEST_RUN_S = 30.0


class Worker:
    """The process, as its parent sees it."""

    def __init__(self, name: str, folder: Path) -> None:
        command = [sys.executable, __file__, name, str(folder)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, command: str, **arguments: str | bool) -> Any:
        """Has one command done, and gives what came of it.

        Raises:
            RuntimeError: The process has ended; what it said is on the standard error output.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([command, arguments]) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the client ended at {command}")
        return json.loads(line)

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Kills it, as a crash does: whatever a client wants to keep has to be saved by then."""
        self._process.kill()
        self._process.communicate()


class _Commands:
    """What a worker can do."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._loaded: list[Approve] = []

    async def run(self, url: str, stored: bool) -> dict[str, Any]:
        """Runs the prompt: what came of it, and the milliseconds it took."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(_LONGEST_RUN_S):
                result = await self._client.run(url, stored=stored)
        except TimeoutError:
            result = Result(text=f"no end within {_LONGEST_RUN_S:.0f} s")
        return {**result.to_json(), "ms": (time.perf_counter() - began) * 1000}

    async def interrupt(self, url: str, state: str) -> None:
        """Runs it until a call waits to be approved."""
        await self._client.interrupt(url, Path(state))

    async def load(self, url: str, state: str) -> None:
        """Takes up what was saved."""
        self._loaded.append(await self._client.load(url, Path(state)))

    async def approve(self) -> str:
        """Approves what was taken up first; the error that its caller is told, if there is one."""
        approve = self._loaded.pop(0)
        try:
            await approve()
        except Exception as error:  # noqa: BLE001 - whatever it raises is what its caller is told
            return f"{type(error).__name__}: {error}"
        return ""

    async def memory_mb(self) -> float:
        """The most memory it has had."""
        # The figure begins with that of the parent at the fork. The parent imports none of the clients.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def _serve(commands: _Commands) -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        command, arguments = json.loads(line)
        print(json.dumps(await getattr(commands, command)(**arguments)), flush=True)


if __name__ == "__main__":
    sys.path.insert(1, str(Path(__file__).parents[1]))
    module, made = CLIENTS[sys.argv[1]]
    asyncio.run(_serve(_Commands(getattr(importlib.import_module(module), made)(Path(sys.argv[2])))))
