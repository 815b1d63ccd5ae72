"""Engines in processes of their own, killed with the signal that nothing can catch. Run as a program.

It imports everything once and forks: each child is a real process with a connection of its own to the SQLite file, at
the cost of a fork. What they do and say goes into files, so that a kill takes none of it back.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from loop_kit import FieldBase, call, scripted, simple_answers, turn

from app.agent.backends.base import TurnEnd
from app.agent.conversation import Conversation
from app.agent.direct_host import DirectHost
from app.agent.events import CallFinished, CallProposed, Event, StateChanged
from app.agent.history import check_pairs
from app.agent.journal import Journal
from app.agent.json_types import JsonObject
from app.agent.loop import Engine
from app.agent.messages import Utterance
from app.agent.proposal import Decision, Proposal
from app.agent.registry import Registry
from app.agent.snapshot import BoundCall
from app.store.database import Database
from app.store.journal import SqlJournal

EVERY = 10
"""After a kill at each so-manieth step of the first life, the second one is killed too."""

LABELS = ("Title", "Subtitle")


class Countdown:
    """Kills this process when it has made so many steps; None: never."""

    def __init__(self, steps: int | None) -> None:
        self.left = steps

    def step(self) -> None:
        if self.left is not None:
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self.left -= 1


class CountedJournal:
    """The real journal; a step comes before each of its writes."""

    def __init__(self, inner: SqlJournal, countdown: Countdown) -> None:
        self._inner, self._step = inner, countdown.step

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def save_messages(self, run_id: str, messages: Sequence[JsonObject]) -> None:
        self._step()
        self._inner.save_messages(run_id, messages)

    def save_proposal(self, proposal_id: str, run_id: str, status: str, proposal: JsonObject) -> None:
        self._step()
        self._inner.save_proposal(proposal_id, run_id, status, proposal)

    def record_decision(self, proposal_id: str, kind: str, by: str) -> bool:
        self._step()
        return self._inner.record_decision(proposal_id, kind, by)

    def record_start(self, proposal_id: str) -> bool:
        self._step()
        return self._inner.record_start(proposal_id)

    def record_outcome(self, proposal_id: str, ok: bool, message: str) -> None:
        self._step()
        self._inner.record_outcome(proposal_id, ok, message)


class CountedHost(DirectHost):
    """The real host; a step comes before and after each call."""

    def __init__(self, registry: Registry, countdown: Countdown) -> None:
        super().__init__(registry)
        self._step = countdown.step

    async def execute(self, call: BoundCall) -> str:
        self._step()
        result = await super().execute(call)
        self._step()
        return result


class Screen:
    """What every life shows: made once, before the forks, since the schemas take longer than a life."""

    def __init__(self) -> None:
        self.registry = Registry(screen=lambda: {"page": "Test"})
        self.fields = [FieldBase() for _ in LABELS]
        self.handles = [
            self.registry.register_instance(field, label=label, state=field.state)
            for field, label in zip(self.fields, LABELS, strict=True)
        ]


SCREEN = Screen()


class Process:
    """One life of the program in `folder`: its engine, what it did (`effects`) and what it told (`told`)."""

    def __init__(self, folder: Path, steps: int | None, *turns: TurnEnd, approve: bool = True) -> None:
        self.approve = approve
        self.asked: list[Proposal] = []
        self.waiting = asyncio.Event()
        countdown = Countdown(steps)
        self.database = Database.open(f"sqlite:///{folder / 'journal.db'}").database
        for field in SCREEN.fields:
            field.filled = Lines(folder / "effects")
        self.told, self.approved = Lines(folder / "told"), Lines(folder / "approved")
        journal: Journal = CountedJournal(SqlJournal(self.database), countdown)
        self.engine = Engine(
            CountedHost(SCREEN.registry, countdown),
            scripted(*turns),
            self.take,
            journal=journal,
            answers=simple_answers,
        )

    def take(self, event: Event) -> None:
        if isinstance(event, CallFinished):
            self.told.append(f"{event.proposal.target}: {event.message}")
        if isinstance(event, StateChanged) and event.state == "waiting":
            self.waiting.set()
        if isinstance(event, CallProposed) and event.proposal.status == "waiting":
            self.asked.append(event.proposal)
            if self.approve:
                asyncio.get_running_loop().call_soon(self.decide, event.proposal.id, event.proposal.target)

    def decide(self, proposal_id: str, target: str) -> None:
        if self.engine.decide(Decision(proposal_id, "approve")):
            self.approved.append(target)


class Lines(list[str]):
    """A list whose lines are in a file as soon as they are appended."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def append(self, line: str) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")


