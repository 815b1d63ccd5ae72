"""Takes reasoning that a server leaves in the content, between `<think>` and `</think>`, out of the answer."""

from __future__ import annotations

from typing import Literal

from app.agent.backends.base import ReasoningPart, TextPart

_OPEN = "<think>"
_CLOSE = "</think>"


class ThinkSplitter:
    """Splits streamed content. Only a block at the very beginning counts: later the tag is part of the answer."""

    def __init__(self) -> None:
        self._held = ""
        self._state: Literal["start", "thinking", "after", "answer"] = "start"

    def feed(self, content: str) -> list[TextPart | ReasoningPart]:
        """Takes a piece of content and gives the parts that are certain by now."""
        self._held += content
        parts: list[TextPart | ReasoningPart] = []
        if self._state == "start":
            begun = self._held.lstrip()
            if begun.startswith(_OPEN):
                self._state, self._held = "thinking", begun.removeprefix(_OPEN)
            elif begun and not _OPEN.startswith(begun):
                self._state = "answer"
        if self._state == "thinking":
            thought, closed, rest = self._held.partition(_CLOSE)
            if closed:
                self._state, self._held = "after", rest
            else:
                keep = _overlap(thought, _CLOSE)
                thought, self._held = thought[: len(thought) - keep], thought[len(thought) - keep :]
            if thought:
                parts.append(ReasoningPart(thought))
        if self._state == "after":
            self._held = self._held.lstrip()
            if self._held:
                self._state = "answer"
        if self._state == "answer" and self._held:
            parts.append(TextPart(self._held))
            self._held = ""
        return parts

    def end(self) -> list[TextPart | ReasoningPart]:
        """Gives what was held back: the content has ended."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [ReasoningPart(held) if self._state == "thinking" else TextPart(held)]


def _overlap(text: str, tag: str) -> int:
    """How many characters at the end of `text` may be the beginning of `tag`."""
    return next((size for size in range(min(len(text), len(tag) - 1), 0, -1) if text.endswith(tag[:size])), 0)
