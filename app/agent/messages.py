"""What is said in a run: utterances and the messages of the conversation. Immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Source: TypeAlias = Literal["voice", "text"]


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One reading of what was said.

    Attributes:
        text: The transcript, with the recogniser's capitals and punctuation.
        log_probability: Average natural-log probability per token; 0.0 for typed text.
    """

    text: str
    log_probability: float = 0.0


@dataclass(frozen=True, slots=True)
class Utterance:
    """What the person said or typed, once.

    Attributes:
        id: Unique in the conversation.
        text: The best transcript, or the text typed.
        hypotheses: All readings, best first; typed text has exactly one.
        source: Where it came from.
        language: ISO 639-1 code.
        recognisers: How many recognisers were asked: the log-probabilities are the mean of theirs.
    """

    id: str
    text: str
    hypotheses: tuple[Hypothesis, ...] = ()
    source: Source = "text"
    language: str = "en"
    recognisers: int = 1

    def readings(self) -> tuple[Hypothesis, ...]:
        """All hypotheses, or the text alone where there are none."""
        return self.hypotheses or (Hypothesis(self.text),)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as a backend gave it, not validated.

    Attributes:
        id: The id used towards the server: 9 alphanumerics, unique in the conversation.
        name: The tool's wire name, as the backend gave it.
        arguments: JSON text, as the backend gave it (`""` means `{}`).
        confidence: Between 0 and 1, or None where the backend can't say.
    """

    id: str
    name: str
    arguments: str
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Image:
    """A picture that goes with an utterance.

    Attributes:
        media_type: Such as `image/png`.
        base64: The file, in base64, so that a message stays JSON.
    """

    media_type: str
    base64: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class UserMessage:
    """An utterance in the conversation, with the pictures that go with it."""

    utterance: Utterance
    role: Literal["user"] = "user"
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """What a backend answered in one turn: text, calls, or both."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    refusal: str = ""
    role: Literal["assistant"] = "assistant"


@dataclass(frozen=True, slots=True)
class ToolMessage:
    """The result of one call: exactly one for each call id.

    Attributes:
        content: What the model reads. Data from the screen or the store, never instructions.
        ok: Whether the call did what it was asked.
    """

    call_id: str
    tool: str
    content: str
    ok: bool = True
    role: Literal["tool"] = "tool"


Message: TypeAlias = UserMessage | AssistantMessage | ToolMessage
