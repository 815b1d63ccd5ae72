"""One backend turn: asks, streams, and says whether what came back may have side effects."""

from __future__ import annotations

import asyncio
import secrets
import string
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace

from app.agent.backends.base import Backend, ReasoningPart, TextPart, TurnEnd, TurnRequest
from app.agent.errors import BackendError
from app.agent.events import Event, ReasoningDelta, TextDelta
from app.agent.messages import AssistantMessage, Message, ToolCall

_ID_ALPHABET = string.ascii_letters + string.digits

_UNUSABLE = {
    "length": ("The answer was cut off before it was complete.", "Nothing was done. Ask for less at once."),
    "content_filter": ("The server withheld the answer.", "Nothing was done. Say it in other words."),
    "incomplete": ("The connection broke off in the middle of the answer.", "Nothing was done. Try again."),
}


def new_call_id() -> str:
    """Nine alphanumerics: the strictest form that servers ask of a call id (Mistral's API)."""
    return "".join(secrets.choice(_ID_ALPHABET) for _ in range(9))


async def ask_backend(
    backend: Backend, request: TurnRequest, run_id: str, emit: Callable[[Event], None], timeout_s: float
) -> TurnEnd:
    """Runs one turn and streams its text as events.

    Returns:
        The whole turn. Its calls are complete and may be run; nothing else comes back.

    Raises:
        BackendError: The backend failed, took too long, or gave an answer on which nothing may run.
    """
    end: TurnEnd | None = None
    try:
        async with asyncio.timeout(timeout_s):
            async with aclosing(backend.stream(request)) as parts:
                async for part in parts:
                    if isinstance(part, TextPart):
                        emit(TextDelta(run_id, part.text))
                    elif isinstance(part, ReasoningPart):
                        emit(ReasoningDelta(run_id, part.text))
                    else:
                        end = part
    except TimeoutError as error:
        raise BackendError(
            f"No answer within {timeout_s:.0f} seconds.", kind="timeout", hint="Nothing was done. Try again."
        ) from error
    if end is None:
        raise BackendError("The backend ended without an answer.", kind="bad_answer", hint="Try again.")
    if end.finish in _UNUSABLE:
        message, hint = _UNUSABLE[end.finish]
        raise BackendError(end.notice or message, kind="bad_answer", hint=hint)
    if end.finish != "declined" and not (end.text or end.calls or end.refusal or end.notice):
        raise BackendError("The answer was empty.", kind="bad_answer", hint="Nothing was done. Try again.")
    return end


def with_unique_ids(calls: tuple[ToolCall, ...], conversation: tuple[Message, ...]) -> tuple[ToolCall, ...]:
    """Gives an id of its own to each call whose id is missing, or was used before in the conversation."""
    seen = {call.id for message in conversation if isinstance(message, AssistantMessage) for call in message.calls}
    unique: list[ToolCall] = []
    for call in calls:
        kept = call if call.id and call.id not in seen else replace(call, id=new_call_id())
        seen.add(kept.id)
        unique.append(kept)
    return tuple(unique)
