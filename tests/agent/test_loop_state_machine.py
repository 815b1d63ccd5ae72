"""The loop under everything at once: utterances, decisions, cancels, changes of the screen, faults, and kills.

Checked after each step: what is stored is acceptable to a server, no action ran twice, and none ran without an approval
or a grant.
The journal is the real one, on SQLite.
"""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from loop_kit import FieldBase, call, simple_answers, turn

from app.agent.backends.base import Finish, Part, TurnEnd, TurnRequest
from app.agent.direct_host import DirectHost
from app.agent.errors import BackendError
from app.agent.events import CallFinished, CallProposed, Event
from app.agent.handles import InstanceHandle
from app.agent.history import check_pairs, closed
from app.agent.json_types import JsonObject
from app.agent.loop import Engine
from app.agent.messages import Utterance
from app.agent.proposal import Decision, Proposal
from app.agent.registry import Registry
from app.agent.serial import message_from_json
from app.agent.snapshot import BoundCall
from app.store.database import Database
from app.store.grants import Grants
from app.store.journal import SqlJournal

LABELS = ("Title", "Subtitle", "City")
FINISHES: tuple[Finish, ...] = ("tool_calls", "tool_calls", "stop", "length", "incomplete", "content_filter")


@cache
def empty_database() -> bytes:
    """A database with its tables: making them anew takes a third of an example's time."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "journal.db"
        Database.open(f"sqlite:///{file}").database.close()
        return file.read_bytes()


class Killed(BaseException):
    """What a process feels of kill -9: from here on it does nothing more."""


class Life:
    """Counts the steps a process has left; a dead one writes nothing and touches nothing."""

    def __init__(self) -> None:
        self.steps_left: int | None = None
        self.over = False

    def step(self) -> None:
        if self.steps_left is not None:
            if self.steps_left <= 0:
                self.over = True
                raise Killed
            self.steps_left -= 1


class MortalJournal:
    """The real journal, in a process that can be killed before any of its writes."""

    def __init__(self, inner: SqlJournal, life: Life) -> None:
        self._inner, self._life = inner, life

    def together(self) -> AbstractContextManager[None]:
        return self._inner.together()

    def save_messages(self, run_id: str, messages: Sequence[JsonObject]) -> None:
        self._life.step()
        self._inner.save_messages(run_id, messages)

    def load_conversation(self, limit: int | None = None) -> list[JsonObject]:
        return self._inner.load_conversation(limit)

    def save_proposal(self, proposal_id: str, run_id: str, status: str, proposal: JsonObject) -> None:
        self._life.step()
        self._inner.save_proposal(proposal_id, run_id, status, proposal)

    def record_decision(self, proposal_id: str, kind: str, by: str) -> bool:
        self._life.step()
        return self._inner.record_decision(proposal_id, kind, by)

    def record_start(self, proposal_id: str) -> bool:
        self._life.step()
        return self._inner.record_start(proposal_id)

    def record_outcome(self, proposal_id: str, ok: bool, message: str) -> None:
        self._life.step()
        self._inner.record_outcome(proposal_id, ok, message)

    def open_proposals(self) -> list[JsonObject]:
        return self._inner.open_proposals()

    def approved_not_started(self) -> list[JsonObject]:
        return self._inner.approved_not_started()

    def started_without_outcome(self) -> list[JsonObject]:
        return self._inner.started_without_outcome()


class MortalHost(DirectHost):
    """The real host, in the same process."""

    def __init__(self, registry: Registry, life: Life) -> None:
        super().__init__(registry)
        self._life = life

    async def execute(self, call: BoundCall) -> str:
        self._life.step()
        return await super().execute(call)


class PlannedBackend:
    """Answers with what the machine has planned for the next turns, and with a farewell when that is used up."""

    name = "planned"

    def __init__(self) -> None:
        self.plan: list[TurnEnd | BackendError] = []

    async def stream(self, _request: TurnRequest) -> AsyncGenerator[Part]:
        step = self.plan.pop(0) if self.plan else turn(text="Done.")
        if isinstance(step, BackendError):
            raise step
        yield step


class LoopMachine(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        file = Path(self.folder.name) / "journal.db"
        file.write_bytes(empty_database())
        self.database = Database.open(f"sqlite:///{file}").database
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(self.fault)
        self.numbers = itertools.count()
        self.fields = {label: FieldBase() for label in LABELS}
        self.effects: Counter[str] = Counter()
        self.approved: set[str] = set()
        self.granted: set[str] = set()
        self.born()

    def born(self) -> None:
        """Starts a process on what the one before has left."""
        self.life = Life()
        self.registry = Registry(screen=None)
        self.handles: dict[str, InstanceHandle] = {}
        for label, field in self.fields.items():
            self.handles[label] = self.registry.register_instance(field, label=label, state=field.state)
        self.backend = PlannedBackend()
        self.proposals: dict[str, Proposal] = {}
        self.engine = self.loop.run_until_complete(self.make())
        self.loop.run_until_complete(self.engine.resume())
        journal = SqlJournal(self.database)
        assert journal.started_without_outcome() == [], "an action of the last process was lost without a word"
        lost = [each for each in journal.approved_not_started() if each["status"] in ("waiting", "approved", "running")]
        assert lost == [], "an approval of the last process was lost without a word"
        self.settle()

    async def make(self) -> Engine:
        return Engine(
            MortalHost(self.registry, self.life),
            self.backend,
            self.take,
            journal=MortalJournal(SqlJournal(self.database), self.life),
            answers=simple_answers,
            grants=Grants(self.database),
        )

    def take(self, event: Event) -> None:
        if isinstance(event, CallProposed | CallFinished):
            self.proposals[event.proposal.id] = event.proposal
        if isinstance(event, CallFinished):
            for handle in self.handles.values():
                handle.touch()

    def settle(self) -> None:
        """Lets the engine work until it waits for somebody, or the process is dead."""

        async def work() -> None:
            for _ in range(150):
                await asyncio.sleep(0)  # one turn of the event loop; no time passes

        self.loop.run_until_complete(work())
        if self.life.over:
            self.die()

    @staticmethod
    def fault(_loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """Nobody asks how a task of a killed process ended; any other fault fails the test."""
        assert isinstance(context.get("exception"), Killed), context

    def die(self) -> None:
        self.life.steps_left = 0
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        pending = asyncio.all_tasks(self.loop)
        while pending:
            with suppress(Killed):  # each task of a dead process ends so
                self.loop.run_until_complete(asyncio.gather(*pending, return_exceptions=True))
            pending = asyncio.all_tasks(self.loop)
        self.count_effects()
        self.born()

    def do(self, work: object) -> None:
        with suppress(Killed):
            self.loop.run_until_complete(work)  # type: ignore[arg-type]
        self.settle()

    def open(self) -> list[Proposal]:
        return [p for p in self.proposals.values() if p.status in ("waiting", "refused")]

    @rule(
        labels=st.lists(st.sampled_from([*LABELS, "Nowhere"]), max_size=3),
        finishes=st.lists(st.sampled_from(FINISHES), min_size=1, max_size=2),
        fault=st.booleans(),
    )
    def say(self, labels: list[str], finishes: list[Finish], fault: bool) -> None:
        self.backend.plan = []
        for finish in finishes:
            calls = []
            for target in labels:
                value = f"value {next(self.numbers)}"
                calls.append(call("fill", "same-id", target=self.handle(target), value=value))
                if target in self.granted:
                    self.approved.add(value)
            self.backend.plan.append(TurnEnd("Well.", tuple(calls), finish))
        if fault:
            self.backend.plan.append(BackendError("The server is down.", kind="unreachable"))
        self.do(self.engine.say(Utterance(f"u{next(self.numbers)}", "do it")))

    def handle(self, label: str) -> str:
        handle = self.handles.get(label)
        return handle.handle if handle else "nowhere"

    @precondition(lambda self: self.open())
    @rule(index=st.integers(0, 5), approve=st.booleans(), times=st.integers(1, 2), always=st.booleans())
    def decide(self, index: int, approve: bool, times: int, always: bool) -> None:
        waiting = self.open()
        chosen = waiting[index % len(waiting)]
        if approve and chosen.status == "waiting":
            self.approved.add(str(chosen.arguments["value"]))
            if always and chosen.grant:
                self.granted.add(chosen.target)

        async def decide() -> None:
            for _ in range(times):
                self.engine.decide(Decision(chosen.id, "approve" if approve else "reject", always=always))

        self.do(decide())

    @precondition(lambda self: self.open())
    @rule(text=st.sampled_from(["approve", "reject", "approve 1", "reject 2"]))
    def answer(self, text: str) -> None:
        if text.startswith("approve"):
            self.approved.update(str(p.arguments["value"]) for p in self.open() if p.status == "waiting")
        self.do(self.engine.say(Utterance(f"u{next(self.numbers)}", text)))

    @precondition(lambda self: self.open())
    @rule(index=st.integers(0, 5))
    def edit(self, index: int) -> None:
        waiting = self.open()
        value = f"value {next(self.numbers)}"
        self.do(self.engine.edit(waiting[index % len(waiting)].id, {"value": value}))

    @precondition(lambda self: self.granted)
    @rule()
    def revoke(self) -> None:
        for label in self.granted:
            Grants(self.database).revoke("fill", label)
        self.granted.clear()

    @rule()
    def cancel(self) -> None:
        self.do(self.engine.cancel())

    @rule(label=st.sampled_from(LABELS))
    def the_screen_changes(self, label: str) -> None:
        if label in self.handles:
            self.handles.pop(label).dispose()
        else:
            field = self.fields[label]
            self.handles[label] = self.registry.register_instance(field, label=label, state=field.state)
        self.settle()

    @rule(label=st.sampled_from(LABELS))
    def somebody_types(self, label: str) -> None:
        self.fields[label].value = f"typed {next(self.numbers)}"
        if label in self.handles:
            self.handles[label].touch()

    @rule(steps=st.integers(0, 8))
    def the_process_will_be_killed(self, steps: int) -> None:
        self.life.steps_left = steps

    @rule()
    def the_process_is_killed_now(self) -> None:
        self.die()

    def count_effects(self) -> None:
        for field in self.fields.values():
            for value in field.filled:
                self.effects[value] += 1
            field.filled.clear()

    @invariant()
    def nothing_runs_twice_and_nothing_runs_unapproved(self) -> None:
        if hasattr(self, "effects"):
            self.count_effects()
            assert all(count == 1 for count in self.effects.values()), self.effects
            assert set(self.effects) <= self.approved

    @invariant()
    def the_stored_conversation_is_acceptable(self) -> None:
        if hasattr(self, "database"):
            stored = [message_from_json(each) for each in SqlJournal(self.database).load_conversation()]
            check_pairs(closed(stored, "open"))
            if self.engine.state == "idle":
                check_pairs(self.engine.messages)

    def teardown(self) -> None:
        if hasattr(self, "loop"):
            self.life.steps_left = None
            self.loop.run_until_complete(self.engine.cancel())
            self.loop.close()
            self.database.close()
            self.folder.cleanup()


LoopMachine.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
test_the_loop_under_everything_at_once = LoopMachine.TestCase
