"""The embedded backend: understands commands by a grammar and this screen's names. No network, no state, no model."""

from __future__ import annotations

import heapq
import json
import math
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from datetime import date

from app.agent.backends.base import Part, TextPart, TurnEnd, TurnRequest
from app.agent.commands.grammar import Grammar
from app.agent.commands.meaning import Meaning
from app.agent.commands.progress import Answered, call_id_for, progress_of
from app.agent.commands.reader import ScreenReader
from app.agent.commands.reading import Reading, Start, bounds_for
from app.agent.commands.screens import Screens
from app.agent.commands.suggestions import what_can_i_say
from app.agent.commands.wording import chosen_number, options_of, question, told
from app.agent.messages import Source, ToolCall, Utterance
from app.agent.snapshot import Snapshot
from app.agent.values.sound import nearness
from app.agent.values.words import plain

_TYPED = 0.98
"""Confidence in an exact command that was typed."""

_EXACT = 0.95
_COMPARED_WORDS = 40
_SUGGESTED = 3


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
        for part in parts_of(self.answer(request)):
            yield part

    def answer(self, request: TurnRequest) -> TurnEnd:
        """The answer to one turn; takes some milliseconds."""
        progress = progress_of(request.messages)
        utterance = progress.utterance
        if utterance is None:
            return TurnEnd(finish="declined", backend=self.name)
        if any(not done.ok for done in progress.answered):
            return self._stop(told(progress.answered))
        choice = chosen_number(utterance, self._screens.grammar(utterance.language)) if progress.asked else None
        if choice and progress.asked:
            chosen = self._chosen(request.snapshot, progress.asked, choice, progress.answered)
            if chosen:
                return chosen
        reader = self._reader(request.snapshot, utterance)
        starts = reader.starts(utterance.readings(), bounds_for(utterance.recognisers))
        if progress.answered:
            starts = reader.rests(starts, progress.answered)
            if starts[0].word >= len(starts[0].sentence):
                return self._stop(told(progress.answered))
            starts = [start for start in starts if start.word < len(start.sentence)]
        reading = reader.read(starts)
        if reading is None or (reading.problem and self._has_tail(reader, reading.start)):
            return self._declined(reader, starts, request.snapshot, utterance.language)
        if reading.problem and utterance.source == "voice":
            return self._stop(f"{reading.problem.label}: {reading.problem.problem}")
        if reading.rivals:
            options = options_of([reading.chain, *reading.rivals])
            return TurnEnd(text=question(options), suggestions=options, backend=self.name)
        return self._calls(reader, reading, utterance.source)

    def _chosen(
        self, snapshot: Snapshot, asked: Utterance, choice: int, answered: tuple[Answered, ...]
    ) -> TurnEnd | None:
        """Carries out the option of that number of the question that the utterance before was answered with."""
        reader = self._reader(snapshot, asked)
        if answered:
            return self._stop(told(answered))
        reading = reader.read(reader.starts(asked.readings(), bounds_for(asked.recognisers)))
        if reading is None or not reading.rivals or choice > len(reading.rivals) + 1:
            return None
        chain = [reading.chain, *reading.rivals][choice - 1]
        # The person has said which: there is no doubt left.
        return self._calls(reader, replace(reading, chain=chain, exact=True), "text")

    def _reader(self, snapshot: Snapshot, utterance: Utterance) -> ScreenReader:
        spoken = utterance.source == "voice"
        return self._screens.reader(snapshot, utterance.language, today=self._today, spoken=spoken)

    def _calls(self, reader: ScreenReader, reading: Reading, source: Source) -> TurnEnd:
        calls = tuple(
            ToolCall(
                call_id_for(reading.start.index, following, reading.start.sentence.text),
                clause.meaning.tool,
                json.dumps(reader.arguments_of(clause.meaning), ensure_ascii=False),
                confidence(reading, clause.meaning, source),
            )
            for clause, following in zip(reading.chain, reading.following(), strict=True)
        )
        return TurnEnd(calls=calls, finish="tool_calls", backend=self.name)

    def _declined(self, reader: ScreenReader, starts: Sequence[Start], snapshot: Snapshot, language: str) -> TurnEnd:
        if not starts:
            return TurnEnd(text="I heard nothing that I could do.", finish="declined", backend=self.name)
        words = reader.unread_words(starts[0])
        heard = reader.sentence(words).phrase(0, _COMPARED_WORDS)
        phrases = [phrase.text for phrase in what_can_i_say(snapshot, language)]
        nearest = tuple(heapq.nlargest(_SUGGESTED, phrases, key=lambda phrase: nearness(heard, plain(phrase))))
        text = reader.missing(words) or f"I did not understand “{words}”."
        return TurnEnd(text=text, finish="declined", suggestions=nearest, backend=self.name)

    def _has_tail(self, reader: ScreenReader, start: Start) -> bool:
        """Whether words at the end are to blame: what is before them is understood."""
        return reader.unread_words(start) != start.sentence.heard(start.word, len(start.sentence))

    def _stop(self, text: str) -> TurnEnd:
        return TurnEnd(text=text, finish="stop", backend=self.name)


def parts_of(end: TurnEnd) -> tuple[Part, ...]:
    """A turn as it streams. That the commands decline is no answer to be shown as one."""
    return (TextPart(end.text), end) if end.text and end.finish != "declined" else (end,)


def confidence(reading: Reading, meaning: Meaning, source: Source) -> float:
    """How sure a call is, between 0 and 1: from the fit of its words and the recogniser's log-probability."""
    heard = 1.0 if source == "text" else math.exp(reading.start.log_probability)
    if reading.exact and meaning.quality >= _EXACT:
        return round(_TYPED * (0.75 + 0.25 * heard), 2)
    fit = max((meaning.quality - 0.4) / 0.7, 0.0)
    return round(fit * (0.9 + 0.1 * heard), 2)
