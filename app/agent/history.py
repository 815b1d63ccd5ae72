"""The conversation as a list of messages that any Chat Completions server accepts, at every moment.

The pairing rule (OpenAI API reference, "Chat", tool messages): an assistant message with calls is followed by exactly
one tool message for each of its calls, in call order, before anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import dropwhile

from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage


class PairingError(ValueError):
    """A conversation breaks the pairing rule. A fault of the program, never of the person."""


def open_calls(messages: Sequence[Message]) -> tuple[tuple[str, str], ...]:
    """The (call id, tool) pairs at the end of `messages` that have no result yet, in call order."""
    answered: set[str] = set()
    for message in reversed(messages):
        if isinstance(message, ToolMessage):
            answered.add(message.call_id)
        elif isinstance(message, AssistantMessage):
            return tuple((call.id, call.name) for call in message.calls if call.id not in answered)
        else:
            break
    return ()


def closed(messages: Sequence[Message], reason: str) -> tuple[Message, ...]:
    """`messages`, with `reason` as the result of each call that has none: what every exit path stores."""
    return (*messages, *(ToolMessage(call_id, tool, reason, ok=False) for call_id, tool in open_calls(messages)))


def from_an_utterance(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The messages from the first utterance on: the end of a longer conversation, without a torn pair before it."""
    return tuple(dropwhile(lambda message: not isinstance(message, UserMessage), messages))


def check_pairs(messages: Iterable[Message]) -> None:
    """Checks the pairing rule over a whole conversation.

    Raises:
        PairingError: A call without its result, a result without its call, a wrong order, or an id used twice.
    """
    waiting: list[str] = []
    seen: set[str] = set()
    for index, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            if not waiting or waiting[0] != message.call_id:
                raise PairingError(f"message {index}: a result for {message.call_id!r}, expected {waiting[:1]}")
            waiting.pop(0)
            continue
        if waiting:
            raise PairingError(f"message {index}: calls without a result: {waiting}")
        if isinstance(message, AssistantMessage):
            for call in message.calls:
                if call.id in seen:
                    raise PairingError(f"message {index}: call id {call.id!r} used twice")
                seen.add(call.id)
                waiting.append(call.id)
    if waiting:
        raise PairingError(f"calls without a result at the end: {waiting}")
