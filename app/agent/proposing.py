"""From a backend's calls to proposals: validated, bound to an instance, with what each would change."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import replace

from app.agent.approval import stricter
from app.agent.errors import ArgumentsError, ToolError
from app.agent.grants import grant_target
from app.agent.host import Host
from app.agent.json_types import Json, JsonObject
from app.agent.messages import ToolCall
from app.agent.proposal import Place, Proposal
from app.agent.snapshot import BoundCall, Snapshot

MODEL_CONFIDENCE = 0.7
"""For a call from a server that gives no log-probabilities: medium, so that nothing unsure runs unasked."""

_DEEPEST = 64
"""Levels of arguments. The JSON forms of a proposal are made by recursion, which ends somewhere above a hundred."""

_NESTING = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
"""The brackets of a JSON text; strings are matched, whole or cut off, so that the brackets in them are not."""


def new_id() -> str:
    """An identity for a run or a proposal, unique for ever."""
    return secrets.token_hex(8)


async def bind(host: Host, snapshot: Snapshot, tool: str, arguments: str) -> BoundCall:
    """Validates a call and finds its target; what is nested too deeply to be stored is refused before that.

    Raises:
        ToolError: It can't be called so.
    """
    depth = 0
    for token in _NESTING.finditer(arguments):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > _DEEPEST:
            raise ArgumentsError("The arguments are nested too deeply.")
    return await host.bind(snapshot, tool, arguments)


def bound(proposal: Proposal) -> BoundCall:
    """The call that approving `proposal` runs."""
    return BoundCall(proposal.tool, proposal.target_guid, proposal.target, proposal.arguments, proposal.revision)


def place_of(snapshot: Snapshot) -> Place:
    """The page and the record shown."""
    words = (snapshot.screen.get(key) for key in ("page", "selected_id", "selected"))
    return Place(*(word if isinstance(word, str) else "" for word in words))


async def propose(host: Host, snapshot: Snapshot, call: ToolCall, run_id: str, position: int) -> Proposal:
    """Makes the proposal of one call. It never raises: a call that can't run is `refused`, with the reason."""
    tool = snapshot.tool(call.name)
    proposal = Proposal(
        id=new_id(),
        run_id=run_id,
        call_id=call.id,
        position=position,
        tool=call.name,
        title=tool.title if tool else call.name,
        target_guid="",
        target="",
        arguments={},
        parameters=_without_target(tool.parameters) if tool else {},
        confidence=MODEL_CONFIDENCE if call.confidence is None else call.confidence,
        policy=tool.policy if tool else "never",
        place=place_of(snapshot),
    )
    try:
        call_bound = await bind(host, snapshot, call.name, call.arguments)
    except ToolError as error:
        return replace(proposal, status="refused", error=str(error), target=_label_asked_for(snapshot, call))
    return await previewed(host, snapshot, proposal, call_bound)


async def previewed(host: Host, snapshot: Snapshot, proposal: Proposal, call: BoundCall) -> Proposal:
    """`proposal` bound to `call`, with what it would change on the screen of `snapshot`."""
    view = snapshot.instance_of(call.guid)
    policy = stricter(proposal.policy, view.policy if view else None)
    irreversible = view is not None and view.state.get("irreversible") is True
    proposal = replace(
        proposal,
        target_guid=call.guid,
        target=call.label,
        arguments=call.arguments,
        revision=call.revision,
        policy=policy,
        status="waiting",
        error="",
        place=place_of(snapshot),
        irreversible=irreversible,
        grant=grant_target(snapshot, call.tool, view) if policy == "confirm" and not irreversible else "",
    )
    try:
        preview = await host.preview(call)
    except ToolError as error:
        return replace(proposal, status="refused", error=str(error))
    return replace(
        proposal,
        arguments=call.arguments if preview.arguments is None else preview.arguments,
        before=preview.before,
        after=preview.after,
        effect=preview.effect,
    )


async def rebound(host: Host, snapshot: Snapshot, proposal: Proposal) -> Proposal | None:
    """The proposal on the instance that stands for the same thing now, after the one it was bound to has gone.

    Returns:
        None where that place is not on screen, or no single instance there has that name.
    """
    if not place_of(snapshot).same(proposal.place):
        return None
    views = [view for view in snapshot.available(proposal.tool) if view.label == proposal.target]
    if len(views) != 1:
        return None
    call = BoundCall(proposal.tool, views[0].guid, views[0].label, proposal.arguments, views[0].revision)
    return await previewed(host, snapshot, proposal, call)


def arguments_json(snapshot: Snapshot, proposal: Proposal, arguments: JsonObject) -> str:
    """`arguments` as a call on the proposal's own target."""
    tool = snapshot.tool(proposal.tool)
    view = snapshot.instance_of(proposal.target_guid)
    if tool is not None and view is not None and "target" in _properties(tool.parameters):
        return json.dumps({"target": view.handle, **arguments})
    return json.dumps(dict(arguments))


def _properties(schema: JsonObject) -> JsonObject:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _without_target(schema: JsonObject) -> JsonObject:
    """The schema of what a person may edit: a proposal never changes its target."""
    required = schema.get("required")
    kept: dict[str, Json] = dict(schema)
    kept["properties"] = {name: value for name, value in _properties(schema).items() if name != "target"}
    if isinstance(required, list):
        kept["required"] = [name for name in required if name != "target"]
    return kept


def _label_asked_for(snapshot: Snapshot, call: ToolCall) -> str:
    """The label a refused call was meant for, as far as it can be read from its arguments."""
    try:
        arguments = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        return ""
    handle = arguments.get("target") if isinstance(arguments, dict) else None
    view = snapshot.instance(handle) if isinstance(handle, str) else None
    return view.label if view else ""
