"""The embedded backend: understands commands by a grammar and this screen's names. No network, no state, no model."""

from __future__ import annotations

import json
import math
import secrets
import string
from collections.abc import AsyncGenerator
from datetime import date

from app.agent.backends.base import Part, TextPart, TurnEnd, TurnRequest
from app.agent.commands.grammar import Grammar
from app.agent.commands.meaning import Meaning
from app.agent.commands.progress import Answered, progress_of
from app.agent.commands.reader import Reading, ScreenReader
from app.agent.commands.screens import Screens
from app.agent.messages import Source, ToolCall, Utterance
from app.agent.snapshot import Snapshot

_CALL_ID_LETTERS = string.ascii_letters + string.digits
_TYPED = 0.98
"""Confidence in an exact command that was typed."""


class CommandBackend:
    """Answers utterances that are commands on the screen of the request, and declines all others.

    Nothing is remembered between turns: on the next turn of an utterance it is read again on the new screen, from
    the word on that the results of earlier calls don't account for.
    """

    def __init__(self, grammar: Grammar | None = None, *, today: date | None = None) -> None:
        """Makes a backend.

        Arguments:
            grammar: The grammar for every language; by default each utterance's language has its own file.
            today: What "tomorrow" counts from; the computer's date by default.
        """
        self._screens = Screens(grammar)
        self._today = today

    @property
    def name(self) -> str:
        """The name shown to people and in traces."""
        return "commands"

    def prepare(self, snapshot: Snapshot, language: str = "en") -> None:
        """Makes the tables for a screen, so that the first sentence on it need not wait (some 0.1 s)."""
        self._screens.prepare(snapshot, language)

    async def stream(self, request: TurnRequest) -> AsyncGenerator[Part]:
        """Yields the answer to the last utterance, in one piece."""
        end = self.answer(request)
        if end.text:
            yield TextPart(end.text)
        yield end

    def answer(self, request: TurnRequest) -> TurnEnd:
        """The answer to one turn; takes some milliseconds."""
        progress = progress_of(request.messages)
        if progress.utterance is None:
            return TurnEnd(finish="declined", backend=self.name)
        if any(not done.ok for done in progress.answered):
            return self._stop(_told(progress.answered))
        utterance = progress.utterance
        spoken = utterance.source == "voice"
        reader = self._screens.reader(request.snapshot, utterance.language, today=self._today, spoken=spoken)
        starts = reader.starts(utterance.readings())
        if progress.answered:
            starts = reader.rests(starts, progress.answered)
            if all(start.word >= len(start.sentence) for start in starts[:1]):
                return self._stop(_told(progress.answered))
            starts = [start for start in starts if start.word < len(start.sentence)]
        reading = reader.read(starts)
        if reading is None:
            return self._declined(
                reader,
                progress.utterance,
                [start.sentence.heard(start.word, len(start.sentence)) for start in starts[:1]],
            )
        return self._understood(reader, reading, progress.utterance)

    def _understood(self, reader: ScreenReader, reading: Reading, utterance: Utterance) -> TurnEnd:
        if reading.problem and utterance.source == "voice":
            return self._stop(f"{reading.problem.label}: {reading.problem.problem}")
        if reading.rivals:
            return self._asked([reading.chain[0].meaning, *reading.rivals])
        calls = tuple(
            ToolCall(
                _call_id(),
                clause.meaning.tool,
                json.dumps(reader.arguments_of(clause.meaning), ensure_ascii=False),
                confidence(reading, clause.meaning, utterance.source),
            )
            for clause in reading.chain
        )
        return TurnEnd(calls=calls, finish="tool_calls", backend=self.name)

    def _asked(self, meanings: list[Meaning]) -> TurnEnd:
        names = [_told_meaning(meaning) for meaning in meanings]
        numbered = [f"{name} {at}" for at, name in enumerate(names, 1)]
        return TurnEnd(text=" or ".join(numbered) + "?", finish="stop", suggestions=tuple(numbered), backend=self.name)

    def _declined(self, reader: ScreenReader, utterance: Utterance, unread: list[str]) -> TurnEnd:
        heard = unread[0] if unread else utterance.text.strip()
        text = f"I did not understand “{heard}”." if heard else "I heard nothing that I could do."
        nearest = tuple(reader.near.nearest(reader.sentence(heard).phrase(0, 40), 3)) if heard else ()
        return TurnEnd(text=text, finish="declined", suggestions=nearest, backend=self.name)

    def _stop(self, text: str) -> TurnEnd:
        return TurnEnd(text=text, finish="stop", backend=self.name)


def confidence(reading: Reading, meaning: Meaning, source: Source) -> float:
    """How sure a call is, between 0 and 1: from the fit of its words and the recogniser's log-probability."""
    heard = 1.0 if source == "text" else math.exp(reading.log_probability)
    if reading.exact and meaning.quality >= 0.95:
        return round(_TYPED * (0.75 + 0.25 * heard), 2)
    fit = min(max((meaning.quality - 0.45) / 0.5, 0.0), 0.95)
    return round(fit * (0.85 + 0.15 * heard), 2)


def _told(answered: tuple[Answered, ...]) -> str:
    return " ".join(
        content if content.endswith((".", "?", "…")) else f"{content}."
        for content in (done.content.strip() for done in answered)
        if content
    )


def _told_meaning(meaning: Meaning) -> str:
    values = [str(value) for _, value in meaning.arguments]
    return " ".join([meaning.label or meaning.tool.replace("_", " "), *values])


def _call_id() -> str:
    return "".join(secrets.choice(_CALL_ID_LETTERS) for _ in range(9))
