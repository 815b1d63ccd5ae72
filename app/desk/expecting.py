"""Tells the voice what can be done on the screen, so that what was misheard is heard a second time."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.messages import ToolCall, UserMessage
from app.agent.snapshot import Snapshot
from app.desk.heard import utterance_of
from app.qtbridge.screen_words import screen_words
from app.voice.types import HeardHypothesis, Transcript

if TYPE_CHECKING:
    from app.agent.commands import CommandBackend

_CLEAR, _CLEAR_VALUE = 0.8, 0.9
"""The least confidence of a command that is not heard by another recogniser, too, and of one with a number or date."""

_BOUNDED = ("integer", "number", "date", "time", "choice", "boolean")
"""Types of values that are few: most of what is misheard is none of them, and is noticed."""

_SURE, _BY_FAR = -0.25, 0.15
"""The log-probability of a reading that is hardly ever wrong, if it is so much likelier than the next one."""


class ScreenExpectation:
    """See `Expectation` in app/voice/second_look.py."""

    def __init__(self, snapshot: Callable[[], Snapshot | None], wanted: Callable[[], bool]) -> None:
        """Looks at nothing yet.

        Args:
            snapshot: Takes the screen now, if there is one; called on the GUI thread.
            wanted: Whether what is heard now is to be a command; called there too.
        """
        self._snapshot = snapshot
        self._wanted = wanted
        self._screen: Snapshot | None = None
        self._commands: CommandBackend | None = None

    def look(self) -> tuple[str, ...]:
        """Takes the screen as it is now; no words where what comes is no command."""
        self._screen = self._snapshot() if self._wanted() else None
        return screen_words(self._screen) if self._screen is not None else ()

    def understands(self, transcript: Transcript) -> bool:
        """Whether the commands of the screen, or the answers to open questions, have a use for it."""
        end = self._answer(transcript)
        return end is None or end.finish == "tool_calls" or bool(end.suggestions and end.finish != "declined")

    def is_clear(self, transcript: Transcript) -> bool:
        """Whether it is a command or an answer beyond doubt. One with words of the person's own seldom is."""
        end = self._answer(transcript)
        if end is None or end.finish != "tool_calls":
            return end is None
        return _is_sure(transcript.hypotheses) or all(self._call_is_clear(call) for call in end.calls)

    def _call_is_clear(self, call: ToolCall) -> bool:
        from app.agent.commands.vocabulary import value_type_of

        confidence = call.confidence or 0.0
        if call.name != "fill" or self._screen is None:
            return confidence >= _CLEAR
        view = self._screen.instance(str(json.loads(call.arguments).get("target", "")))
        return view is not None and value_type_of(view) in _BOUNDED and confidence >= _CLEAR_VALUE

    def _answer(self, transcript: Transcript) -> TurnEnd | None:
        """What the commands of the screen answer; None where they aren't asked, or an open question is answered."""
        # Imported here: the window paints before the grammar is needed.
        from app.agent.commands import CommandBackend
        from app.agent.commands.answers import parse_answer

        screen, utterance = self._screen, utterance_of(transcript)
        if screen is None or utterance is None or parse_answer(utterance, ()) is not None:
            return None
        if self._commands is None:
            self._commands = CommandBackend()
        return self._commands.answer(TurnRequest((UserMessage(utterance),), screen))


def _is_sure(hypotheses: Sequence[HeardHypothesis]) -> bool:
    best, *others = (each.log_probability for each in hypotheses)
    return best > _SURE and all(best - other > _BY_FAR for other in others)
