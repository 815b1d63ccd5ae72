"""How long the command backend takes a sentence on a screen of 300 labels: `python benchmarks/bench_commands.py`.

Prints the median and the worst of each kind: exact commands, chains, speech that is only near to a command, talk; and
what a changed screen costs.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial

from app.agent.backends.base import TurnRequest
from app.agent.commands import CommandBackend
from app.agent.messages import Hypothesis, UserMessage, Utterance
from app.agent.snapshot import InstanceView, Snapshot, ToolView

LABELS = 300
ROUNDS = 30
PAGES = ["Contributions", "Conferences", "Speakers", "Collections", "Settings"]

SENTENCES: dict[str, list[list[str]]] = {
    "exact": [["press button gamma 7"], ["set the field alpha 12 to hello world"], ["go to speakers"]],
    "chain": [["set the field alpha 12 to hello, the choice beta 3 to green and press button gamma 5"]],
    "near": [
        ["pres buttn gama 5", "press but on gamma 5", "Press button gummer 5"],
        ["said the field alfa 12 two hello", "set the feel alpha 12 to hello"],
    ],
    "talk": [
        ["The weather in Lagos is lovely today.", "the weather and lay gasses lovely today."],
        ["I was talking to my colleague about lunch, and then we went to the park in the afternoon."],
    ],
}


def big_screen(revision: int, renamed: str = "") -> Snapshot:
    """A screen of 300 targets: buttons, text fields and choices."""
    views = []
    for at in range(LABELS):
        kind, tool = (("button gamma", "click"), ("field alpha", "fill"), ("choice beta", "choose"))[at % 3]
        label = f"{kind} {at // 3}" if at or not renamed else renamed
        state = {"choices": ["red", "green", "blue"], "value_type": "choice"} if tool == "choose" else {}
        views.append(InstanceView(f"g{at}", f"h{at}", label, tool, (), (tool,), state, revision=revision))
    views.append(InstanceView("desk", "desk", "Desk", "desk", (), ("navigate", "undo", "help")))
    tools = []
    for name in ("click", "fill", "choose", "navigate", "undo", "help"):
        targets = tuple(view.handle for view in views if name in view.tools)
        properties = {"target": {"type": "string"}} if len(targets) > 1 else {}
        tools.append(ToolView(name, name, "", {"type": "object", "properties": properties}, targets=targets))
    return Snapshot(revision, tuple(tools), tuple(views), {"page": "Contributions", "pages": PAGES})


def timed_ms(work: Callable[[], object]) -> float:
    """How long one call takes."""
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def main() -> None:
    backend = CommandBackend()
    snapshot = big_screen(1)
    print(
        f"first sentence, grammar loaded with it: {timed_ms(lambda: say(backend, snapshot, ['go to speakers'])):.0f} ms"
    )
    print(f"tables for near-sounding speech: {timed_ms(lambda: backend.prepare(snapshot)):.0f} ms")
    for kind, sentences in SENTENCES.items():
        times = [timed_ms(partial(say, backend, snapshot, heard)) for _ in range(ROUNDS) for heard in sentences]
        print(f"{kind:6} median {statistics.median(times):6.1f} ms, worst {max(times):6.1f} ms")
    made = statistics.median(timed_ms(lambda: big_screen(99)) for _ in range(ROUNDS))
    same = median_ms(lambda at: say(backend, big_screen(at), ["go to speakers"])) - made
    renamed = median_ms(lambda at: say(backend, big_screen(at, f"new {at}"), ["go to speakers"])) - made
    print(f"a new revision with the same names: {same:.1f} ms; with another name: {renamed:.1f} ms")


def median_ms(work: Callable[[int], object]) -> float:
    """The median time of calls with 1, 2, 3, ..."""
    return statistics.median(timed_ms(partial(work, at)) for at in range(1, ROUNDS))


def say(backend: CommandBackend, snapshot: Snapshot, heard: list[str]) -> None:
    """Answers one utterance."""
    hypotheses = tuple(Hypothesis(text, -0.4 - at / 10) for at, text in enumerate(heard))
    utterance = Utterance("u", heard[0], hypotheses, "voice" if len(heard) > 1 else "text")
    backend.answer(TurnRequest((UserMessage(utterance),), snapshot))


if __name__ == "__main__":
    main()
