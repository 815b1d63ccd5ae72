"""The one protocol that every backend speaks."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from app.agent.messages import Message, ToolCall
from app.agent.snapshot import Snapshot

Finish: TypeAlias = Literal["stop", "tool_calls", "length", "content_filter", "incomplete", "declined"]
"""Why a turn ended. Only `stop` and `tool_calls` may have side effects. `incomplete`: the stream broke off.
`declined`: the command grammar does not know the sentence (never from a model)."""


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """One turn to answer.

    Attributes:
        messages: The conversation, oldest first; the last user message is the utterance being answered.
        snapshot: The screen now: its tools are the only ones that may be called.
        instructions: The system prompt. Holds nothing that came from the screen or the store.
    """

    messages: tuple[Message, ...]
    snapshot: Snapshot
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of the answer, as it streams."""

    text: str
    type: Literal["text"] = "text"


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    """A piece of the model's reasoning, as it streams."""

    text: str
    type: Literal["reasoning"] = "reasoning"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; 0 where it does not say."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The whole answer of a turn: always the last part, exactly once.

    Attributes:
        text, reasoning, refusal: Complete texts.
        calls: In the order they are to run. Calls that cannot be parsed are in here too: validation answers them.
        finish: Why it ended.
        notice: A sentence for the person about what went wrong or was left out, or an empty string.
        suggestions: Nearest commands, for `declined`.
        backend: Name of the backend that answered (a router answers with the one it chose).
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: Finish = "stop"
    reasoning: str = ""
    refusal: str = ""
    notice: str = ""
    suggestions: tuple[str, ...] = ()
    usage: Usage = Usage()
    backend: str = ""
    type: Literal["end"] = "end"


Part: TypeAlias = TextPart | ReasoningPart | TurnEnd


class Backend(Protocol):
    """Answers one turn. Cancelling the iteration must stop all work within 100 ms."""

    @property
    def name(self) -> str:
        """Short name shown to people and in traces: `commands`, `openai`, `routed`."""

    def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Yields parts, the last of them a `TurnEnd`.

        Raises:
            BackendError: The backend could not answer; nothing may run.
        """
