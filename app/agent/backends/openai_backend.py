"""Answers turns with a model on any server that speaks Chat Completions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, replace

from app.agent.backends.base import Part, TextPart, TurnEnd, TurnRequest
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.wire.assembler import Assembler
from app.agent.backends.wire.bad_tools import find_bad_tools
from app.agent.backends.wire.exchange import exchange
from app.agent.backends.wire.faults import WireError
from app.agent.backends.wire.learning import learn
from app.agent.backends.wire.profiles import MemoryProfiles, ProfileStore, ServerProfile, profile_key
from app.agent.backends.wire.request import BuiltRequest, build_request
from app.agent.backends.wire.retry import RetryPolicy
from app.agent.backends.wire.sse import parse_payload
from app.agent.backends.wire.transport import Transport
from app.agent.messages import AssistantMessage, UserMessage, Utterance
from app.agent.ranking import FIND_TOOLS, TOOL_LIMIT, select_tools
from app.agent.turns import new_call_id

_LESSONS = 8
"""What one turn may learn from errors before it gives up."""

_CUT_SHARE = 0.4
_CUT_LEAST_TOKENS = 1_000

_TOOLS_HINT = (
    "Choose a model that can, or start the server with tools on (llama.cpp: --jinja; vLLM: --enable-auto-tool-choice)."
)


@dataclass
class _Turn:
    """One turn while it is being answered."""

    request: TurnRequest
    built: BuiltRequest
    assembler: Assembler
    made: int = 0
    lessons: int = 0
    shown: bool = False


class OpenAIBackend:
    """Chat Completions through the `openai` package, which is imported when the first turn is asked.

    Args:
        settings: The server, the model and the key.
        profiles: Where what is learned about servers is kept; by default only as long as this backend.
        retry: How often and how long it is tried again.
    """

    name = "openai"

    def __init__(
        self, settings: ModelSettings, profiles: ProfileStore | None = None, *, retry: RetryPolicy | None = None
    ) -> None:
        self._settings = settings
        self._profiles = MemoryProfiles() if profiles is None else profiles
        self._key = profile_key(settings)
        self._retry = retry or RetryPolicy()
        self._transport = Transport(settings)
        self._last_sent: tuple[str, int] | None = None

    async def aclose(self) -> None:
        """Closes the connections to the server."""
        await self._transport.aclose()

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Yields text and reasoning as they arrive, then the end of the turn.

        Raises:
            BackendError: The server could not be reached, refused, or gave nothing that can be used.
        """
        turn = self._begin(request, None)
        while True:
            try:
                parts = exchange(self._transport, turn.built.body, turn.assembler, self._settings)
                async with aclosing(parts):
                    async for part in parts:
                        if isinstance(part, TurnEnd):
                            yield self._finished(turn, part)
                            return
                        turn.shown |= isinstance(part, TextPart) and not part.text.isspace()
                        yield part
            except WireError as fault:
                delay_s = await self._delay_s(turn, fault)
            if delay_s is None:
                yield self._finished(turn, _cut_off(turn.assembler))
                return
            await asyncio.sleep(delay_s)
            turn = self._begin(request, turn)

    def _begin(self, request: TurnRequest, before: _Turn | None) -> _Turn:
        run = _utterance(request).id
        since = self._last_sent[1] if self._last_sent and self._last_sent[0] == run else None
        tools = select_tools(request.snapshot, _utterance(request).text, TOOL_LIMIT, _searched_for(request)).tools
        built = build_request(request, self._settings, self._profile(), tools, since_revision=since)
        turn = _Turn(request, built, Assembler(built.tools, _id_maker(request)))
        turn.made = before.made + 1 if before else 1
        turn.lessons = before.lessons if before else 0
        return turn

    async def _delay_s(self, turn: _Turn, fault: WireError) -> float | None:
        """Seconds until the next attempt; None where what has come so far is all there will be.

        Raises:
            BackendError: There is nothing to show, and no use in trying again.
        """
        if turn.lessons < _LESSONS and await self._learned(turn, fault):
            turn.lessons += 1
            turn.made -= 1
            return 0.0
        # What was shown can't be taken back, so a turn of which a part was shown is not begun again.
        delay_s = None if turn.shown else self._retry.delay_s(fault, turn.made)
        broken_off = fault.kind in ("unreachable", "timeout") and turn.assembler.begun
        if delay_s is None and not broken_off:
            raise fault.for_person() from None
        return delay_s

    async def _learned(self, turn: _Turn, fault: WireError) -> bool:
        """Whether the fault taught something about the server that changes the request."""
        profile = self._profile()
        lesson = learn(profile, fault, turn.built.body)
        if lesson is None and fault.status:
            try:
                bad = await find_bad_tools(self._transport, turn.built.body, fault)
            except WireError as other:
                raise other.for_person() from None
            lesson = profile.without_tools(bad) if bad else None
        if lesson is None or lesson == profile:
            return False
        self._profiles.save(self._key, lesson.to_json())
        return True

    def _profile(self) -> ServerProfile:
        return ServerProfile.from_json(self._profiles.load(self._key) or {})

    def _finished(self, turn: _Turn, end: TurnEnd) -> TurnEnd:
        self._last_sent = (_utterance(turn.request).id, turn.request.snapshot.revision)
        return replace(end, notice=" ".join(filter(None, (end.notice, *self._notices(turn, end)))), backend=self.name)

    def _notices(self, turn: _Turn, end: TurnEnd) -> Iterator[str]:
        if turn.request.snapshot.tools and not self._profile().tools:
            yield f"{self._settings.model} takes no tools on this server, so it can only answer in words. {_TOOLS_HINT}"
        if turn.built.left_out:
            yield f"Left out, because the server can't take them: {', '.join(turn.built.left_out)}."
        read, sent = end.usage.input_tokens, turn.built.estimated_tokens
        if 0 < read < sent * _CUT_SHARE and sent >= _CUT_LEAST_TOKENS:
            yield f"The server read only {read} of about {sent} tokens. Give it a longer context (Ollama: num_ctx)."


def _cut_off(assembler: Assembler) -> TurnEnd:
    for _ in assembler.flush():
        pass  # it goes into the text of the end
    return assembler.end(closed=False)


def _utterance(request: TurnRequest) -> Utterance:
    messages = reversed(request.messages)
    return next((message.utterance for message in messages if isinstance(message, UserMessage)), Utterance("", ""))


def _searched_for(request: TurnRequest) -> list[str]:
    """What the model has asked `find_tools` for in this run."""
    queries: list[str] = []
    for message in request.messages:
        if isinstance(message, UserMessage):
            queries = []
        elif isinstance(message, AssistantMessage):
            found = (parse_payload(call.arguments) for call in message.calls if call.name == FIND_TOOLS)
            queries += [
                str(arguments["query"]) for arguments in found if isinstance(arguments, dict) and "query" in arguments
            ]
    return queries


def _id_maker(request: TurnRequest) -> Callable[[], str]:
    """Draws call ids that the conversation does not have yet, in the form that every server takes."""
    taken = {call.id for message in request.messages if isinstance(message, AssistantMessage) for call in message.calls}

    def draw() -> str:
        while (drawn := new_call_id()) in taken:
            pass
        taken.add(drawn)
        return drawn

    return draw
