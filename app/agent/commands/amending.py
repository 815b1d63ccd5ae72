"""Commands, and words that put the last one right: "no, I meant ..." proposes it anew, and is remembered."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace

from app.agent.backends.base import Part, TurnEnd, TurnRequest
from app.agent.commands.amendment import Amendment, amendments
from app.agent.commands.backend import CommandBackend, parts_of
from app.agent.commands.corrections import Corrections, target_key, with_candidates
from app.agent.commands.grammar import load_grammar
from app.agent.commands.past import Past, requests
from app.agent.commands.progress import progress_of
from app.agent.commands.replacing import Replacing
from app.agent.commands.wording import told
from app.agent.messages import Hypothesis, Message, UserMessage, Utterance
from app.agent.snapshot import Snapshot

_ENGLISH = "en"
_CERTAIN = 0.95
_ASKS = 0.3


class AmendingBackend:
    """The command backend, for a person who may put right what was understood.

    Args:
        commands: Reads everything else.
        corrections: What is remembered.
    """

    def __init__(self, commands: CommandBackend, corrections: Corrections) -> None:
        self._commands = commands
        self._corrections = corrections

    @property
    def name(self) -> str:
        """The name shown to people and in traces."""
        return self._commands.name

    def prepare(self, snapshot: Snapshot, language: str = "en") -> None:
        """As `CommandBackend.prepare`."""
        self._commands.prepare(snapshot, language)

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Yields the answer to the last utterance, in one piece."""
        for part in parts_of(self.answer(request)):
            yield part

    def answer(self, request: TurnRequest) -> TurnEnd:
        """The answer to one turn; takes some milliseconds.

        What was typed is in the spoken language, or in English as the screen is: whichever it is understood better in.
        """
        end = self._answer(request)
        english = _in_english(request) if _sureness(end) < _CERTAIN else None
        return end if english is None else max(end, self._answer(english), key=_sureness)

    def _answer(self, request: TurnRequest) -> TurnEnd:
        before, now = requests(request.messages)
        if now is not None:
            grammar = load_grammar(now.utterance.language)
            said = amendments(now.utterance, grammar)
            if said and before is not None and before.calls:
                if now.calls:
                    return self._amended(request, before, now)
                template = grammar.data["amend"]["set"]
                replacing = Replacing(self._commands.answer, request.snapshot, template, now.utterance)
                if calls := replacing.calls(said, before):
                    return TurnEnd(calls=calls, finish="tool_calls", backend=self.name)
            if said:
                request = _without_opener(request, now.utterance, said)
        return self._commands.answer(with_candidates(request, self._corrections))

    def _amended(self, request: TurnRequest, before: Past, now: Past) -> TurnEnd:
        """Remembers what was put right, and says what was done."""
        snapshot = request.snapshot
        for right in (call for call in now.calls if call.done and call.tool == "fill"):
            view = right.view(snapshot)
            for wrong in before.calls:
                if view and right.value and wrong.value and wrong.view(snapshot) == view:
                    key = target_key(snapshot.screen.get("page"), view.label)
                    self._corrections.remember(key, wrong.value, right.value)
        return TurnEnd(text=told(progress_of(request.messages).answered), backend=self.name)


def _sureness(end: TurnEnd) -> float:
    """How sure it is that a command was meant, 0 to 1: that of its calls; a question is better than nothing."""
    if end.finish == "declined":
        return 0.0
    if end.suggestions:
        return _ASKS
    return min((call.confidence or 0.0 for call in end.calls), default=_CERTAIN)


def _in_english(request: TurnRequest) -> TurnRequest | None:
    """The request as if all that was typed were English; None where the last utterance is, or was spoken."""
    last = next((each.utterance for each in reversed(request.messages) if isinstance(each, UserMessage)), None)
    if last is None or last.source == "voice" or last.language == _ENGLISH:
        return None
    messages: list[Message] = [
        replace(each, utterance=replace(each.utterance, language=_ENGLISH))
        if isinstance(each, UserMessage) and each.utterance.source != "voice"
        else each
        for each in request.messages
    ]
    return replace(request, messages=tuple(messages))


def _without_opener(request: TurnRequest, utterance: Utterance, said: Sequence[Amendment]) -> TurnRequest:
    """The request as if only what was meant had been said: there is nothing before it to put right."""
    hypotheses = tuple(Hypothesis(each.right, each.log_probability) for each in said if not each.wrong)
    if not hypotheses:
        return request
    bare = replace(utterance, text=hypotheses[0].text, hypotheses=hypotheses)
    messages: list[Message] = [
        replace(message, utterance=bare)
        if isinstance(message, UserMessage) and message.utterance is utterance
        else message
        for message in request.messages
    ]
    return replace(request, messages=tuple(messages))
