"""What was heard for a field and what had been meant: remembered, and a candidate the next time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from app.agent.backends.base import TurnRequest
from app.agent.json_types import JsonObject
from app.agent.messages import Hypothesis, UserMessage, Utterance
from app.agent.values.likeness import last_like
from app.agent.values.sound import nearness
from app.agent.values.words import plain

_MOST = 40
"""For one field; the oldest goes first."""

_LONGEST_WORDS = 8
_NEAR = 0.5
"""Words less alike than this were no mishearing: the person has changed their mind."""


_SAME = 0.85
"""How near words must be to those that were misheard before."""

_FIRST = 0.01
"""What was meant before is named first where the person is asked which it is."""


class CorrectionStore(Protocol):
    """Keeps the corrections of each field, heard to meant, oldest first."""

    def load(self, key: str) -> JsonObject | None:
        """Those of a field, or None."""

    def save(self, key: str, profile: JsonObject) -> None:
        """Keeps those of a field in place of what was there."""

    def remove(self, key: str) -> None:
        """Forgets those of a field."""

    def saved_under(self) -> tuple[str, ...]:
        """The fields that there are some of."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What was heard for a field, and what had been meant.

    Attributes:
        target: The field, as `target_key` names it.
        place: Where it was among those of its field when it was looked up, the oldest being 0.
    """

    target: str
    heard: str
    meant: str
    place: int = 0


class Corrections:
    """The corrections that a person has made. May be called from any thread."""

    def __init__(self, store: CorrectionStore) -> None:
        self._store = store
        self._lock = threading.Lock()

    def all(self) -> tuple[Correction, ...]:
        """All of them: by field, the newest of each first."""
        return tuple(
            Correction(target, heard, meant, place)
            for target in sorted(self._store.saved_under())
            for place, (heard, meant) in reversed(list(enumerate(self.of(target).items())))
        )

    def of(self, target: str) -> Mapping[str, str]:
        """What was meant by what was heard, for a field.

        Args:
            target: The page and the field's label (`target_key`).
        """
        return {heard: meant for heard, meant in (self._store.load(target) or {}).items() if isinstance(meant, str)}

    def remember(self, target: str, heard: str, meant: str) -> None:
        """Keeps a correction, if the two sound alike; the opposite one is forgotten."""
        heard, meant = heard.strip(), meant.strip()
        short = max(len(heard.split()), len(meant.split())) <= _LONGEST_WORDS
        if not short or plain(heard) == plain(meant) or nearness(plain(heard), plain(meant)) < _NEAR:
            return
        with self._lock:
            known = {h: m for h, m in self.of(target).items() if plain(h) not in (plain(heard), plain(meant))}
            known[heard] = meant
            self._store.save(target, dict(list(known.items())[-_MOST:]))

    def forget(self, corrections: Sequence[Correction]) -> None:
        """Forgets some of them; those that are not there any more don't matter."""
        with self._lock:
            for target, gone in _by_target(corrections).items():
                left = {h: m for h, m in self.of(target).items() if all(h != each.heard for each in gone)}
                if left:
                    self._store.save(target, dict(left))
                else:
                    self._store.remove(target)

    def put_back(self, corrections: Sequence[Correction]) -> None:
        """Remembers again, in their places, what was forgotten; except where something newer is remembered instead."""
        with self._lock:
            for target, back in _by_target(corrections).items():
                known = list(self.of(target).items())
                newer = {plain(heard) for heard, _ in known}
                for each in sorted(back, key=lambda correction: correction.place):
                    if not newer & {plain(each.heard), plain(each.meant)}:
                        known.insert(each.place, (each.heard, each.meant))
                if known:
                    self._store.save(target, dict(known[-_MOST:]))


def _by_target(corrections: Sequence[Correction]) -> Mapping[str, list[Correction]]:
    found: dict[str, list[Correction]] = {}
    for each in corrections:
        found.setdefault(each.target, []).append(each)
    return found


def target_key(page: object, label: str) -> str:
    """Names a field across restarts."""
    return f"{page}/{label}" if isinstance(page, str) and page else label


def with_candidates(request: TurnRequest, corrections: Corrections) -> TurnRequest:
    """Adds to what was heard what had been meant by it before, where it names the field of a correction.

    It is one reading more, as likely as the one it comes from: the person is asked which of them it is.
    """
    page = request.snapshot.screen.get("page")
    labels = [view.label for view in request.snapshot.available("fill")]
    known = {label: found for label in labels if (found := corrections.of(target_key(page, label)))}
    if not known:
        return request
    messages = tuple(
        replace(message, utterance=_with_meant(message.utterance, known))
        if isinstance(message, UserMessage) and message.utterance.source == "voice"
        else message
        for message in request.messages
    )
    return replace(request, messages=messages)


def _with_meant(utterance: Utterance, known: Mapping[str, Mapping[str, str]]) -> Utterance:
    added: list[Hypothesis] = []
    for reading in utterance.readings():
        for label, corrected in known.items():
            for heard, meant in corrected.items() if plain(label) in plain(reading.text) else ():
                place = last_like(reading.text, heard, _SAME)
                if place:
                    text = reading.text[: place.start] + meant + reading.text[place.end :]
                    added.append(Hypothesis(text, min(reading.log_probability + _FIRST, 0.0)))
    return replace(utterance, hypotheses=(*utterance.readings(), *added)) if added else utterance
