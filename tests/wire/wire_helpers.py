"""What the tests of the wire share: a small screen, a request, and the type of `ask`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.backends.wire.retry import RetryPolicy
from app.agent.messages import Message, UserMessage, Utterance
from app.agent.snapshot import InstanceView, Snapshot, ToolView

KEY = "sk-test-0123456789abcdefghij"

FILL = ToolView(
    "fill",
    "Fill",
    "Fills a field.",
    {
        "type": "object",
        "properties": {"target": {"type": "string", "enum": ["title", "notes"]}, "value": {"type": "string"}},
        "required": ["target", "value"],
        "additionalProperties": False,
    },
    targets=("title", "notes"),
)
CLICK = ToolView("click", "Click", "Presses a button.", {"type": "object", "properties": {}}, targets=("save",))
SNAPSHOT = Snapshot(
    3,
    (FILL, CLICK),
    (
        InstanceView("g1", "title", "Title", "field", tools=("fill",), state={"value": "Old", "value_type": "text"}),
        InstanceView("g2", "save", "Save", "button", tools=("click",)),
    ),
    {"page": "Contributions"},
)
QUICK = RetryPolicy(first_delay_s=0.01)


def turn_request(*more: Message, text: str = "please save", snapshot: Snapshot = SNAPSHOT) -> TurnRequest:
    """A request with one utterance and what followed it."""
    return TurnRequest((UserMessage(Utterance("u1", text)), *more), snapshot, "You operate a program.")


Ask = Callable[..., Awaitable[TurnEnd]]
