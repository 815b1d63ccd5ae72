"""Plays the table of broken streams to our loop and to two well-known agent SDKs, over real HTTP, and times a turn.

    python benchmarks/bench_agent_streams.py            # the SDKs come with the extra `bench`

One server (that of the tests) runs here; each client runs in a process of its own, so that memory can be compared.
What a stream demands is the same for all: the right effects and no others, an error where there is no answer, and a
next request in which each call has its result under a unique id.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import statistics
import subprocess
import sys
import time
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from agent_streams_clients import CLIENTS, to_json
from agent_streams_table import CASES, Case
from sse_server import Recorded, Reply, SseServer, call_reply, text_reply

_NEEDS = {"greenroom": "openai", "openai-agents": "agents", "pydantic-ai": "pydantic_ai"}
_TIMED_RUNS = 200
_WARM_UP_RUNS = 20
_CASE_TIMEOUT_S = 30.0
_SPEED = "speed"


class Script:
    """Answers by the path of a request: /client/number of the case/v1/..."""

    def __init__(self) -> None:
        self.seen: dict[tuple[str, str], list[Recorded]] = {}

    def __call__(self, request: Recorded) -> Reply:
        client, case, *_ = request.path.strip("/").split("/")
        if case == _SPEED:
            called = request.messages[-1]["role"] == "tool" or any(m["role"] == "tool" for m in request.messages)
            return text_reply("Done.") if called else call_reply("click", "{}", id=f"call_{time.monotonic_ns()}")
        requests = self.seen.setdefault((client, case), [])
        requests.append(request)
        played = CASES[int(case)]
        return played.reply if played.for_ever or len(requests) == 1 else text_reply("Done.")


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


async def play(name: str, base_url: str) -> None:
    """The child process: plays all cases, then times turns; one JSON object a line."""
    client = CLIENTS[name]()
    for number in range(len(CASES)):
        try:
            async with asyncio.timeout(_CASE_TIMEOUT_S):
                print(to_json(await client(f"{base_url}/{name}/{number}/v1")), flush=True)
        except TimeoutError:
            print(
                json.dumps({"effects": [], "error": "", "text": f"no end within {_CASE_TIMEOUT_S:.0f} s"}), flush=True
            )
    times: list[float] = []
    for run in range(_WARM_UP_RUNS + _TIMED_RUNS):
        began = time.perf_counter()
        await client(f"{base_url}/{name}/{_SPEED}/v1")
        if run >= _WARM_UP_RUNS:
            times.append((time.perf_counter() - began) * 1000 / 2)
    peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"turn_ms": statistics.median(times), "peak_mb": peak_mb}), flush=True)


def main() -> None:
    """Prints the table, then time and memory."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--client", choices=CLIENTS, help=argparse.SUPPRESS)
    parser.add_argument("--server", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.client:
        asyncio.run(play(options.client, options.server))
        return
    names = [name for name in CLIENTS if find_spec(_NEEDS[name])]
    for missing in sorted(set(CLIENTS) - set(names)):
        print(f"{missing} is not installed: pip install 'greenroom[bench]'")
    script, verdicts, speeds = Script(), {}, {}
    with SseServer() as server:
        server.always(script)
        for name in names:
            command = [sys.executable, __file__, "--client", name, "--server", f"http://127.0.0.1:{server.port}"]
            lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
            *results, speeds[name] = [json.loads(line) for line in lines]
            verdicts[name] = [
                fault(case, result, script.seen.get((name, str(number)), []))
                for number, (case, result) in enumerate(zip(CASES, results, strict=True))
            ]
    report(names, verdicts, speeds)


def report(names: list[str], verdicts: dict[str, list[str]], speeds: dict[str, dict[str, float]]) -> None:
    """Prints what was found."""
    width = max(len(case.name) for case in CASES)
    print(f"{'row':>3}  {'stream':{width}}  " + "  ".join(f"{name:34}" for name in names))
    for number, case in enumerate(CASES):
        cells = "  ".join(f"{verdicts[name][number] or 'right':34.34}" for name in names)
        print(f"{case.row:>3}  {case.name:{width}}  {cells}")
    right = Counter({name: sum(not found for found in verdicts[name]) for name in names})
    rows = {
        "right": [f"{right[name]} of {len(CASES)}" for name in names],
        "ms per turn (median)": [f"{speeds[name]['turn_ms']:.2f}" for name in names],
        "peak memory, MB": [f"{speeds[name]['peak_mb']:.0f}" for name in names],
    }
    for title, values in rows.items():
        print(f"     {title:{width}}  " + "  ".join(f"{value:34}" for value in values))


if __name__ == "__main__":
    main()
