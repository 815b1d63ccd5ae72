"""Putting the last request right: what takes its place, what is taken back first, and what is remembered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from command_screens import screen

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.backends.wire.profiles import MemoryProfiles
from app.agent.commands import AmendingBackend, CommandBackend, Corrections
from app.agent.messages import AssistantMessage, Hypothesis, Message, Source, ToolMessage, UserMessage, Utterance
from app.agent.snapshot import Snapshot


class Talk:
    """A conversation with the backend: what was asked for was approved, rejected or left open."""

    def __init__(self, page: str = "Contributions") -> None:
        self.corrections = Corrections(MemoryProfiles())
        self.backend = AmendingBackend(CommandBackend(), self.corrections)
        self.snapshot = screen(page)
        self.messages: list[Message] = []
        self.end = TurnEnd()

    def say(
        self, text: str, *others: str, done: bool = False, source: Source = "voice", language: str = "en"
    ) -> list[tuple[str, Any]]:
        """The calls for an utterance, which are then done, or not."""
        hypotheses = tuple(Hypothesis(each, -0.2 - 0.01 * at) for at, each in enumerate((text, *others)))
        self.messages.append(UserMessage(Utterance(text, text, hypotheses, source, language)))
        self.end = self._ask()
        calls = self.end.calls
        self.messages.append(AssistantMessage(self.end.text, calls))
        self.messages += [ToolMessage(call.id, call.name, "Done" if done else "Not run", done) for call in calls]
        if done:
            self.snapshot = _undoable(self.snapshot, text)
            assert not self._ask().calls
        return [(call.name, self._value(json.loads(call.arguments))) for call in calls]

    def _ask(self) -> TurnEnd:
        return self.backend.answer(TurnRequest(tuple(self.messages), self.snapshot))

    def _value(self, arguments: Mapping[str, Any]) -> Any:
        view = self.snapshot.instance(arguments.get("target", ""))
        return (view.label if view else "", *(arguments[key] for key in arguments if key != "target"))


def _undoable(snapshot: Snapshot, text: str) -> Snapshot:
    return Snapshot(snapshot.revision + 1, snapshot.tools, snapshot.instances, {**snapshot.screen, "undoable": text})


@pytest.mark.parametrize(
    ("first", "then", "wanted"),
    [
        ("set the level to beginner", "No, I meant advanced.", [("choose", ("Level", "Advanced"))]),
        ("set the level to beginner", "I said advanced", [("choose", ("Level", "Advanced"))]),
        ("set the level to beginner", "Not beginner, advanced.", [("choose", ("Level", "Advanced"))]),
        ("set the level to beginner", "no, not beginner but advanced", [("choose", ("Level", "Advanced"))]),
        ("set the duration to 30", "no, I meant forty five", [("fill", ("Duration", "45"))]),
        ("set the duration to 30", "Wait, no, I meant forty five.", [("fill", ("Duration", "45"))]),
        ("set the duration to 30", "No, make it forty five.", [("fill", ("Duration", "45"))]),
        ("set the level to beginner", "No, it should be advanced.", [("choose", ("Level", "Advanced"))]),
        (
            "set the title to eating carrots for fun",
            "Not carrots, parrots.",
            [("fill", ("Title", "eating parrots for fun"))],
        ),
        ("set the title to voice control", "No, I meant the abstract.", [("fill", ("Abstract", "voice control"))]),
        ("save", "no, I meant delete", [("click", ("Delete",))]),
        ("set the title to save", "no, I meant save", [("click", ("Save",))]),
        ("set the level to beginner", "no, I meant set the status to draft", [("choose", ("Status", "Draft"))]),
        (
            "set the level to beginner and save",
            "no, I meant advanced",
            [("choose", ("Level", "Advanced")), ("click", ("Save",))],
        ),
    ],
)
def test_what_was_meant_takes_the_place_of_what_was_proposed(first: str, then: str, wanted: list[Any]) -> None:
    talk = Talk()
    assert talk.say(first)
    assert talk.say(then) == wanted


def test_what_was_done_is_taken_back_first_and_both_steps_are_asked_about() -> None:
    talk = Talk()
    talk.say("set the level to beginner", done=True)
    assert talk.say("no, I meant advanced") == [("undo", ("",)), ("choose", ("Level", "Advanced"))]
    undo = talk.end.calls[0]
    assert undo.confidence is not None
    assert undo.confidence < 0.55


def test_what_undo_would_not_take_back_is_not_undone() -> None:
    talk = Talk()
    talk.say("set the level to beginner", done=True)
    talk.snapshot = _undoable(talk.snapshot, "Title of something, by hand")
    assert talk.say("no, I meant advanced") == [("choose", ("Level", "Advanced"))]


@pytest.mark.parametrize("text", ["no, I meant advanced", "not beginner, advanced", "I said banana split"])
def test_without_anything_before_it_nothing_is_proposed(text: str) -> None:
    assert Talk().say(text) == []


def test_a_command_is_understood_without_anything_before_it() -> None:
    assert Talk().say("I said set the level to advanced") == [("choose", ("Level", "Advanced"))]


@pytest.mark.parametrize("text", ["No, I meant banana.", "Not beginner, banana."])
def test_what_the_field_does_not_take_is_not_proposed(text: str) -> None:
    talk = Talk()
    talk.say("set the level to beginner")
    assert talk.say(text) == []


def test_a_correction_is_a_candidate_the_next_time_for_that_field_only() -> None:
    talk = Talk()
    talk.say("set the title to eating carrots")
    assert talk.say("no, I meant eating parrots", done=True) == [("fill", ("Title", "eating parrots"))]
    assert talk.say("set the title to eating carrots") == []
    assert talk.end.text == "Title “eating parrots” 1 or Title “eating carrots” 2?"
    assert talk.say("one") == [("fill", ("Title", "eating parrots"))]
    assert talk.say("set the abstract to eating carrots") == [("fill", ("Abstract", "eating carrots"))]
    assert talk.say("set the title to building bridges") == [("fill", ("Title", "building bridges"))]


def test_what_was_not_approved_and_what_sounds_different_is_not_remembered() -> None:
    talk = Talk()
    talk.say("set the title to eating carrots")
    talk.say("no, I meant eating parrots")
    assert talk.corrections.of("Contributions/Title") == {}
    talk.say("no, I meant building bridges", done=True)
    assert talk.corrections.of("Contributions/Title") == {}


def test_corrections_are_bounded_and_the_opposite_one_goes() -> None:
    corrections = Corrections(MemoryProfiles())
    for number in range(100):
        corrections.remember("Speakers/Name", f"jon {number}", f"john {number}")
    assert len(corrections.of("Speakers/Name")) == 40
    corrections.remember("Speakers/Name", "john 99", "jon 99")
    assert corrections.of("Speakers/Name")["john 99"] == "jon 99"
    assert "jon 99" not in corrections.of("Speakers/Name")


def test_corrections_are_forgotten_and_put_back_where_they_were() -> None:
    corrections = Corrections(MemoryProfiles())
    for heard, meant in (("jon", "john"), ("ana", "anna"), ("marc", "mark")):
        corrections.remember("Speakers/Name", heard, meant)
    corrections.remember("Conferences/City", "bremerton", "bremen")
    before = corrections.all()
    assert [(each.target, each.heard) for each in before] == [
        ("Conferences/City", "bremerton"),
        ("Speakers/Name", "marc"),
        ("Speakers/Name", "ana"),
        ("Speakers/Name", "jon"),
    ]
    corrections.forget((before[0], before[2]))
    assert [each.heard for each in corrections.all()] == ["marc", "jon"]
    corrections.put_back((before[0], before[2]))
    assert corrections.all() == before
    corrections.forget(before)
    assert corrections.all() == ()
    corrections.put_back(before)
    assert corrections.all() == before


def test_what_was_put_right_since_is_not_put_back_over_it() -> None:
    corrections = Corrections(MemoryProfiles())
    corrections.remember("Speakers/Name", "jon", "john")
    corrections.remember("Speakers/Name", "ana", "anna")
    gone = corrections.all()
    corrections.forget(gone)
    corrections.remember("Speakers/Name", "jon", "joan")
    corrections.remember("Speakers/Name", "anna", "ana")
    corrections.put_back(gone)
    assert corrections.of("Speakers/Name") == {"jon": "joan", "anna": "ana"}


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        ("setze den Status auf angenommen", "de", [("choose", ("Status", "Accepted"))]),
        ("set the status to accepted", "de", [("choose", ("Status", "Accepted"))]),
        ("set the title to who needs it and save", "es", [("fill", ("Title", "who needs it")), ("click", ("Save",))]),
        ("cambia el estado a aceptada", "es", [("choose", ("Status", "Accepted"))]),
        ("das Wetter ist heute gut", "de", []),
        ("what a lovely day it is", "de", []),
    ],
)
def test_what_is_typed_is_understood_in_the_spoken_language_or_in_english(
    text: str, language: str, wanted: list[Any]
) -> None:
    talk = Talk()
    assert talk.say(text, source="text", language=language) == wanted
    assert all((call.confidence or 0.0) > 0.95 for call in talk.end.calls)


def test_what_is_spoken_is_understood_in_its_own_language_only() -> None:
    assert Talk().say("gehe zu den Konferenzen", language="en") == []
