"""The screen as a model reads it: one JSON object, bounded, without secrets."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app.agent.context import bounded, estimate_tokens
from app.agent.guards import public_state, redact_json
from app.agent.json_types import Json
from app.agent.snapshot import InstanceView, Snapshot

_VALUE_CHARACTERS = 600
_LIST_ENTRIES = 40
_SHOWN_KEYS = (
    *("value", "value_type", "choices", "synonyms", "minimum", "maximum", "unit", "required"),
    *("items", "effect", "checked", "selected"),
)


def screen_text(snapshot: Snapshot, *, budget_tokens: int, since_revision: int | None = None) -> str:
    """The screen now, as JSON with one instance a line.

    Args:
        snapshot: What is on the screen.
        budget_tokens: Room for it. What doesn't fit is left out from the end, and counted.
        since_revision: The revision a model was last sent; what has changed after it is marked.
    """
    head = {key: _short(value) for key, value in _object(redact_json(snapshot.screen)).items()}
    lines: list[str] = []
    left = budget_tokens - estimate_tokens(_json(head))
    shown = [view for view in snapshot.instances if view.tools]
    for position, view in enumerate(shown):
        line = _json(_entry(view, since_revision))
        left -= estimate_tokens(line)
        if left < 0:
            lines.append(_json({"left_out": len(shown) - position}))
            break
        lines.append(line)
    return _json(head) + "\n" + "\n".join(lines)


def _entry(view: InstanceView, since_revision: int | None) -> dict[str, Json]:
    entry: dict[str, Json] = {"target": view.handle, "label": bounded(view.label, _VALUE_CHARACTERS), "kind": view.kind}
    if not view.available:
        entry["unavailable"] = view.reason or True
        return entry
    state = public_state(view)
    entry |= {key: _short(state[key]) for key in _SHOWN_KEYS if state.get(key) not in (None, "", [], ())}
    if "value" in state and "value" not in entry:
        entry["value"] = state["value"]
    if since_revision is not None and view.revision > since_revision:
        entry["changed"] = True
    return entry


def _short(value: Json) -> Json:
    if isinstance(value, str):
        return bounded(value, _VALUE_CHARACTERS)
    if isinstance(value, Mapping):
        return {key: _short(part) for key, part in list(value.items())[:_LIST_ENTRIES]}
    if isinstance(value, Sequence):
        kept = [_short(part) for part in value[:_LIST_ENTRIES]]
        return [*kept, f"... and {len(value) - _LIST_ENTRIES} more"] if len(value) > _LIST_ENTRIES else kept
    return value


def _object(value: Json) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
