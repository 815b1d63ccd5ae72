"""Real processes on one real SQLite file: killed between any two steps, and racing for one approval."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import app

PROGRAM = Path(__file__).with_name("loop_processes.py")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork and no kill -9")


def run(what: str, folder: Path) -> list[dict[str, Any]]:
    """Runs one of the programs; gives what each round of it found."""
    path = os.pathsep.join([str(Path(app.__file__).parents[1]), str(PROGRAM.parent)])
    done = subprocess.run(
        [sys.executable, str(PROGRAM), what, str(folder)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_3_a_kill_between_any_two_steps_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    rounds = run("kills", tmp_path)
    killed = [each for each in rounds if each["statuses"][0] == -signal.SIGKILL]
    assert len({each["first"] for each in killed}) >= 15, "there are fewer steps to be killed at than there should be"
    assert any(each["statuses"][1:-1] == [-signal.SIGKILL] for each in rounds), "no second life was killed"
    for each in rounds:
        assert each["statuses"][-1] == 0, each
        effects = Counter(each["effects"])
        assert all(count == 1 for count in effects.values()), f"an action was repeated: {each}"
        assert set(effects) <= {f"new {target}" for target in each["approved"]} | told(each), each
        for target in each["approved"]:
            # What was approved was done, or the person has been told that it is not known, or why it was not.
            assert f"new {target}" in effects or target in told(each), f"an action was lost: {each}"
        for value in effects:
            assert value.removeprefix("new ") in told(each), f"what was done was never told: {each}"
        assert each["left"] == 0, f"a question or a call was left without an end: {each}"
    (whole, *_) = (each for each in rounds if each["statuses"][0] == 0)
    assert sorted(whole["effects"]) == ["new Subtitle", "new Title"]


def told(found: dict[str, Any]) -> set[str]:
    """The targets of which the person has been told what became of them."""
    return {line.split(":")[0] for line in found["told"]}


def test_3_two_processes_that_approve_at_once_run_it_once(tmp_path: Path) -> None:
    rounds = run("rivals", tmp_path)
    assert len(rounds) == 6
    for each in rounds:
        assert each["statuses"] == [0, 0], each
        assert (each["effects"], each["approved"], each["left"]) == (["new Title"], ["Title"], 0), each
