"""A small screen of plain objects, and an engine on it: what the loop's tests share."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app.agent.backends.base import Backend, TurnEnd
from app.agent.backends.scripted import ScriptedBackend
from app.agent.direct_host import DirectHost
from app.agent.errors import ToolError
from app.agent.events import CallDecided, CallFinished, CallProposed, Event, RunFailed, RunFinished, StateChanged
from app.agent.grants import MemoryGrants
from app.agent.history import check_pairs
from app.agent.host import Host
from app.agent.journal import Journal, MemoryJournal
from app.agent.json_types import Json
from app.agent.loop import Engine, EngineOptions
from app.agent.messages import ToolCall, ToolMessage, Utterance
from app.agent.proposal import Decision, Proposal
from app.agent.registry import Registry
from app.agent.snapshot import BoundCall, Preview, Snapshot
from app.agent.tools import ai_tool


class FieldBase:
    """What a text field on screen is to the registry."""

    def __init__(self, value: str = "") -> None:
        self.value = value
        self.filled: list[str] = []
        self.irreversible = False
        self.effect = ""

    @property
    def fills(self) -> int:
        return len(self.filled)

    @ai_tool(name="fill", policy="confirm")
    def fill(self, value: str) -> str:
        """Puts a value into a field.

        Args:
            value: The text to put in.
        """
        self.filled.append(value)
        self.value = value
        return f"Value is {value}."

    def state(self) -> dict[str, Json]:
        return {"value": self.value, "irreversible": self.irreversible, "effect": self.effect}

    def preview_call(self, _tool: str, arguments: dict[str, str]) -> Preview:
        if arguments["value"] == "refused":
            raise ToolError("This field takes anything but that.")
        return Preview(before=self.value, after=arguments["value"], effect=self.effect)


class Lamp:
    """A thing with an action that reads, one that changes, and one that always fails."""

    def __init__(self) -> None:
        self.on = False
        self.runs = 0

    @ai_tool(name="switch", policy="confirm")
    def switch(self) -> str:
        """Switches the lamp over."""
        self.on = not self.on
        self.runs += 1
        return f"The lamp is {'on' if self.on else 'off'}."

    @ai_tool(name="look", policy="auto")
    def look(self) -> str:
        """Says whether the lamp is on."""
        self.runs += 1
        return "on" if self.on else "off"

    @ai_tool(name="explode", policy="confirm")
    def explode(self) -> str:
        """Fails always."""
        raise RuntimeError("boom")


@dataclass(frozen=True)
class SimpleAnswer:
    kind: Literal["approve", "reject", "cancel"]
    positions: tuple[int, ...] = ()


def simple_answers(utterance: Utterance, _waiting: Sequence[Proposal]) -> SimpleAnswer | None:
    """Knows "approve", "reject", "approve 2": the grammar of answers has tests of its own."""
    word, _, number = utterance.text.partition(" ")
    if word == "approve":
        return SimpleAnswer("approve", (int(number),) if number else ())
    if word == "reject":
        return SimpleAnswer("reject", (int(number),) if number else ())
    return SimpleAnswer("cancel") if word == "cancel" else None


def call(name: str, _id: str = "", **arguments: object) -> ToolCall:
    return ToolCall(_id, name, json.dumps(arguments), confidence=0.95)


def turn(*calls: ToolCall, text: str = "", **more: object) -> TurnEnd:
    return TurnEnd(text=text, calls=calls, finish="tool_calls" if calls else "stop", **more)  # type: ignore[arg-type]


@dataclass
class Bench:
    """A screen with a title, a subtitle and a lamp; an engine; everything it said."""

    backend: Backend
    journal: Journal = field(default_factory=MemoryJournal)
    options: EngineOptions = field(default_factory=EngineOptions)
    on_event: Callable[[Event], None] | None = None
    grants: Any = field(default_factory=MemoryGrants)
    host: Callable[[Registry], Host] = DirectHost

    def __post_init__(self) -> None:
        self.page, self.record = "Test", "first"
        self.registry = Registry(screen=self.screen)
        self.title, self.subtitle, self.lamp = FieldBase("old"), FieldBase("sub"), Lamp()
        self.title_handle = self.registry.register_instance(self.title, label="Title", state=self.title.state)
        self.subtitle_handle = self.registry.register_instance(
            self.subtitle, label="Subtitle", state=self.subtitle.state
        )
        self.lamp_handle = self.registry.register_instance(self.lamp, label="Lamp")
        self.events: list[Event] = []
        self._changed = asyncio.Event()
        self.engine = Engine(
            self.host(self.registry),
            self.backend,
            self._emit,
            journal=self.journal,
            answers=simple_answers,
            options=self.options,
            grants=self.grants,
        )

    def screen(self) -> dict[str, str]:
        return {"page": self.page, "selected_id": self.record, "selected": self.record.title()}

    def _emit(self, event: Event) -> None:
        self.events.append(event)
        self._changed.set()
        if self.on_event:
            self.on_event(event)

    def touch_all(self) -> None:
        for handle in (self.title_handle, self.subtitle_handle, self.lamp_handle):
            handle.touch()

    async def say(self, text: str) -> None:
        await self.engine.say(Utterance(f"u{len(self.events)}", text))

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits for a state, as told by the events."""
        async with asyncio.timeout(10):
            while not condition():
                self._changed.clear()
                await self._changed.wait()

    async def waiting(self) -> list[Proposal]:
        """Waits until the person is asked, and gives what is asked."""
        await self.until(lambda: self.engine.state == "waiting")
        return self.open()

    async def ended(self) -> RunFinished | RunFailed:
        await self.engine.wait_idle()
        last = [event for event in self.events if isinstance(event, RunFinished | RunFailed)][-1]
        check_pairs(self.engine.messages)
        return last

    def proposals(self) -> dict[str, Proposal]:
        newest: dict[str, Proposal] = {}
        for event in self.events:
            if isinstance(event, CallProposed | CallDecided | CallFinished):
                newest[event.proposal.id] = event.proposal
        return newest

    def open(self) -> list[Proposal]:
        return [p for p in self.proposals().values() if p.status in ("waiting", "refused")]

    def decide(
        self, proposal: Proposal, kind: Literal["approve", "reject"] = "approve", *, always: bool = False
    ) -> bool:
        return self.engine.decide(Decision(proposal.id, kind, always=always))

    async def approve_all(self) -> RunFinished | RunFailed:
        """Approves whatever is asked, one after the other, until the run has ended."""

        def approve(event: Event) -> None:
            if isinstance(event, CallProposed) and event.proposal.status == "waiting":
                asyncio.get_running_loop().call_soon(self.decide, event.proposal)

        self.on_event = approve
        for proposal in self.open():
            self.decide(proposal)
        return await self.ended()

    def deciders(self) -> list[str]:
        """Who decided each proposal, in order."""
        return [event.by for event in self.events if isinstance(event, CallDecided)]

    def results(self) -> list[ToolMessage]:
        return [message for message in self.engine.messages if isinstance(message, ToolMessage)]

    def finished(self) -> list[CallFinished]:
        return [event for event in self.events if isinstance(event, CallFinished)]

    def states(self) -> list[str]:
        return [event.state for event in self.events if isinstance(event, StateChanged)]


