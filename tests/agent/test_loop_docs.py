"""docs/agent.md: its Python blocks run, and its tables are those of the program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from doc_blocks import run_blocks
from loop_kit import Bench, call, scripted, turn

from app.agent.events import EngineState, Event
from app.agent.journal import MemoryJournal
from app.agent.proposal import ProposalStatus

DOCUMENT = Path(__file__).parents[2] / "docs" / "agent.md"


def test_the_blocks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    run_blocks(DOCUMENT, {}, monkeypatch)


def test_every_event_state_and_status_is_in_it() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    events = {kind.__dataclass_fields__["type"].default for kind in get_args(Event)}
    table = re.findall(r"^\| (`.*?) \|", text, re.MULTILINE)
    assert {name for row in table for name in re.findall(r"`(\w+)`", row)} == events
    states, calls = re.findall(r"```mermaid\n(.*?)```", text, re.DOTALL)
    assert names(states) == set(get_args(EngineState))
    assert names(calls) == set(get_args(ProposalStatus))


async def test_the_steps_of_the_journal_come_in_the_order_it_says() -> None:
    steps: list[str] = []

    class Recording(MemoryJournal):
        def __getattribute__(self, name: str) -> object:
            if name.startswith(("save_", "record_")):
                steps.append(name)
            return super().__getattribute__(name)

    bench = Bench(scripted(turn(call("switch")), turn(text="Done.")), journal=Recording())
    switch = bench.lamp.switch

    def noted_switch() -> str:
        steps.append("the call")
        return switch()

    bench.lamp.switch = noted_switch  # type: ignore[method-assign]
    await bench.say("go")
    await bench.waiting()
    await bench.approve_all()
    (said,) = re.findall(r"^(`save_proposal`.*?`record_outcome`)$", DOCUMENT.read_text(encoding="utf-8"), re.S | re.M)
    listed = re.findall(r"`(\w+)`|\*\*(the call)\*\*", said)
    begin = steps.index("save_proposal")
    assert steps[begin : steps.index("record_outcome") + 1] == [step or other for step, other in listed]


def names(diagram: str) -> set[str]:
    return {name for line in re.findall(r"^ +(\S+) --> (\S+):", diagram, re.MULTILINE) for name in line} - {"[*]"}


def test_every_invariant_has_a_test_of_its_number() -> None:
    tests = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_loop_*.py"))
    numbers = re.findall(r"^(\d+)\. ", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 11)]
    for number in numbers:
        assert re.search(rf"def test_{number}_", tests), number
