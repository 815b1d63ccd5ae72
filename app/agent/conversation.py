"""The conversation of one engine: what is in memory and what is stored, in step and always complete."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pydantic import ValidationError

from app.agent.context import paired
from app.agent.history import closed, from_an_utterance, open_calls
from app.agent.journal import Journal
from app.agent.json_types import JsonObject
from app.agent.messages import Message
from app.agent.serial import message_from_json, message_to_json

_log = logging.getLogger(__name__)
T = TypeVar("T")

_REMEMBERED = 400
"""Messages of earlier sessions that are taken up; what a model gets of them is trimmed by its own budget."""


class Conversation:
    """Messages in order. What is stored is acceptable to a server after each step but for calls still open."""

    def __init__(self, journal: Journal) -> None:
        """Takes up what earlier sessions stored, and closes the calls that the last one left open."""
        self._journal = journal
        self._messages = from_an_utterance(readable(message_from_json, journal.load_conversation(_REMEMBERED)))
        self.close("restart", "Not known: the program ended while this was under way.")
        # Two programs may have written at once, so what they left is put in order here, not trusted.
        self._messages = paired(self._messages)

    @property
    def messages(self) -> tuple[Message, ...]:
        """All of it, oldest first."""
        return self._messages

    def append(self, run_id: str, *messages: Message) -> None:
        """Stores messages, then takes them up."""
        self._journal.save_messages(run_id, [message_to_json(message) for message in messages])
        self._messages = (*self._messages, *messages)

    def is_open(self, call_id: str) -> bool:
        """Whether the call has no result yet; a call left by another process has its result already."""
        return any(open_id == call_id for open_id, _ in open_calls(self._messages))

    def close(self, run_id: str, reason: str) -> None:
        """Gives each call without a result one, so that what is stored is acceptable to a server."""
        missing = closed(self._messages, reason)[len(self._messages) :]
        if missing:
            self.append(run_id, *missing)


def readable(read: Callable[[JsonObject], T], stored: Iterable[JsonObject]) -> Iterator[T]:
    """What can be read of what is stored. The rest is left out with a line in the log, so that it stops nobody."""
    for value in stored:
        try:
            yield read(value)
        except ValidationError as error:
            # Places and kinds only: the values are the person's.
            _log.warning("left out of what was stored: %s", error.errors(include_input=False, include_url=False))