def forked(work: Callable[[], None]) -> int:
    """Runs `work` in a process of its own; gives its exit status, negative for the signal that killed it."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def speak(folder: Path, steps: int | None) -> None:
    """The first life: two calls, approved as soon as they are shown."""

    async def live() -> None:
        calls = [call("fill", target=label.lower(), value=f"new {label}") for label in LABELS]
        process = Process(folder, steps, turn(*calls), turn(text="Done."))
        await process.engine.resume()
        await process.engine.say(Utterance("u1", "fill both"))
        await process.engine.wait_idle()

    asyncio.run(live())


def return_after(folder: Path, steps: int | None) -> None:
    """A later life: takes up what was left, approves what it is asked, and says something."""

    async def live() -> None:
        process = Process(folder, steps, turn(text="Hello."))
        await process.engine.resume()
        await process.engine.wait_idle()
        await process.engine.say(Utterance("u2", "hello"))
        await process.engine.wait_idle()
        check_pairs(process.engine.messages)

    asyncio.run(live())


def lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def found(folder: Path, statuses: list[int]) -> dict[str, Any]:
    """What the lives have left in `folder`."""
    database = Database.open(f"sqlite:///{folder / 'journal.db'}").database
    journal = SqlJournal(database)
    check_pairs(Conversation(journal).messages)
    left = [*journal.open_proposals(), *journal.started_without_outcome()]
    database.close()
    return {
        "statuses": statuses,
        "effects": lines(folder / "effects"),
        "told": lines(folder / "told"),
        "approved": lines(folder / "approved"),
        "left": len(left),
    }


def new_folder(root: Path, name: str) -> Path:
    """A folder with an empty database, copied: making the tables anew takes longer than a life."""
    template = root / "empty.db"
    if not template.exists():
        Database.open(f"sqlite:///{template}").database.close()
    folder = root / name
    folder.mkdir()
    (folder / "journal.db").write_bytes(template.read_bytes())
    return folder


def report(values: dict[str, Any]) -> None:
    sys.stdout.write(f"{json.dumps(values)}\n")
    sys.stdout.flush()


def kills(root: Path) -> None:
    """Kills the first life at each of its steps, and after some of them the second at each of its own."""
    for first in count():
        status = one_round(root, first, None)[0]
        for second in count() if first % EVERY == 0 else ():
            if one_round(root, first, second)[1] == 0:
                break
        if status == 0:
            return


def one_round(root: Path, first: int, second: int | None) -> list[int]:
    """Two or three lives in a folder of their own, the last of which nobody kills; gives how each ended."""
    folder = new_folder(root, f"{first}-{second}")
    statuses = [forked(partial(speak, folder, first))]
    if second is not None:
        statuses.append(forked(partial(return_after, folder, second)))
    statuses.append(forked(partial(return_after, folder, None)))
    report({"first": first, "second": second, **found(folder, statuses)})
    return statuses


def rivals(root: Path) -> None:
    """Two processes are asked the same question and approve it at the same moment, again and again."""
    for number in range(6):
        folder = new_folder(root, str(number))
        forked(partial(leave_open, folder))
        ready, go = os.pipe(), os.pipe()
        children = []
        for _ in range(2):
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    os.close(go[1])
                    asyncio.run(approve_at_once(folder, ready[1], go[0]))
                    status = 0
                finally:
                    os._exit(status)
            children.append(child)
        os.close(go[0])
        for _ in children:
            os.read(ready[0], 1)
        os.close(go[1])  # both read its end at once
        statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        os.close(ready[0])
        os.close(ready[1])
        report({"round": number, **found(folder, statuses)})


def leave_open(folder: Path) -> None:
    """Asks for one fill, and is killed while it waits."""

    async def live() -> None:
        asking = turn(call("fill", target="title", value="new Title"))
        process = Process(folder, None, asking, approve=False)
        await process.engine.say(Utterance("u1", "fill"))
        await process.waiting.wait()
        os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(live())


async def approve_at_once(folder: Path, ready: int, go: int) -> None:
    process = Process(folder, None, approve=False)
    await process.engine.resume()
    await process.waiting.wait()
    os.write(ready, b".")
    os.read(go, 1)
    for proposal in process.asked:
        process.decide(proposal.id, proposal.target)
    await process.engine.wait_idle()


if __name__ == "__main__":
    {"kills": kills, "rivals": rivals}[sys.argv[1]](Path(sys.argv[2]))
