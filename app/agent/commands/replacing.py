"""The calls that take the place of the last request's, from what was meant instead."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.commands.amendment import Amendment
from app.agent.commands.past import Past, PastCall
from app.agent.commands.vocabulary import FREE, value_type_of
from app.agent.messages import Hypothesis, Source, ToolCall, UserMessage, Utterance
from app.agent.snapshot import InstanceView, Snapshot
from app.agent.turns import new_call_id
from app.agent.values.likeness import last_like
from app.agent.values.words import plain

UNDO = "undo"
UNDOABLE = "undoable"
"""The key of `Snapshot.screen` that holds the request whose changes `undo` would take back."""

_EXACT = 0.95
"""Confidence of a typed command whose words are all known."""

_ASKED_ABOUT = 0.5
"""Taking something back is asked about here: nobody has said "undo"."""

Ask = Callable[[TurnRequest], TurnEnd]
"""The command backend."""


class Replacing:
    """Reads what was meant instead, on one screen.

    Args:
        template: How a field is given a value, such as "set the {field} to {value}".
    """

    def __init__(self, ask: Ask, snapshot: Snapshot, template: str, utterance: Utterance) -> None:
        self._ask = ask
        self._snapshot = snapshot
        self._template = template
        self._utterance = utterance

    def calls(self, said: Sequence[Amendment], before: Past) -> tuple[ToolCall, ...]:
        """The calls instead of those of the request before; what has been done is taken back first.

        Returns:
            Nothing where the amendment says nothing that can be done here.
        """
        changing = [call for call in before.calls if call.tool != UNDO and self._changes(call)]
        done = any(call.done for call in changing)
        undone = done and self._snapshot.screen.get(UNDOABLE) == before.utterance.text
        right = self._right(said, changing, undone=undone)
        if right and undone and self._snapshot.tool(UNDO):
            return (ToolCall(new_call_id(), UNDO, "{}", _ASKED_ABOUT), *right)
        return right

    def _right(self, said: Sequence[Amendment], changing: list[PastCall], *, undone: bool) -> tuple[ToolCall, ...]:
        long = [each for each in said if not each.wrong and " " in plain(each.right)]
        if whole := self._whole(long):
            return whole
        valued = [(call, view) for call in reversed(changing) if call.value and (view := call.view(self._snapshot))]
        for call, view in valued:
            if value_type_of(view) not in FREE and (right := self._first(self._values(said, call, view))):
                return self._in_place(changing, call, right, undone=undone)
        if whole := self._whole([each for each in said if not each.wrong]):
            return whole
        for call, view in valued:
            # A field's name says where the value belongs; everything else is the value.
            if right := self._first(self._fields(said, call)) or self._first(self._values(said, call, view)):
                return self._in_place(changing, call, right, undone=undone)
        return self._whole(said)

    def _in_place(
        self, changing: Iterable[PastCall], wrong: PastCall, right: tuple[ToolCall, ...], *, undone: bool
    ) -> tuple[ToolCall, ...]:
        """The request's calls with one of them replaced; those that stay done are left out."""
        calls: list[ToolCall] = []
        for call in changing:
            if call is wrong:
                calls += right
            elif (undone or not call.done) and (call.view(self._snapshot) or not self._snapshot.available(call.tool)):
                calls.append(ToolCall(new_call_id(), call.tool, json.dumps(dict(call.arguments), ensure_ascii=False)))
        return tuple(calls)

    def _changes(self, call: PastCall) -> bool:
        tool = self._snapshot.tool(call.tool)
        return tool is not None and tool.policy != "auto"

    def _whole(self, said: Iterable[Amendment]) -> tuple[ToolCall, ...]:
        """What was meant as a command of its own, if its words are known exactly."""
        for each in said:
            calls = self._read(each.right, each, "text")
            if calls and all((call.confidence or 0.0) >= _EXACT for call in calls):
                return calls
        return ()

    def _values(self, said: Iterable[Amendment], call: PastCall, view: InstanceView) -> Iterator[tuple[str, Amendment]]:
        for each in said:
            yield self._template.format(field=view.label, value=_value(each, call.value or "")), each

    def _fields(self, said: Iterable[Amendment], call: PastCall) -> Iterator[tuple[str, Amendment]]:
        labels = {plain(view.label) for view in self._snapshot.instances if view.available}
        for each in said:
            words = plain(each.right).split()
            for start in range(min(2, len(words))):
                name = " ".join(words[start:])
                if name in labels:
                    yield self._template.format(field=name, value=call.value), each

    def _first(self, texts: Iterable[tuple[str, Amendment]]) -> tuple[ToolCall, ...]:
        return next((calls for text, each in texts if (calls := self._read(text, each, "voice"))), ())

    def _read(self, text: str, amendment: Amendment, source: Source) -> tuple[ToolCall, ...]:
        heard = (Hypothesis(text, amendment.log_probability if source == "voice" else 0.0),)
        said = replace(self._utterance, text=text, hypotheses=heard, source=source)
        end = self._ask(TurnRequest((UserMessage(said),), self._snapshot))
        return tuple(replace(call, id=new_call_id()) for call in end.calls)


def _value(amendment: Amendment, before: str) -> str:
    """The value before with the wrong words replaced, where they are in it; else what was meant."""
    place = last_like(before, amendment.wrong) if amendment.wrong else None
    return before[: place.start] + amendment.right + before[place.end :] if place else amendment.right
