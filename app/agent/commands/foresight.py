"""Which target a sentence that is still being spoken is about. Proposes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from app.agent.commands.answers import parse_answer
from app.agent.commands.reader import ScreenReader
from app.agent.commands.reading import bounds_for
from app.agent.commands.screens import Screens
from app.agent.messages import Hypothesis, Utterance
from app.agent.snapshot import Snapshot

_ANYTHING = "x"
"""Stands for a value that is still to come."""


class Foreseer:
    """Reads beginnings of commands by the grammar. Used in one thread."""

    def __init__(self) -> None:
        self._screens = Screens()

    def target(self, snapshot: Snapshot, heard: str, language: str) -> str:
        """The guid of the one target that the words name so far, or an empty string.

        Args:
            heard: What has been said up to now; values may be missing or cut off.
            language: ISO 639-1 code.
        """
        utterance = Utterance("", heard, source="voice", language=language)
        if parse_answer(utterance, ()) is not None:
            return ""
        reader = self._screens.reader(snapshot, language, spoken=True)
        to = self._screens.grammar(language).words["to"][0]
        for words in _with_endings(heard, to):
            handle = _handle(reader, words)
            view = snapshot.instance(handle) if handle else None
            if view is not None and view.available:
                return view.guid
        return ""


def _with_endings(heard: str, to: str) -> Iterator[str]:
    bare = heard.strip().rstrip(" .,…?!")
    if bare:
        yield bare
        yield f"{bare} {_ANYTHING}"
        yield f"{bare} {to} {_ANYTHING}"


def _handle(reader: ScreenReader, words: str) -> str:
    reading = reader.read(reader.starts((Hypothesis(words),), bounds_for(1)))
    if reading is None or reading.rivals:
        return ""
    # A value that its target refuses is not finished yet; the target is meant all the same.
    return reading.chain[-1].meaning.handle
