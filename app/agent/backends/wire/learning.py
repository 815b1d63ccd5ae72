"""What an error of a server teaches about it. Nothing is known of a server in advance: names and versions change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from app.agent.backends.wire.faults import WireError
from app.agent.backends.wire.profiles import ServerProfile, fingerprint

ESSENTIAL = frozenset({"model", "messages", "tools"})
"""Parts of a request that can't be dropped."""

_NO_TOOLS = re.compile(
    r"""(?ix) does\ not\ support\ (tools|tool\ us|tool\ call|function) | no\ endpoints\ found\ that\ support\ tool
    | --jinja | --enable-auto-tool-choice | tools?(\ is|\ are)?\ not\ supported | (tool|function)\ calling\ is\ not
    | tool_use\ is\ not\ supported | unsupported\ parameter:?\ ['"]?tools"""
)
_ROLES = re.compile(r"(?i)roles must alternate|alternate user/assistant|alternating|after the optional system message")
_NULL_CONTENT = re.compile(
    r"(?i)content.{0,80}(null|none\b|nil|required|missing|valid string|string type|expected (a )?string|must be)"
    r"|(null|none\b|nil).{0,80}content|(got|found) null",
    re.DOTALL,
)
_CONTEXT = re.compile(r"(?i)context.{0,40}(length|window|size)|maximum context|too many tokens|prompt is too long")
_CONTEXT_SIZE = re.compile(r"(?i)(?:context[a-z ]*(?:is|of|:|\()\s*|n_ctx[ =(:]+|limit (?:is|of) )(\d{3,7})")
_UNKNOWN_PARAMETER = re.compile(
    r"""(?ix) (?:unknown|unrecognized|unsupported|unexpected|invalid|extra|additional|not\ permitted|not\ allowed
    |not\ supported|does\ not\ support)"""
)
_SCHEMA = re.compile(
    r"(?i)schema|grammar|gbnf|\btools?\b.{0,40}(invalid|parse|param)|function.{0,40}(invalid|param)|parameters|regex"
    r"|failed to (parse|compile|initialize)"
)
_LARGE_CONTEXT = 1_000_000


def learn(profile: ServerProfile, fault: WireError, body: Mapping[str, Any]) -> ServerProfile | None:
    """The profile after an error, or None where the error teaches nothing.

    Args:
        profile: What was known when the request was made.
        fault: How the server refused it.
        body: The request that was refused.
    """
    if not (400 <= fault.status < 600) or fault.status in (401, 403, 429):
        return None
    if body.get("tools") and _NO_TOOLS.search(fault.detail):
        return replace(profile, tools=False)
    if fault.status >= 500 and not _ROLES.search(fault.detail):
        return None
    dropped = _refused_parameter(fault, body)
    if dropped:
        return replace(profile, dropped=(*profile.dropped, dropped))
    if not profile.alternate_roles and _ROLES.search(fault.detail):
        return replace(profile, alternate_roles=True)
    if profile.null_content and _has_null_content(body) and _NULL_CONTENT.search(f"{fault.param} {fault.detail}"):
        return replace(profile, null_content=False)
    if fault.code == "context_length_exceeded" or fault.status == 413 or _CONTEXT.search(fault.detail):
        return _smaller_context(profile, fault, body)
    return None


def bad_tool(fault: WireError, body: Mapping[str, Any]) -> str | None:
    """The fingerprint of the tool whose schema the server names in its error, or None."""
    tools = body.get("tools")
    if not isinstance(tools, list) or fault.status not in (400, 422, 500):
        return None
    position = re.search(r"tools?[\[.](\d+)", f"{fault.param} {fault.detail}")
    if position and int(position[1]) < len(tools):
        return fingerprint(tools[int(position[1])])
    for tool in tools:
        name = re.escape(tool["function"]["name"])
        if re.search(rf"(?i)(function|tool)s?\s*(name)?\W{{0,3}}{name}(?![\w-])", fault.detail):
            return fingerprint(tool)
    return None


def may_be_schema(fault: WireError, body: Mapping[str, Any]) -> bool:
    """Whether a single bad schema may be why the whole request was refused, so that it is worth to look for it."""
    return bool(body.get("tools")) and fault.status in (400, 422, 500) and bool(_SCHEMA.search(fault.detail))


def _refused_parameter(fault: WireError, body: Mapping[str, Any]) -> str | None:
    """The part of the request that the server names as one it doesn't take."""
    named = re.split(r"[.\[]", fault.param)[0]
    if named in body and named not in ESSENTIAL:
        return named
    if not _UNKNOWN_PARAMETER.search(fault.detail):
        return None
    # Not `stream`: in a sentence it is a word like any other.
    optional = (key for key in body if key not in ESSENTIAL and key != "stream")
    return next((key for key in optional if re.search(rf"(?<![\w-]){re.escape(key)}(?![\w-])", fault.detail)), None)


def _has_null_content(body: Mapping[str, Any]) -> bool:
    return any("content" in message and message["content"] is None for message in body.get("messages", ()))


def _smaller_context(profile: ServerProfile, fault: WireError, body: Mapping[str, Any]) -> ServerProfile | None:
    told = _CONTEXT_SIZE.search(fault.detail)
    size = int(told[1]) if told else (profile.context_tokens or _estimate(body)) // 2
    # The same size again means that nothing more can go: the server's error then is the answer.
    size = size * 3 // 4 if told else size
    return replace(profile, context_tokens=size) if 256 < size < (profile.context_tokens or _LARGE_CONTEXT) else None


def _estimate(body: Mapping[str, Any]) -> int:
    return sum(len(str(body.get(key, ""))) for key in ("messages", "tools")) // 4
