"""Messages and proposals as JSON, and back: what the journal stores."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field, TypeAdapter

from app.agent.json_types import JsonObject
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage
from app.agent.proposal import Proposal


# Made at first use: each takes some 20 ms, which the window's first paint need not wait for.
@cache
def _messages() -> TypeAdapter[Message]:
    return TypeAdapter(Annotated[UserMessage | AssistantMessage | ToolMessage, Field(discriminator="role")])


@cache
def _proposals() -> TypeAdapter[Proposal]:
    return TypeAdapter(Proposal)


def message_to_json(message: Message) -> JsonObject:
    """A message as plain JSON values."""
    stored: JsonObject = _messages().dump_python(message, mode="json")
    return stored


def message_from_json(stored: JsonObject) -> Message:
    """The message that `message_to_json` stored.

    Raises:
        pydantic.ValidationError: It is not one.
    """
    return _messages().validate_python(stored)


def proposal_to_json(proposal: Proposal) -> JsonObject:
    """A proposal as plain JSON values."""
    stored: JsonObject = _proposals().dump_python(proposal, mode="json")
    return stored


def proposal_from_json(stored: JsonObject) -> Proposal:
    """The proposal that `proposal_to_json` stored.

    Raises:
        pydantic.ValidationError: It is not one.
    """
    return _proposals().validate_python(stored)
