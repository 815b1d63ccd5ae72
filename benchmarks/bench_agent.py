"""Our loop beside two well-known agent SDKs, on one scripted server, in one run: `make bench-agent`.

What is played is the same for all: broken streams (the right effects and no others, an error where there is no answer,
and a next request in which each call has its result under a unique id), answers cut off by `length`, a saved approval
that is resumed twice, and turns, timed in alternation. The server is that of the tests: real HTTP over loopback.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.insert(1, str(Path(__file__).parents[1] / "tests" / "wire"))

from agent_clients import effects_noted
from agent_report import Found, report
from agent_streams_table import CASES, LENGTH_CASES, Case, answer
from agent_worker import CLIENTS, Worker
from sse_server import Recorded, Reply, SseServer, call_delta, call_reply, text_reply

COMPARED = ("greenroom", "openai-agents", "pydantic-ai")
STORING = ("greenroom", "openai-agents")
BARE = "server-alone"
_RUNS = 200
_WARM_UP_RUNS = 20
_TURNS_PER_RUN = 2


class Script:
    """Answers by the path of a request: /client/what is played/number/v1/..."""

    def __init__(self) -> None:
        self.seen: dict[str, list[Recorded]] = {}
        self._lock = threading.Lock()

    def __call__(self, request: Recorded) -> Reply:
        client, played, number, *_ = request.path.strip("/").split("/")
        if played in ("turns", "approval"):
            called = any(message["role"] == "tool" for message in request.messages)
            return _done(request) if called else _click(request)
        with self._lock:
            requests = self.seen.setdefault(f"{client}/{played}/{number}", [])
            requests.append(request)
        case = (CASES if played == "stream" else LENGTH_CASES)[int(number)]
        return case.reply if case.for_ever or len(requests) == 1 else text_reply("Done.")


def _done(request: Recorded) -> Reply:
    return text_reply("Done.") if request.body.get("stream") else answer({"content": "Done."}, "stop")


def _click(request: Recorded) -> Reply:
    id = f"call_{time.monotonic_ns()}"
    if request.body.get("stream"):
        return call_reply("click", "{}", id)
    return answer({"tool_calls": [call_delta("click", "{}", id=id)]}, "tool_calls")


def fault(case: Case, result: dict[str, Any], requests: list[Recorded]) -> str:
    """What the client did wrong, or an empty string."""
    # Without their order: a client may run the calls of a turn side by side.
    effects = sorted(json.dumps(effect) for effect in result["effects"])
    if case.expected == "runs":
        if effects != sorted(json.dumps(effect) for effect in case.effects):
            return f"ran {len(effects)} of {len(case.effects)} calls" if effects else "ran nothing"
        return pairing_fault(requests[-1].messages) if not result["error"] else f"error: {result['error'][:60]}"
    if effects:
        return f"ran {len(effects)} calls"
    if case.expected == "error" and not result["error"]:
        return f"success with {result['text'][:30]!r}"
    if case.expected == "text" and result["text"] != case.text:
        return f"answer {result['text'][:30]!r} {result['error'][:40]}"
    return ""


def pairing_fault(messages: list[dict[str, Any]]) -> str:
    """What is wrong with the calls and results of a request, or an empty string."""
    ids = [call["id"] for message in messages for call in message.get("tool_calls") or ()]
    results = [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    if not all(ids) or len(set(ids)) != len(ids):
        return "call ids empty or not unique"
    return "" if ids == results else "results do not match the calls"


def main() -> int:
    """Plays everything and prints the table; 1 where a target is missed."""
    found = [Found(name) for name in COMPARED]
    with SseServer() as server, tempfile.TemporaryDirectory() as made:
        script = Script()
        server.always(script)
        base = f"http://127.0.0.1:{server.port}"
        with ExitStack() as stack:
            workers: dict[str, Worker] = {}
            for name in CLIENTS:
                folder = Path(made) / name
                folder.mkdir()
                workers[name] = stack.enter_context(Worker(name, folder))
            for each in found:
                play(each, workers[each.name], base, script)
            in_memory = timed(workers, base, stored=False)
            stored = timed({name: workers[name] for name in STORING}, base, stored=True)
            for each in found:
                each.memory_ms, each.stored_ms = in_memory[each.name], stored.get(each.name)
                each.peak_mb = workers[each.name].ask("memory_mb")
        for each in found:
            each.same_process = resumed_twice(each.name, base, Path(made), processes=1)
            each.two_processes = resumed_twice(each.name, base, Path(made), processes=2)
    return 0 if report(found, in_memory[BARE]) else 1


def play(found: Found, worker: Worker, base: str, script: Script) -> None:
    """Plays all streams to one client."""
    for number, case in enumerate(CASES):
        result = worker.ask("run", url=f"{base}/{found.name}/stream/{number}/v1", stored=False)
        found.faults.append(fault(case, result, script.seen.get(f"{found.name}/stream/{number}", [])))
    for number in range(len(LENGTH_CASES)):
        result = worker.ask("run", url=f"{base}/{found.name}/length/{number}/v1", stored=False)
        found.cut_off_effects += bool(result["effects"])


def timed(workers: dict[str, Worker], base: str, *, stored: bool) -> dict[str, float]:
    """The median milliseconds of a turn. The clients take turns, so that a busy machine is as busy for each."""
    times: dict[str, list[float]] = {name: [] for name in workers}
    for run in range(_WARM_UP_RUNS + _RUNS):
        for name, worker in workers.items():
            done = worker.ask("run", url=f"{base}/{name}/turns/0/v1", stored=stored)
            if done["text"] != "Done.":
                raise RuntimeError(f"{name} did not finish a plain run: {done}")
            if run >= _WARM_UP_RUNS:
                times[name].append(done["ms"] / _TURNS_PER_RUN)
    return {name: statistics.median(taken) for name, taken in times.items()}


def resumed_twice(name: str, base: str, folder: Path, processes: int) -> int:
    """Interrupts a run, kills its process, takes up what it saved twice, approves both: how often the call has run."""
    state = folder / f"{name}-{processes}"
    url = f"{base}/{name}/approval/0/v1"
    with Worker(name, folder) as first:
        first.ask("interrupt", url=url, state=str(state))
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(name, folder)) for _ in range(processes)]
        both = (workers[0], workers[-1])
        for worker in both:
            worker.ask("load", url=url, state=str(state))
        for worker in both:
            worker.ask("approve")
    return effects_noted(state)


if __name__ == "__main__":
    sys.exit(main())