def scripted(*steps: object) -> ScriptedBackend:
    return ScriptedBackend(list(steps))  # type: ignore[arg-type]


class Gate:
    """Holds a step of the host until it is opened."""

    def __init__(self, after: int = 0) -> None:
        self.left = after
        self._reached, self._open = asyncio.Event(), asyncio.Event()

    async def reached(self) -> None:
        async with asyncio.timeout(10):
            await self._reached.wait()

    def open(self) -> None:
        self._open.set()

    async def wait(self) -> None:
        if self.left:
            self.left -= 1
            return
        self._reached.set()
        await self._open.wait()


class GatedHost(DirectHost):
    """The real host, whose steps can be held at a gate, as a busy GUI thread holds them."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(registry)
        self.gates: dict[str, Gate] = {}

    def hold(self, step: str, after: int = 0) -> Gate:
        """Holds that step, from now on after so many that pass."""
        self.gates[step] = Gate(after)
        return self.gates[step]

    async def _pass(self, step: str) -> None:
        if step in self.gates:
            await self.gates[step].wait()

    async def snapshot(self) -> Snapshot:
        await self._pass("snapshot")
        return await super().snapshot()

    async def preview(self, call: BoundCall) -> Preview:
        preview = await super().preview(call)
        await self._pass("preview")
        return preview

    async def execute(self, call: BoundCall) -> str:
        await self._pass("execute")
        return await super().execute(call)

    async def begin(self, run_id: str, title: str) -> None:
        await self._pass("begin")
        await super().begin(run_id, title)

    async def end(self, run_id: str) -> None:
        await self._pass("end")
        await super().end(run_id)


class GatedBench(Bench):
    """A bench whose host is a `GatedHost`."""

    def __init__(self, backend: Backend, **more: Any) -> None:
        self.gated: GatedHost
        super().__init__(backend, host=self._host, **more)

    def _host(self, registry: Registry) -> GatedHost:
        self.gated = GatedHost(registry)
        return self.gated
