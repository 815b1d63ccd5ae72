"""What must outlive the process: the conversation, the proposals, and that each decision runs once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Protocol

from app.agent.json_types import JsonObject


class Journal(Protocol):
    """Each method is one committed step, or a part of one: a kill between any two loses nothing and repeats nothing."""

    def together(self) -> AbstractContextManager[None]:
        """Makes what is recorded within one committed step: all of it is stored at the end, or none.

        From one thread, not within another one, and nothing may be awaited or told within.
        """

    def save_messages(self, run_id: str, messages: Sequence[JsonObject]) -> None:
        """Appends messages to the conversation."""

    def load_conversation(self, limit: int | None = None) -> list[JsonObject]:
        """The stored conversation, oldest first; with `limit`, the newest that many."""

    def save_proposal(self, proposal_id: str, run_id: str, status: str, proposal: JsonObject) -> None:
        """Stores a proposal, or its newest form."""

    def record_decision(self, proposal_id: str, kind: str, by: str) -> bool:
        """Stores a decision; False where one was stored before, from anywhere."""

    def record_start(self, proposal_id: str) -> bool:
        """Marks the call as begun; False where it was begun before: then it must not run."""

    def record_outcome(self, proposal_id: str, ok: bool, message: str) -> None:
        """Stores how it went."""

    def open_proposals(self) -> list[JsonObject]:
        """Proposals that wait for a decision, oldest first."""

    def approved_not_started(self) -> list[JsonObject]:
        """Proposals that were approved and never begun, oldest first."""

    def started_without_outcome(self) -> list[JsonObject]:
        """Proposals that were under way when the process ended."""


@dataclass
class MemoryJournal:
    """A journal for a program that keeps nothing: examples, and windows without a store."""

    messages: list[tuple[str, JsonObject]] = field(default_factory=list)
    proposals: dict[str, tuple[str, str, JsonObject]] = field(default_factory=dict)
    decisions: dict[str, tuple[str, str]] = field(default_factory=dict)
    started: set[str] = field(default_factory=set)
    outcomes: dict[str, tuple[bool, str]] = field(default_factory=dict)

    def together(self) -> AbstractContextManager[None]:
        """Nothing more: it is all gone with the process."""
        return nullcontext()

    def save_messages(self, run_id: str, messages: Sequence[JsonObject]) -> None:
        """Appends messages to the conversation."""
        self.messages.extend((run_id, message) for message in messages)

    def load_conversation(self, limit: int | None = None) -> list[JsonObject]:
        """The conversation so far."""
        messages = [message for _, message in self.messages]
        return messages[-limit:] if limit else messages

    def save_proposal(self, proposal_id: str, run_id: str, status: str, proposal: JsonObject) -> None:
        """Keeps the newest form of a proposal."""
        self.proposals[proposal_id] = (run_id, status, proposal)

    def record_decision(self, proposal_id: str, kind: str, by: str) -> bool:
        """Keeps the first decision."""
        if proposal_id in self.decisions:
            return False
        self.decisions[proposal_id] = (kind, by)
        return True

    def record_start(self, proposal_id: str) -> bool:
        """True once."""
        if proposal_id in self.started:
            return False
        self.started.add(proposal_id)
        return True

    def record_outcome(self, proposal_id: str, ok: bool, message: str) -> None:
        """Keeps how it went."""
        self.outcomes[proposal_id] = (ok, message)

    def open_proposals(self) -> list[JsonObject]:
        """Proposals still waiting."""
        return [
            stored
            for key, (_, status, stored) in self.proposals.items()
            if status in ("waiting", "refused") and key not in self.decisions and key not in self.started
        ]

    def approved_not_started(self) -> list[JsonObject]:
        """Proposals approved and never begun."""
        approved = [key for key, (kind, _) in self.decisions.items() if kind == "approve" and key not in self.started]
        return [self.proposals[key][2] for key in approved if key in self.proposals]

    def started_without_outcome(self) -> list[JsonObject]:
        """Proposals begun and not ended."""
        return [self.proposals[key][2] for key in self.started if key in self.proposals and key not in self.outcomes]
