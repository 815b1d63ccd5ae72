"""Turns: chains over several screens, results, questions and their numbered answers, refusals, declines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from command_driver import Driver
from command_screens import instance, screen, snapshot

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.commands import CommandBackend
from app.agent.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage, Utterance
from app.agent.snapshot import Example, InstanceView, Snapshot, ToolView


@pytest.fixture(scope="module")
def driver() -> Driver:
    return Driver(screen)


def _asked(backend: CommandBackend, snap: Snapshot, *messages: Message) -> TurnEnd:
    return backend.answer(TurnRequest(messages, snap))


def _said(text: str, *, voice: bool = False) -> UserMessage:
    return UserMessage(Utterance(text, text, source="voice" if voice else "text"))


def _calls(end: TurnEnd) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments)) for call in end.calls]


async def test_stream_ends_with_one_turn_end() -> None:
    request = TurnRequest((_said("the weather is lovely"),), screen("Contributions"))
    parts = [part async for part in CommandBackend().stream(request)]
    assert [part.type for part in parts] == ["end"], "that it declines is no answer to show as one"
    assert isinstance(parts[-1], TurnEnd)


@pytest.mark.parametrize(
    ("page", "text", "wanted"),
    [
        (
            "Contributions",
            "set the title to rock and roll and go to speakers and click new speaker",
            [["fill", "Title", "rock and roll"], ["navigate", "Speakers"], ["click", "New speaker"]],
        ),
        (
            "Speakers",
            "go to my talks and open agents that ask first then set the level to beginner and save",
            [
                ["navigate", "Contributions"],
                ["open_item", "Contributions", "Agents that ask first"],
                ["choose", "Level", "Beginner"],
                ["click", "Save"],
            ],
        ),
        (
            "Contributions",
            "open the conferences page, set the city to Berlin, the country to Germany, and save it",
            [
                ["navigate", "Conferences"],
                ["fill", "City", "Berlin"],
                ["fill", "Country", "Germany"],
                ["click", "Save"],
            ],
        ),
        (
            "Contributions",
            'set the title to "save and delete" and save',
            [["fill", "Title", "save and delete"], ["click", "Save"]],
        ),
        (
            "Contributions",
            "set the title to search and delete",
            [["fill", "Title", "search and delete"]],
        ),
        (
            "Contributions",
            "set the title to search and delete, then save",
            [["fill", "Title", "search and delete"], ["click", "Save"]],
        ),
        (
            "Contributions",
            "set the title to undo and redo explained",
            [["fill", "Title", "undo and redo explained"]],
        ),
        ("Contributions", "clear the tags and the abstract", [["fill", "Tags", ""], ["fill", "Abstract", ""]]),
    ],
)
def test_chain_is_divided_where_all_of_it_can_be_done(
    driver: Driver, page: str, text: str, wanted: list[list[Any]]
) -> None:
    assert driver.say(page, text) == wanted


def test_end_tells_the_results(driver: Driver) -> None:
    driver.say("Contributions", "set the status to accepted and save")
    assert driver.end.finish == "stop"
    assert driver.end.text == "Did choose. Did click."


def test_nothing_is_repeated_when_the_screen_was_left() -> None:
    backend = CommandBackend()
    utterance = _said("set the title to fine and good then go to speakers")
    first = _asked(backend, screen("Contributions"), utterance)
    assert [name for name, _ in _calls(first)] == ["fill", "navigate"]
    results = [ToolMessage(call.id, call.name, "Done") for call in first.calls]
    second = _asked(backend, screen("Speakers"), utterance, AssistantMessage("", first.calls), *results)
    assert (second.finish, second.calls) == ("stop", ())


def test_failure_ends_the_chain() -> None:
    backend = CommandBackend()
    utterance = _said("go to speakers and click new speaker")
    first = _asked(backend, screen("Contributions"), utterance)
    failed = ToolMessage(first.calls[0].id, "navigate", "There are unsaved changes", ok=False)
    second = _asked(backend, screen("Contributions"), utterance, AssistantMessage("", first.calls), failed)
    assert (second.finish, second.calls, second.text) == ("stop", (), "There are unsaved changes.")


def test_rest_that_the_new_screen_does_not_know_is_named() -> None:
    driver = Driver(screen)
    assert driver.say("Contributions", "go to speakers and click new conference") == [["navigate", "Speakers"]]
    assert driver.end.finish == "declined"
    assert "click new conference" in driver.end.text


def test_talk_after_a_command_word_leads_nowhere(driver: Driver) -> None:
    assert driver.say("Contributions", "open the speakers and look at the rain") == []
    assert driver.end.finish == "declined"


def test_unknown_tail_is_named_and_nothing_is_done(driver: Driver) -> None:
    assert driver.say("Contributions", "set the status to accepted and fly to the moon") == []
    assert driver.end.finish == "declined"
    assert driver.end.text == "I did not understand “fly to the moon”."


def test_decline_suggests_the_three_nearest(driver: Driver) -> None:
    driver.say("Contributions", "discharge changers now or never")
    assert driver.end.finish == "declined"
    assert len(driver.end.suggestions) == 3
    assert any("discard changes" in suggestion for suggestion in driver.end.suggestions)


def test_typed_value_that_is_refused_goes_to_a_card_and_spoken_to_a_sentence(driver: Driver) -> None:
    assert driver.say("Contributions", "set the duration to banana") == [["fill", "Duration", "banana"]]
    assert driver.calls[0].confidence is not None
    assert driver.calls[0].confidence < 0.55
    assert driver.hear("Contributions", ("Set the duration to banana.", -0.2)) == []
    assert driver.end.finish == "stop"
    assert driver.end.text.startswith("Duration: A whole number from 1 to 600")


def _two_saves(_page: str = "") -> Snapshot:
    second = InstanceView("guid-2", "save_2", "Save", "click", (), ("click",))
    return snapshot("Contributions", [instance("Save", "click"), second])


def test_two_buttons_of_one_name_are_asked_about_by_number() -> None:
    backend = CommandBackend()
    question = _asked(backend, _two_saves(), _said("save"))
    assert (question.finish, question.calls, question.text) == ("stop", (), "Save 1 or Save 2?")
    assert question.suggestions == ("Save 1", "Save 2")
    assert _calls(_asked(backend, _two_saves(), _said("save 2"))) == [("click", {"target": "save_2"})]


@pytest.mark.parametrize("answer", ["2", "two", "the second one", "number two", "Second."])
def test_number_answers_the_question(answer: str) -> None:
    backend = CommandBackend()
    asked: list[Message] = [
        _said("click save", voice=True),
        AssistantMessage("Save 1 or Save 2?"),
        _said(answer, voice=True),
    ]
    chosen = _asked(backend, _two_saves(), *asked)
    assert _calls(chosen) == [("click", {"target": "save_2"})]
    result = ToolMessage(chosen.calls[0].id, "click", "Saved")
    end = _asked(backend, _two_saves(), *asked, AssistantMessage("", chosen.calls), result)
    assert (end.finish, end.text) == ("stop", "Saved.")


def test_number_without_a_question_is_no_answer() -> None:
    backend = CommandBackend()
    end = _asked(backend, _two_saves(), _said("click delete"), AssistantMessage("Nothing was done."), _said("two"))
    assert (end.finish, end.calls) == ("declined", ())


def test_values_the_recogniser_cannot_tell_apart_are_asked_about(driver: Driver) -> None:
    heard = (("The name is Jane Dove.", -0.64), ("The name is Jane Doe.", -0.67), ("The name is Jane Dog.", -1.2))
    assert driver.hear("Speakers", *heard) == []
    assert driver.end.text == "Name “Jane Dove” 1 or Name “Jane Doe” 2?"
    assert driver.hear("Speakers", heard[0], heard[2]) == [["fill", "Name", "Jane Dove"]]


def test_numbers_on_screen_can_be_pressed() -> None:
    numbers = ToolView(
        "click_number",
        "Press number",
        "",
        {"type": "object", "properties": {"number": {"type": "integer"}}},
        targets=("numbers",),
    )
    overlay = InstanceView("guid-n", "numbers", "Numbers", "numbers", (), ("click_number",))
    plain = screen("Contributions")
    shown = Snapshot(2, (*plain.tools, numbers), (*plain.instances, overlay), plain.screen)
    backend = CommandBackend()
    for text in ("3", "three", "number three", "click 3", "press number 3"):
        assert _calls(_asked(backend, shown, _said(text))) == [("click_number", {"number": 3})], text
    assert _asked(backend, plain, _said("3")).finish == "declined"


def test_own_phrases_of_a_tool_are_understood() -> None:
    tool = ToolView(
        "Board_rotate",
        "Rotate",
        "Turns the board.",
        {
            "type": "object",
            "properties": {
                "target": {"type": "string", "enum": ["left_board", "right_board"]},
                "degrees": {"type": "integer"},
                "way": {"type": "string", "enum": ["clockwise", "backwards"]},
            },
        },
        phrases=("(rotate|turn) [the] {target} by {degrees} degrees [{way}]",),
        examples=(Example("rotate the left board by 90 degrees", {"degrees": 90}),),
        targets=("left_board", "right_board"),
    )
    boards = tuple(
        InstanceView(f"guid-{side}", f"{side}_board", f"{side.capitalize()} board", "board", (), ("Board_rotate",))
        for side in ("left", "right")
    )
    snap = Snapshot(1, (tool,), boards)
    backend = CommandBackend()
    assert _calls(_asked(backend, snap, _said("please turn the right board by forty five degrees"))) == [
        ("Board_rotate", {"target": "right_board", "degrees": 45})
    ]
    assert _calls(_asked(backend, snap, _said("rotate left board by 90 degrees backwards"))) == [
        ("Board_rotate", {"target": "left_board", "degrees": 90, "way": "backwards"})
    ]
    assert _asked(backend, snap, _said("rotate the left board by banana degrees")).calls == ()


def test_unavailable_targets_are_not_understood() -> None:
    gone = InstanceView("guid-save", "save", "Save", "click", (), ("click",), available=False, reason="Nothing changed")
    backend = CommandBackend()
    end = _asked(backend, snapshot("Contributions", [gone, instance("Delete", "click")]), _said("save"))
    assert (end.finish, end.calls) == ("declined", ())


def test_labels_changed_on_screen_are_known_at_once() -> None:
    backend = CommandBackend()
    before = snapshot("Contributions", [instance("Save", "click"), instance("Print", "click")], revision=1)
    after = snapshot("Contributions", [instance("Save", "click"), instance("Export", "click")], revision=2)
    assert _calls(_asked(backend, before, _said("print"))) == [("click", {"target": "print"})]
    assert _asked(backend, after, _said("print")).calls == ()
    assert _calls(_asked(backend, after, _said("export"))) == [("click", {"target": "export"})]


def test_answered_call_of_another_wording_is_skipped() -> None:
    # The loop may hand back the call with its arguments as the target took them.
    backend = CommandBackend()
    utterance = _said("take me to my talks and click new contribution")
    done = ToolCall("abcdefgh1", "navigate", '{"page": "Contributions"}')
    end = _asked(
        backend,
        screen("Contributions"),
        utterance,
        AssistantMessage("", (done,)),
        ToolMessage("abcdefgh1", "navigate", "Contributions is open."),
    )
    assert _calls(end) == [("click", {"target": "new_contribution"})]
