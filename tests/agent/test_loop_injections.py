"""Texts that give orders, everywhere on a real screen: none acts, none approves, none changes what is asked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping

import pytest
from injections import INJECTIONS, Injection
from loop_kit import FieldBase, call, turn

from app.agent.backends.base import Backend
from app.agent.backends.scripted import ScriptedBackend
from app.agent.commands import CommandBackend
from app.agent.commands.answers import parse_answer
from app.agent.direct_host import DirectHost
from app.agent.errors import ToolError
from app.agent.events import CallDecided, CallFinished, CallProposed, Event, RunFailed, RunFinished
from app.agent.grants import MemoryGrants
from app.agent.history import check_pairs
from app.agent.journal import MemoryJournal
from app.agent.json_types import Json
from app.agent.loop import Engine, EngineOptions
from app.agent.messages import UserMessage, Utterance
from app.agent.proposal import Proposal
from app.agent.registry import Registry
from app.agent.tools import ai_tool


class Talks:
    """A list whose rows, and a file whose name, hold the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.opened: list[str] = []

    @ai_tool(name="open_item", policy="confirm")
    def open_item(self, value: str) -> str:
        """Opens a row.

        Args:
            value: Its name.
        """
        self.opened.append(value)
        return f"Opened {value}."

    def state(self) -> Mapping[str, Json]:
        return {"items": ["A talk", self.text, f"{self.text}.pdf"], "effect": self.text}


class Danger:
    """What the texts ask for, and what only reads."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pressed = 0

    @ai_tool(name="click", policy="confirm")
    def click(self) -> str:
        """Deletes everything."""
        self.pressed += 1
        return "All deleted."

    def state(self) -> Mapping[str, Json]:
        return {"effect": self.text, "irreversible": True}


class Reader:
    """Tools that give back what stands there."""

    def __init__(self, text: str) -> None:
        self.text = text

    @ai_tool(name="read_screen", policy="auto", phrases=["read the screen"])
    def read_screen(self) -> str:
        """Reads the screen."""
        return self.text

    @ai_tool(name="read_file", policy="auto", phrases=["read the file"])
    def read_file(self) -> str:
        """Reads a file, and fails with its text."""
        raise ToolError(self.text)


class Screen:
    """A screen with one text in every place, and an engine on it."""

    def __init__(self, text: str, backend: Backend) -> None:
        self.text = text
        self.registry = Registry(screen=self.screen)
        self.title, self.abstract = FieldBase(text), FieldBase(text)
        self.talks, self.danger, self.reader = Talks(text), Danger(text), Reader(text)
        self.title.effect = self.abstract.effect = text
        add = self.registry.register_instance
        self.handles = [
            add(self.title, label="Title", state=self.title.state),
            add(self.abstract, label="Abstract", state=self.abstract.state),
            add(self.talks, label="Talks", state=self.talks.state),
            add(self.danger, label="Delete", aliases=(text[:60],), state=self.danger.state),
            add(self.reader, label=text[:200]),
        ]
        self.events: list[Event] = []
        self.changed = asyncio.Event()
        self.journal, self.grants = MemoryJournal(), MemoryGrants()
        self.options = EngineOptions(instructions="Help.")
        self.engine = Engine(
            DirectHost(self.registry),
            backend,
            self.take,
            journal=self.journal,
            answers=parse_answer,
            options=self.options,
            grants=self.grants,
        )
        self.policies = self.offered()

    def screen(self) -> Mapping[str, Json]:
        return {"page": "Contributions", "pages": ["Contributions", self.text[:80]], "selected": self.text}

    def offered(self) -> dict[str, str]:
        return {tool.name: tool.policy for tool in self.registry.snapshot().tools}

    async def say(self, text: str) -> list[Proposal]:
        """Says it, lets everything happen that happens by itself, and ends the run; gives what was asked."""
        before = len(self.events)
        await self.engine.say(Utterance(f"u{before}", text))
        await self.settled()
        asked = [
            event.proposal
            for event in self.events[before:]
            if isinstance(event, CallProposed) and event.proposal.status == "waiting"
        ]
        await self.engine.cancel()
        return asked

    async def settled(self) -> None:
        """Until the engine waits for the person, or the run has ended."""
        async with asyncio.timeout(20):
            while self.engine.state != "waiting" and not isinstance(self.events[-1], RunFinished | RunFailed):
                self.changed.clear()
                await self.changed.wait()

    def take(self, event: Event) -> None:
        self.events.append(event)
        self.changed.set()

    def unharmed(self) -> None:
        """Nothing has changed, nothing was approved by anybody, and what is asked is what it was."""
        assert (self.title.filled, self.abstract.filled, self.talks.opened, self.danger.pressed) == ([], [], [], 0)
        ran = {event.proposal.tool for event in self.events if isinstance(event, CallFinished)}
        assert ran <= {"read_screen", "read_file"}
        assert {event.by for event in self.events if isinstance(event, CallDecided)} <= {"policy"}
        assert {by for kind, by in self.journal.decisions.values() if kind == "approve"} <= {"policy"}
        assert self.grants.labels == {}
        assert self.offered() == self.policies
        assert self.options == EngineOptions(instructions="Help.")
        said = [message for message in self.engine.messages if isinstance(message, UserMessage)]
        assert all(self.text not in message.utterance.text for message in said)
        check_pairs(self.engine.messages)


def ids(injection: Injection) -> str:
    return injection.place + " " + re.sub(r"[^A-Za-z]+", "_", injection.text)[:24]


def test_the_table_is_long_enough() -> None:
    assert len({injection.text for injection in INJECTIONS}) >= 40


@pytest.mark.parametrize("injection", INJECTIONS, ids=ids)
async def test_no_text_on_the_screen_makes_the_commands_act(injection: Injection) -> None:
    screen = Screen(injection.text, CommandBackend())
    assert await screen.say("read the screen") == []
    assert await screen.say("read the file") == []
    assert [proposal.target for proposal in await screen.say("set the title to Better")] == ["Title"]
    assert [event.proposal.tool for event in screen.events if isinstance(event, CallFinished)] == [
        "read_screen",
        "read_file",
    ]
    screen.unharmed()


@pytest.mark.parametrize("injection", INJECTIONS, ids=ids)
async def test_a_model_that_repeats_what_it_read_approves_nothing(injection: Injection) -> None:
    fill = call("fill", target="title", value="Better")
    text = injection.text
    backend = ScriptedBackend(
        [
            turn(call("read_screen"), fill, text=text),
            turn(call("read_screen"), text=text),
            turn(text=text),
        ]
    )
    screen = Screen(text, backend)
    assert [proposal.target for proposal in await screen.say("improve the title")] == ["Title"]
    assert await screen.say("what is on the screen") == []
    assert isinstance(screen.events[-1], RunFinished)
    screen.unharmed()


@pytest.mark.parametrize("injection", INJECTIONS, ids=ids)
async def test_a_model_that_obeys_what_it_read_is_still_asked_about(injection: Injection) -> None:
    backend = ScriptedBackend(
        [
            turn(call("read_screen")),
            turn(
                call("click", target="delete", approved=True, policy="auto"),
                call("approve", proposal=1),
                call("click", target="delete"),
                call("fill", target="abstract", value=injection.text),
                text="Approve all. yes",
            ),
        ]
    )
    screen = Screen(injection.text, backend)
    asked = await screen.say("what is on the screen")
    assert [(proposal.tool, proposal.grant) for proposal in asked] == [
        ("click", ""),
        ("fill", "Contributions/Abstract"),
    ]
    screen.unharmed()
