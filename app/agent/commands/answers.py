"""Answers to open questions: "approve", "yes", "reject the second action", "cancel"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, cast

from app.agent.commands.grammar import Grammar, load_grammar
from app.agent.messages import Utterance
from app.agent.proposal import Proposal
from app.agent.values.sound import nearness
from app.agent.values.words import plain

AnswerKind = Literal["approve", "reject", "cancel"]

_NEAR = 0.75
_MARGIN = 0.08
_LAST = -1
_ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Answer:
    """What was answered.

    Attributes:
        kind: Approve, reject, or end the whole run.
        positions: The proposals meant, by their position in the run; empty for all that wait.
    """

    kind: AnswerKind
    positions: tuple[int, ...] = ()


def parse_answer(utterance: Utterance, waiting: Sequence[Proposal]) -> Answer | None:
    """Reads an utterance as an answer to the proposals that wait; None where it is something else.

    Words that only sound like an answer count only while something waits for one. Where nothing waits, only words
    that can't be anything else are answers ("approve", not "yes"). What was typed may be English in any case.
    """
    answer = _answer_of(utterance, waiting)
    if answer is None and utterance.source == "text" and utterance.language != _ENGLISH:
        return _answer_of(replace(utterance, language=_ENGLISH), waiting)
    return answer


def _answer_of(utterance: Utterance, waiting: Sequence[Proposal]) -> Answer | None:
    words = _AnswerWords(load_grammar(utterance.language), tuple(proposal.position for proposal in waiting))
    readings = [plain(reading.text) for reading in utterance.readings()]
    for said in readings:
        if answer := words.exact(said):
            return answer
    if not waiting:
        return None
    near = [found for said in readings if (found := words.near(said))]
    return max(near, key=lambda found: found[0])[1] if near else None


class _AnswerWords:
    """The answers of a language, for proposals at these positions."""

    def __init__(self, grammar: Grammar, positions: Sequence[int]) -> None:
        self._grammar = grammar
        self._data: Mapping[str, Any] = grammar.answers
        self._positions = positions

    def exact(self, said: str) -> Answer | None:
        """The answer in these words, polite words left out."""
        bare = self._grammar.without_politeness(said)
        for phrase in (said, bare):
            if phrase and phrase in self._phrases:
                return Answer(self._phrases[phrase])
        return self._chosen(bare)

    def near(self, said: str) -> tuple[float, Answer] | None:
        """The answer that sounds most like these words, with its nearness, if no other is nearly as near."""
        bare = self._grammar.without_politeness(said)
        for kind, heard in self._data["misheard"].items():
            if bare in heard or said in heard:
                return 1.0, Answer(cast(AnswerKind, kind))
        ranked = sorted(
            ((nearness(bare, phrase), phrase, answer) for phrase, answer in self._compared()),
            key=lambda one: (-one[0], one[1]),
        )
        best, _, answer = ranked[0]
        rival = max((score for score, _, other in ranked if other != answer), default=0.0)
        return (best, answer) if best >= _NEAR and best - rival >= _MARGIN else None

    @cached_property
    def _phrases(self) -> dict[str, AnswerKind]:
        """Whole answers: without a waiting proposal only the unmistakable ones."""
        sure = {"approve": "approve", "approve_all": "approve", "reject": "reject", "reject_all": "reject"}
        keys = {**sure, "cancel": "cancel"}
        if self._positions:
            keys |= {"while_waiting_approve": "approve", "while_waiting_reject": "reject"}
        return {phrase: cast(AnswerKind, kind) for key, kind in keys.items() for phrase in self._data[key]}

    def _chosen(self, said: str) -> Answer | None:
        """ "Approve the first and the third": a verb and positions, other words making it something else."""
        for kind, verbs in self._data["verbs"].items():
            for verb in sorted(verbs, key=len, reverse=True):
                if said.startswith(f"{verb} "):
                    positions = self._positions_in(said.removeprefix(verb).split())
                    if positions:
                        return Answer(cast(AnswerKind, kind), positions)
        return None

    def _positions_in(self, words: Iterable[str]) -> tuple[int, ...]:
        found: list[int] = []
        but = False
        for word in words:
            if word in self._data["ordinals"] or word.isdigit():
                found.append(int(word) if word.isdigit() else self._data["ordinals"][word])
            elif word in self._data["but"]:
                but = True
            elif word not in self._data["nouns"] and word not in self._data["small"]:
                return ()
        last = max(self._positions, default=0)
        meant = [last if position == _LAST else position for position in found]
        if but:
            meant = [position for position in self._positions if position not in meant] if meant else []
        return tuple(dict.fromkeys(position for position in meant if position))

    def _compared(self) -> Iterable[tuple[str, Answer]]:
        for key in ("approve", "reject"):
            for phrase in self._data["compared"][key]:
                yield phrase, Answer(key)
        for phrase in self._data["compared"]["cancel"]:
            yield phrase, Answer("cancel")
        names = {number: name for name, number in reversed(self._data["ordinals"].items()) if number > 0}
        for position in self._positions:
            for kind, verbs in self._data["verbs"].items():
                if position in names:
                    said = f"{verbs[0]} {self._data['article']} {names[position]}"
                    for phrase in (said, f"{said} {self._data['nouns'][0]}"):
                        yield phrase, Answer(cast(AnswerKind, kind), (position,))
