"""Builds the body of a request: instructions, the conversation with its pairs, the screen as fenced data, the tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.agent.backends.base import TurnRequest
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.wire.profiles import ServerProfile, fingerprint
from app.agent.backends.wire.screen import screen_text
from app.agent.backends.wire.sse import parse_payload
from app.agent.context import bounded, estimate_tokens, trim
from app.agent.fence import FENCE_RULE, Fence, neutralise, new_fence
from app.agent.frozen import thaw
from app.agent.guards import redact
from app.agent.messages import AssistantMessage, Message, ToolCall, UserMessage
from app.agent.snapshot import Example, ToolView

_LEAST_HISTORY_TOKENS = 800
_SCREEN_SHARE = 3
_EXAMPLES = 2
_IMAGE_TOKENS = 800
_ARGUMENT_CHARACTERS = 4_000
_SHOWN_ARGUMENTS = 500

WireMessage = dict[str, Any]


@dataclass(frozen=True, slots=True)
class BuiltRequest:
    """A request ready to be sent.

    Attributes:
        body: The JSON object.
        tools: Names of the tools in it.
        estimated_tokens: About how long the prompt is, to notice a server that read only a part of it.
        left_out: Names of the tools that this server can't take.
    """

    body: dict[str, Any]
    tools: tuple[str, ...]
    estimated_tokens: int
    left_out: tuple[str, ...]


def build_request(
    request: TurnRequest,
    settings: ModelSettings,
    profile: ServerProfile,
    tools: Sequence[ToolView],
    *,
    since_revision: int | None = None,
) -> BuiltRequest:
    """Builds the request for one turn.

    Args:
        request: What is to be answered.
        settings: The model, and how much may be sent.
        profile: What the server is known to take.
        tools: The tools of the snapshot to offer, not more than a server takes.
        since_revision: The screen revision that this run was last sent.
    """
    wire_tools = [_tool(tool) for tool in tools] if profile.tools else []
    left_out = [tool for tool in wire_tools if profile.bad_tools and fingerprint(tool) in profile.bad_tools]
    wire_tools = [tool for tool in wire_tools if tool not in left_out]
    budget = min(settings.context_tokens, profile.context_tokens or settings.context_tokens)
    screen = screen_text(request.snapshot, budget_tokens=budget // _SCREEN_SHARE, since_revision=since_revision)
    system = "\n\n".join(filter(None, (redact(request.instructions, settings.secrets()), FENCE_RULE)))
    fixed = estimate_tokens(system) + estimate_tokens(screen) + estimate_tokens(_json(wire_tools))
    history = trim(request.messages, max(budget - fixed, _LEAST_HISTORY_TOKENS))
    fence = new_fence([screen, *(_text_of(message) for message in history)])
    writer = _Writer(fence, settings.secrets(), null_content=profile.null_content)
    messages: list[WireMessage] = [{"role": "system", "content": system}]
    messages += [writer.message(message) for message in history]
    _add_screen(messages, writer.screen(screen), alternate=profile.alternate_roles)
    body: dict[str, Any] = {"model": settings.model, "messages": messages, "stream": True}
    body["stream_options"] = {"include_usage": True}
    if settings.log_probabilities:
        body["logprobs"] = True
    if wire_tools:
        body["tools"] = wire_tools
    for key in (*profile.dropped, *(("stream_options",) if "stream" in profile.dropped else ())):
        body.pop(key, None)
    images = sum(len(message.images) for message in history if isinstance(message, UserMessage))
    return BuiltRequest(
        body=body,
        tools=tuple(_name(tool) for tool in wire_tools),
        estimated_tokens=_estimate(messages, images) + estimate_tokens(_json(wire_tools)),
        left_out=tuple(_name(tool) for tool in left_out),
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes messages for the wire: secrets hidden, data fenced."""

    fence: Fence
    secrets: tuple[str, ...]
    null_content: bool

    def message(self, message: Message) -> WireMessage:
        if isinstance(message, UserMessage):
            return {"role": "user", "content": self._user_content(message)}
        if isinstance(message, AssistantMessage):
            text = self._plain(message.text or message.refusal)
            if not message.calls:
                return {"role": "assistant", "content": text or "(no answer)"}
            content = text or (None if self.null_content else "")
            return {"role": "assistant", "content": content, "tool_calls": [self._call(call) for call in message.calls]}
        content = self.fence.wrap(redact(message.content, self.secrets), "result")
        return {"role": "tool", "tool_call_id": message.call_id, "content": content}

    def screen(self, screen: str) -> str:
        fenced = self.fence.wrap(redact(screen, self.secrets), "screen")
        return f"The screen now, as data. CODE is {self.fence.code} in this request.\n{fenced}"

    def _user_content(self, message: UserMessage) -> str | list[WireMessage]:
        text = self._plain(message.utterance.text)
        if not message.images:
            return text
        urls = [f"data:{image.media_type};base64,{image.base64}" for image in message.images]
        return [{"type": "text", "text": text}, *({"type": "image_url", "image_url": {"url": url}} for url in urls)]

    def _call(self, call: ToolCall) -> WireMessage:
        return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": self._arguments(call)}}

    def _arguments(self, call: ToolCall) -> str:
        """The arguments for the history: always a JSON object, for servers' templates parse it and fail on others.

        The result of the call tells the model what was wrong with what it had sent.
        """
        arguments = redact(call.arguments.strip() or "{}", self.secrets)
        if len(arguments) <= _ARGUMENT_CHARACTERS and isinstance(parse_payload(arguments), dict):
            return arguments
        return _json({"unusable_arguments": bounded(arguments, _SHOWN_ARGUMENTS)})

    def _plain(self, text: str) -> str:
        return neutralise(redact(text, self.secrets))


def _add_screen(messages: list[WireMessage], block: str, *, alternate: bool) -> None:
    """Puts the screen at the end, where a model looks first; in the last message where turns must alternate."""
    last = messages[-1]
    if alternate and last["role"] in ("user", "tool") and isinstance(last["content"], str):
        last["content"] = f"{last['content']}\n\n{block}"
    else:
        messages.append({"role": "user", "content": block})


def _tool(tool: ToolView) -> dict[str, Any]:
    """A tool on the wire. Without `strict`: the targets change with each page, and a server compiles a strict schema
    anew each time it changes, which costs seconds; the arguments are validated here in any case."""
    description = tool.description
    if tool.examples:
        description += "\nExamples: " + "; ".join(_example(example) for example in tool.examples[:_EXAMPLES])
    parameters = thaw(tool.parameters) or {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": tool.name, "description": description, "parameters": parameters}}


def _example(example: Example) -> str:
    return f"{json.dumps(example.utterance, ensure_ascii=False)} -> {_json(example.arguments)}"


def _name(tool: Mapping[str, Any]) -> str:
    name: str = tool["function"]["name"]
    return name


def _text_of(message: Message) -> str:
    if isinstance(message, UserMessage):
        return message.utterance.text
    return message.text if isinstance(message, AssistantMessage) else message.content


def _estimate(messages: Sequence[WireMessage], images: int) -> int:
    texts = (
        message["content"] if isinstance(message["content"], str) else _json(message.get("tool_calls", ""))
        for message in messages
    )
    return sum(estimate_tokens(text) for text in texts) + images * _IMAGE_TOKENS


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=dict)
