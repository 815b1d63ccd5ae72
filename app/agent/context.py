"""Fits a conversation into what a model can read: whole turns go, never half of a call and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.agent.messages import AssistantMessage, Message, ToolMessage, UserMessage

RESULT_LIMIT = 6_000
"""Characters of a tool result that a model is sent at most."""

OLD_RESULT_LIMIT = 400
"""Characters kept of a result when there is not enough room."""

MISSING_RESULT = "No result was recorded for this call."

_NOTE_CHARACTERS = 50
_MESSAGE_TOKENS = 4
_BYTES_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is: a quarter of its UTF-8 bytes, which suits prose and JSON alike."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_PER_TOKEN)


def bounded(text: str, limit: int = RESULT_LIMIT) -> str:
    """`text`, or its beginning and end with a note of what was left out between them.

    Args:
        text: Any text.
        limit: Characters of all of it, the note included; at least 100.
    """
    if len(text) <= limit:
        return text
    room = limit - _NOTE_CHARACTERS
    tail = room // 3
    return f"{text[: room - tail]}\n[... {len(text) - room} characters left out ...]\n{text[-tail:]}"


def message_tokens(message: Message) -> int:
    """About how many tokens a message is on the wire."""
    if isinstance(message, UserMessage):
        size = estimate_tokens(message.utterance.text)
    elif isinstance(message, AssistantMessage):
        size = estimate_tokens(message.text or message.refusal)
        size += sum(estimate_tokens(call.name + call.arguments) + _MESSAGE_TOKENS for call in message.calls)
    else:
        size = estimate_tokens(message.content)
    return size + _MESSAGE_TOKENS


def paired(messages: Sequence[Message]) -> tuple[Message, ...]:
    """`messages` so that each call is followed by exactly one result, in call order, and no result stands alone.

    The loop stores them so; a conversation that was saved by a process that died may lack the last results.
    """
    repaired: list[Message] = []
    results: dict[str, ToolMessage] = {}
    for message in messages:
        if isinstance(message, ToolMessage):
            results.setdefault(message.call_id, message)
    for message in messages:
        if isinstance(message, ToolMessage):
            continue
        repaired.append(message)
        if isinstance(message, AssistantMessage):
            repaired.extend(
                results.get(call.id, ToolMessage(call.id, call.name, MISSING_RESULT, ok=False))
                for call in message.calls
            )
    return tuple(repaired)


def trim(messages: Sequence[Message], budget_tokens: int) -> tuple[Message, ...]:
    """The newest part of a conversation that fits, with pairs intact.

    What gives way, in this order: long results but those of the last turn are shortened; the oldest utterances go with
    everything that answered them; then the oldest turns of the run being answered; then the last results are
    shortened. The utterance being answered and the newest turn always stay.

    Args:
        messages: The conversation, oldest first.
        budget_tokens: Room for it, as `estimate_tokens` counts.
    """
    turns = [_shortened(turn, RESULT_LIMIT) for turn in _turns(paired(messages))]
    if _size(turns) <= budget_tokens:
        return _flat(turns)
    turns = [_shortened(turn, OLD_RESULT_LIMIT) for turn in turns[:-1]] + turns[-1:]
    current = max((index for index, turn in enumerate(turns) if isinstance(turn[0], UserMessage)), default=0)
    while current > 0 and _size(turns) > budget_tokens:
        end = next((i for i in range(1, current) if isinstance(turns[i][0], UserMessage)), current)
        del turns[:end]
        current -= end
    while len(turns) > 2 and _size(turns) > budget_tokens:
        del turns[1]
    if _size(turns) > budget_tokens:
        turns = [_shortened(turn, OLD_RESULT_LIMIT) for turn in turns]
    return _flat(turns)


def _turns(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """Groups that stay or go as one: a message, with the results that follow it."""
    turns: list[tuple[Message, ...]] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            turns[-1] = (*turns[-1], message)
        else:
            turns.append((message,))
    return turns


def _shortened(turn: tuple[Message, ...], limit: int) -> tuple[Message, ...]:
    return tuple(
        replace(message, content=bounded(message.content, limit)) if isinstance(message, ToolMessage) else message
        for message in turn
    )


def _size(turns: Sequence[tuple[Message, ...]]) -> int:
    return sum(message_tokens(message) for turn in turns for message in turn)


def _flat(turns: Sequence[tuple[Message, ...]]) -> tuple[Message, ...]:
    return tuple(message for turn in turns for message in turn)
