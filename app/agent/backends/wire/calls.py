"""Puts the pieces of tool calls together, whatever a server does with ids, indexes and names."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.agent.backends.wire.sse import parse_payload
from app.agent.messages import ToolCall


@dataclass
class _Draft:
    """A call while it streams in."""

    server_id: str
    index: int | None
    names: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    log_probabilities: list[float] = field(default_factory=list)

    def text(self) -> str:
        return "".join(self.arguments)

    def complete(self) -> bool:
        return isinstance(parse_payload(self.text()), dict)

    def name(self, offered: Collection[str]) -> str:
        """One name out of its pieces: the whole name in every delta, or a name split over deltas."""
        joined = "".join(self.names)
        whole = self.names[0] if self.names else ""
        repeated = all(piece == whole for piece in self.names)
        return whole if repeated and not (joined in offered and whole not in offered) else joined


class CallDrafts:
    """The calls of one turn, in the order in which they began."""

    def __init__(self) -> None:
        self._drafts: list[_Draft] = []

    def __len__(self) -> int:
        return len(self._drafts)

    def complete(self) -> bool:
        """Whether the arguments of every call are whole: nothing at all, or one JSON object."""
        return all(not draft.text().strip() or draft.complete() for draft in self._drafts)

    def take(self, deltas: Sequence[Any], log_probabilities: Sequence[float] = ()) -> None:
        """Takes the entries of one `tool_calls` array.

        Args:
            deltas: As the server gave them; what is no object is passed over.
            log_probabilities: Of the tokens of this array, where the server tells them. They are kept only where it
                holds a single entry, because nothing says which token belongs to which call.
        """
        entries = [delta for delta in deltas if isinstance(delta, Mapping)]
        for delta in entries:
            function = delta.get("function")
            function = function if isinstance(function, Mapping) else delta
            name, arguments = _text(function.get("name")), _arguments(function.get("arguments"))
            index = delta.get("index")
            index = index if isinstance(index, int) else None
            if index is None and not delta.get("id") and len(entries) > 1 and name:
                draft = self._begin("", None)  # whole calls side by side: the place in the array tells them apart
            else:
                draft = self._draft(_text(delta.get("id")), index, name, arguments)
            if name:
                draft.names.append(name)
            if arguments:
                draft.arguments.append(arguments)
            if len(entries) == 1:
                draft.log_probabilities.extend(log_probabilities)

    def build(self, offered: Collection[str], new_id: Callable[[], str]) -> tuple[ToolCall, ...]:
        """The calls, with ids from `new_id`. What their arguments are is not judged here."""
        return tuple(
            ToolCall(new_id(), draft.name(offered), draft.text().strip() or "{}", _probability(draft.log_probabilities))
            for draft in self._drafts
        )

    def _draft(self, server_id: str, index: int | None, name: str, arguments: str) -> _Draft:
        """The call that a delta belongs to: by id first, then by index, then the latest."""
        if server_id:
            known = self._last(lambda draft: draft.server_id == server_id)
            other_index = known is not None and None not in (index, known.index) and index != known.index
            if known is not None and not (other_index and name):
                return known
            return self._begin(server_id, index)
        candidate = self._last(lambda draft: draft.index == index) if index is not None else self._last()
        if candidate is None:
            return self._begin("", index)
        # Without an id, a header after whole arguments is the next call, even where the index says otherwise.
        next_call = bool(name) and bool(arguments) and candidate.complete()
        return self._begin("", index) if next_call else candidate

    def _begin(self, server_id: str, index: int | None) -> _Draft:
        draft = _Draft(server_id, index)
        self._drafts.append(draft)
        return draft

    def _last(self, fits: Callable[[_Draft], bool] = lambda _: True) -> _Draft | None:
        return next((draft for draft in reversed(self._drafts) if fits(draft)), None)


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _arguments(value: object) -> str:
    """A piece of arguments as text. A server that sends them as an object gets the JSON of it."""
    return value if isinstance(value, str) else "" if value is None else json.dumps(value, ensure_ascii=False)


def _probability(log_probabilities: Sequence[float]) -> float | None:
    """The geometric mean of the tokens' probabilities, or None without any."""
    if not log_probabilities:
        return None
    return min(1.0, math.exp(sum(log_probabilities) / len(log_probabilities)))
