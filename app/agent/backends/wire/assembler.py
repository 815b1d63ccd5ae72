"""One turn out of the chunks of its stream, or out of a whole answer: text, reasoning, calls, and how it ended."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from app.agent.backends.base import Finish, ReasoningPart, TextPart, TurnEnd, Usage
from app.agent.backends.wire.calls import CallDrafts
from app.agent.backends.wire.text_calls import call_as_text
from app.agent.backends.wire.thinking import ThinkSplitter

_FINISHES: Mapping[str, Finish] = {
    "stop": "stop",
    "tool_calls": "tool_calls",
    "length": "length",
    "max_tokens": "length",
    "content_filter": "content_filter",
}

_NOTICES: Mapping[Finish, str] = {
    "length": "The answer was cut off at the model's limit of length.",
    "content_filter": "The server's content filter stopped the answer.",
    "incomplete": "The answer broke off before its end.",
}


class AnswerError(Exception):
    """A chunk of an answer with status 200 holds an `error`. Attribute `body`: that chunk as JSON."""

    def __init__(self, chunk: Mapping[str, Any]) -> None:
        super().__init__("an error inside the answer")
        self.body = json.dumps(chunk)
        code = _mapping(chunk.get("error")).get("code")
        self.status = code if isinstance(code, int) else 0


class Assembler:
    """Takes chunks (`feed`) and gives the end of the turn (`end`).

    Args:
        offered: Names of the tools that were sent.
        new_id: Draws the id of a call.
    """

    def __init__(self, offered: Collection[str], new_id: Callable[[], str]) -> None:
        self._offered = offered
        self._new_id = new_id
        self._splitter = ThinkSplitter()
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._refusal: list[str] = []
        self._drafts = CallDrafts()
        self._reason = ""
        self._usage = Usage()

    @property
    def finished(self) -> bool:
        """Whether the server has said why the turn ended; only the usage can still follow."""
        return bool(self._reason)

    @property
    def begun(self) -> bool:
        """Whether there is anything of an answer yet."""
        return bool(self._text or self._reasoning or self._refusal or self._drafts)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to show or to do. Reasoning is not an answer."""
        return not (self._drafts or "".join(self._refusal).strip() or "".join(self._text).strip())

    def feed(self, chunk: object) -> Iterator[TextPart | ReasoningPart]:
        """Takes the JSON value of one chunk, or of a whole answer, and yields what it adds to the text.

        Raises:
            AnswerError: It holds an `error`.
        """
        if not isinstance(chunk, Mapping):
            return
        if chunk.get("error"):
            raise AnswerError(chunk)
        self._count(_mapping(chunk.get("usage")))
        choices = chunk.get("choices")
        # Only one answer is asked for: a second choice is not ours to mix into it.
        choice = _mapping(choices[0]) if isinstance(choices, list) and choices else {}
        if not choice:
            return
        if choice.get("error"):
            raise AnswerError(choice)
        delta = _mapping(choice.get("delta")) or _mapping(choice.get("message"))
        yield from self._take_texts(delta)
        deltas = delta.get("tool_calls")
        if isinstance(deltas, Mapping):
            deltas = [deltas]
        if isinstance(deltas, list):
            self._drafts.take(deltas, () if delta.get("content") else _log_probabilities(choice))
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._reason = reason.lower()

    def flush(self) -> Iterator[TextPart | ReasoningPart]:
        """Yields text that was held back; to be called once, after the last chunk."""
        for part in self._splitter.end():
            yield self._kept(part)

    def end(self, *, closed: bool) -> TurnEnd:
        """The whole turn. Its calls are left out where the way it ended forbids to run them.

        Args:
            closed: Whether the server closed the answer in order: `[DONE]`, or a whole JSON document.
        """
        finish = self._finish(closed)
        text = "".join(self._text)
        runnable = finish in ("stop", "tool_calls")
        notices = [_NOTICES[finish]] if finish in _NOTICES else []
        if finish in _NOTICES and self._drafts:
            notices.append("The actions in it were not run.")
        if runnable and not self._drafts:
            if self._reason == "tool_calls":
                notices.append("The model announced actions but sent none.")
            finish = "stop"
        written = call_as_text(text, self._offered)
        if written is not None:
            what = f"The model wrote an action ({written})" if written else "The model wrote an action"
            notices.append(f"{what} as text. It was not run.")
        return TurnEnd(
            text=text,
            calls=self._drafts.build(self._offered, self._new_id) if runnable else (),
            finish="tool_calls" if runnable and self._drafts else finish,
            reasoning="".join(self._reasoning),
            refusal="".join(self._refusal),
            notice=" ".join(notices),
            usage=self._usage,
        )

    def _finish(self, closed: bool) -> Finish:
        if self._reason:
            return _FINISHES.get(self._reason, "incomplete")
        return "stop" if closed and self._drafts.complete() else "incomplete"

    def _take_texts(self, delta: Mapping[str, Any]) -> Iterator[TextPart | ReasoningPart]:
        reasoning = delta.get("reasoning_content") or delta.get("reasoning")
        if isinstance(reasoning, str):
            yield self._kept(ReasoningPart(reasoning))
        for part in self._splitter.feed(_content(delta.get("content"))):
            yield self._kept(part)
        if isinstance(delta.get("refusal"), str):
            self._refusal.append(delta["refusal"])

    def _kept(self, part: TextPart | ReasoningPart) -> TextPart | ReasoningPart:
        (self._text if isinstance(part, TextPart) else self._reasoning).append(part.text)
        return part

    def _count(self, usage: Mapping[str, Any]) -> None:
        if usage:
            self._usage = Usage(_number(usage.get("prompt_tokens")), _number(usage.get("completion_tokens")))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _content(value: object) -> str:
    """The text of a `content`: a text, or a list of parts of which the text ones count."""
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        return ""
    texts = (part if isinstance(part, str) else _mapping(part).get("text") for part in value)
    return "".join(text for text in texts if isinstance(text, str))


def _log_probabilities(choice: Mapping[str, Any]) -> list[float]:
    tokens = _mapping(choice.get("logprobs")).get("content")
    values = [_mapping(token).get("logprob") for token in tokens] if isinstance(tokens, list) else []
    return [float(value) for value in values if isinstance(value, int | float)]
