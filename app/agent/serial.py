"""Messages and proposals as JSON, and back: what the journal stores."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, TypeAdapter

from app.agent.json_types import JsonObject
from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage
from app.agent.proposal import Proposal

_MESSAGE: TypeAdapter[Message] = TypeAdapter(
    Annotated[UserMessage | AssistantMessage | ToolMessage, Field(discriminator="role")]
)
_PROPOSAL: TypeAdapter[Proposal] = TypeAdapter(Proposal)


def message_to_json(message: Message) -> JsonObject:
    """A message as plain JSON values."""
    stored: JsonObject = _MESSAGE.dump_python(message, mode="json")
    return stored


def message_from_json(stored: JsonObject) -> Message:
    """The message that `message_to_json` stored.

    Raises:
        pydantic.ValidationError: It is not one.
    """
    return _MESSAGE.validate_python(stored)


def proposal_to_json(proposal: Proposal) -> JsonObject:
    """A proposal as plain JSON values."""
    stored: JsonObject = _PROPOSAL.dump_python(proposal, mode="json")
    return stored


def proposal_from_json(stored: JsonObject) -> Proposal:
    """The proposal that `proposal_to_json` stored.

    Raises:
        pydantic.ValidationError: It is not one.
    """
    return _PROPOSAL.validate_python(stored)
