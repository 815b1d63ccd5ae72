"""Free speech: what the commands decline goes to a real local server, through the real window, to a changed row."""

from __future__ import annotations

import json
import logging
import threading
import time

import pytest
from journey_kit import Person
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from sse_server import (
    Cut,
    Recorded,
    SseServer,
    Stall,
    Wait,
    call_delta,
    call_reply,
    calls_chunk,
    chunk,
    error_reply,
    streamed,
    text_reply,
)

from app.agent.events import CallFinished, RunFailed, RunFinished, TurnAnswered
from app.agent.json_types import Json
from app.pages.settings_page import SettingsPage
from app.pages.speakers import SpeakersPage
from app.widgets.adoption import voice_enable

TALK = "Fine-grained voice control for your app"
FREE = "could you please tidy this one up for the organisers, whatever that takes"
CANCEL_S = 1.0
NOW_OR_NEVER = 3
"""How often a time is taken; the best counts, because other programs may take the machine for a moment."""


def arguments(**values: Json) -> str:
    return json.dumps(values)


def told(request: Recorded) -> list[str]:
    """The results in a request, oldest first."""
    return [message["content"] for message in request.messages if message["role"] == "tool"]


def targets(request: Recorded, tool: str) -> list[str]:
    """The handles that a tool of a request can act on."""
    offered = next(each["function"] for each in request.body["tools"] if each["function"]["name"] == tool)
    handles: list[str] = offered["parameters"]["properties"]["target"]["enum"]
    return handles


def answered_by(person: Person) -> list[str]:
    return [event.backend for event in person.events if isinstance(event, TurnAnswered)]


def test_what_the_commands_decline_is_streamed_into_the_panel(model_person: Person, server: SseServer) -> None:
    rest = threading.Event()
    server.script(streamed(chunk({"content": "It reads "}), Wait(rest), chunk({"content": "well."}), chunk({}, "stop")))
    model_person.types(FREE)
    model_person.until(lambda: "It reads" in model_person.reads)
    assert model_person.ends() == []
    rest.set()
    end = model_person.sees_the_end()
    assert isinstance(end, RunFinished)
    assert "It reads well." in model_person.reads
    assert answered_by(model_person) == ["openai"]
    (request,) = server.requests
    assert next(message["content"] for message in request.messages if message["role"] == "user") == FREE
    assert model_person.status == "Ready"


def test_the_model_answers_alone_and_once(model_person: Person, server: SseServer) -> None:
    server.script(text_reply("It reads well."))
    model_person.types(FREE)
    model_person.sees_the_end()
    assert "did not understand" not in model_person.reads
    assert model_person.reads.count("It reads well.") == 1


def test_a_call_becomes_a_card_and_approving_it_changes_the_widget(model_person: Person, server: SseServer) -> None:
    server.script(
        call_reply("choose", arguments(target="status", value="Accepted")), text_reply("The status is Accepted now.")
    )
    model_person.types(FREE)
    (proposal,) = model_person.sees_proposals(1)
    assert (proposal.title, proposal.target, proposal.before, proposal.after) == (
        "Choose",
        "Status",
        "Draft",
        "Accepted",
    )
    assert model_person.card(proposal).isVisible()
    assert model_person.fields["Status"] == "Draft"
    assert len(server.requests) == 1, "the server hears of it when it is decided"
    model_person.approves(proposal)
    model_person.sees_the_end()
    assert model_person.fields["Status"] == "Accepted"
    assert "The status is Accepted now." in model_person.reads
    (result,) = told(server.requests[1])
    assert "Status is Accepted" in result
    assert model_person.row("contribution", TALK).fields["status"] == "Draft", "nothing was saved"


def test_two_calls_change_the_row_and_are_undone_as_one(model_person: Person, server: SseServer) -> None:
    both = calls_chunk(
        call_delta("choose", arguments(target="status", value="Accepted"), id="a", index=0),
        call_delta("click", arguments(target="save"), id="b", index=1),
    )
    server.script(streamed(both, chunk({}, "tool_calls")), text_reply("Saved."))
    model_person.types(FREE)
    for proposal in model_person.sees_proposals(2):
        model_person.approves(proposal)
    model_person.sees_the_end()
    assert model_person.row("contribution", TALK).fields["status"] == "Accepted"
    calls = next(message["tool_calls"] for message in server.requests[1].messages if message.get("tool_calls"))
    results = [message["tool_call_id"] for message in server.requests[1].messages if message["role"] == "tool"]
    assert [call["id"] for call in calls] == results
    model_person.types("undo that")
    model_person.sees_the_end(2)
    assert model_person.row("contribution", TALK).fields["status"] == "Draft"


def test_a_rejected_call_is_told_to_the_model_and_changes_nothing(model_person: Person, server: SseServer) -> None:
    both = calls_chunk(
        call_delta("choose", arguments(target="status", value="Accepted"), id="a", index=0),
        call_delta("choose", arguments(target="level", value="Advanced"), id="b", index=1),
    )
    server.script(streamed(both, chunk({}, "tool_calls")), text_reply("I left the status."))
    model_person.types(FREE)
    first, second = model_person.sees_proposals(2)
    model_person.rejects(first)
    model_person.approves(second)
    model_person.sees_the_end()
    assert (model_person.fields["Status"], model_person.fields["Level"]) == ("Draft", "Advanced")
    rejected, done = told(server.requests[1])
    assert "rejected" in rejected
    assert "Advanced" in done


def test_after_a_navigation_the_model_has_the_tools_of_the_new_page(model_person: Person, server: SseServer) -> None:
    server.script(
        call_reply("navigate", arguments(page="Speakers")),
        lambda request: call_reply("fill", arguments(target=targets(request, "fill")[0], value="Jane Doe")),
        text_reply("Done."),
    )
    model_person.types(FREE)
    (proposal,) = model_person.sees_proposals(1)
    assert isinstance(model_person.desk.window.page, SpeakersPage)
    before, after = (set(targets(request, "fill")) for request in server.requests[:2])
    assert "title" in before - after
    assert "name" in after - before
    assert "Speakers" in server.requests[1].messages[-1]["content"]
    assert proposal.after == "Jane Doe"
    model_person.approves(proposal)
    model_person.sees_the_end()
    assert "Jane Doe" in model_person.fields.values()


def test_cancel_ends_the_wait_for_a_stalled_server_and_the_key_still_listens(
    model_person: Person, server: SseServer
) -> None:
    taken = []
    for attempt in range(NOW_OR_NEVER):
        server.script(streamed(chunk({"content": f"Part {attempt}"}), Stall()))
        model_person.types(FREE)
        model_person.until(lambda text=f"Part {attempt}": text in model_person.reads)  # type: ignore[misc]
        assert model_person.status == "Thinking"
        began = time.perf_counter()
        model_person.cancels()
        model_person.until(lambda: model_person.status == "Ready")
        taken.append(time.perf_counter() - began)
        end = model_person.sees_the_end(attempt + 1)
        assert isinstance(end, RunFinished)
        assert end.outcome == "cancelled"
    assert min(taken) < CANCEL_S, taken

    window = model_person.desk.window
    QTest.keyPress(window, Qt.Key.Key_F9)
    assert model_person.status == "Listening"
    QTest.keyRelease(window, Qt.Key.Key_F9)
    model_person.until(lambda: model_person.status not in ("Listening", "Transcribing"))
    model_person.types("set the status to accepted")
    model_person.sees_proposals(1)


def test_cancel_before_the_server_answers_at_all(model_person: Person, server: SseServer) -> None:
    server.script(streamed(Stall()))
    model_person.types(FREE)
    model_person.until(server.got_request.is_set)
    model_person.until(lambda: model_person.status == "Thinking")
    model_person.cancels()
    end = model_person.sees_the_end()
    assert isinstance(end, RunFinished)
    assert (end.outcome, model_person.proposals(), model_person.status) == ("cancelled", [], "Ready")


def test_a_wrong_key_is_said_with_a_hint_and_never_shown(
    model_person: Person, server: SseServer, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script(error_reply(401, f"Incorrect API key provided: {key}.", code="invalid_api_key"))
    model_person.types(FREE)
    end = model_person.sees_the_end()
    assert isinstance(end, RunFailed)
    assert (end.kind, model_person.status) == ("auth", "Ready")
    assert end.message in model_person.reads
    assert end.hint
    assert end.hint in model_person.reads
    assert server.requests[0].headers["authorization"] == f"Bearer {key}"
    assert key not in model_person.reads + repr(model_person.events) + caplog.text


def test_an_answer_cut_off_in_the_middle_runs_nothing(model_person: Person, server: SseServer) -> None:
    call = calls_chunk(call_delta("choose", arguments(target="status", value="Accepted"), id="a", index=0))
    server.always(streamed(chunk({"content": "I set it."}), call, Cut()))
    model_person.types(FREE)
    end = model_person.sees_the_end()
    assert isinstance(end, RunFailed)
    assert end.hint in model_person.reads
    assert model_person.proposals() == []
    assert model_person.fields["Status"] == "Draft"
    assert model_person.status == "Ready"


def test_commands_are_still_answered_here_after_a_turn_of_the_model(model_person: Person, server: SseServer) -> None:
    server.script(text_reply("Which one do you mean?"))
    model_person.types(FREE)
    model_person.sees_the_end()
    model_person.types("set the status to accepted")
    (proposal,) = model_person.sees_proposals(1)
    model_person.approves(proposal)
    model_person.sees_the_end(2)
    assert model_person.fields["Status"] == "Accepted"
    assert answered_by(model_person)[:2] == ["openai", "commands"]
    assert len(server.requests) == 1, "the second sentence never left this machine"


def test_a_refused_value_goes_back_to_the_model_which_corrects_it(model_person: Person, server: SseServer) -> None:
    server.script(
        call_reply("fill", arguments(target="duration", value="a whole lot of banana")),
        call_reply("fill", arguments(target="duration", value="45")),
        text_reply("It takes 45 minutes."),
    )
    model_person.types(FREE)
    model_person.until(lambda: any(each.status == "waiting" for each in model_person.proposals()))
    refused, corrected = model_person.proposals()
    assert refused.status == "refused"
    assert model_person.fields["Duration"] == 30
    (result,) = told(server.requests[1])
    assert refused.error in result
    model_person.approves(corrected)
    model_person.sees_the_end()
    assert model_person.fields["Duration"] == 45
    finished = [event.proposal.id for event in model_person.events if isinstance(event, CallFinished)]
    assert finished == [corrected.id]


def test_a_spinner_turns_while_the_model_thinks(model_person: Person, server: SseServer) -> None:
    answer = threading.Event()
    server.script(streamed(Wait(answer), chunk({"content": "Here."}), chunk({}, "stop")))
    assert not model_person.desk.panel.spinning
    model_person.types(FREE)
    model_person.until(lambda: model_person.desk.panel.spinning)
    assert model_person.status == "Thinking"
    answer.set()
    model_person.sees_the_end()
    model_person.until(lambda: not model_person.desk.panel.spinning)
    assert model_person.status == "Ready"


def test_what_is_in_a_password_field_is_never_sent(model_person: Person, server: SseServer) -> None:
    """The key field of Settings, and fields that somebody puts into a page: one is hidden only later."""
    plain, secret, later, other = (
        "plain-for-all",
        "correct-horse-battery",
        "hidden-only-later",
        "staple-of-the-settings",
    )
    texts = {"Nickname": plain, "Door": secret, "Gate": later}
    fields = {name: QLineEdit(text, model_person.page) for name, text in texts.items()}
    for name, own in fields.items():
        own.setAccessibleName(name)
        own.setEchoMode(QLineEdit.EchoMode.Password if name == "Door" else QLineEdit.EchoMode.Normal)
        voice_enable(own, model_person.desk.registry, model_person.desk.undo)
        own.show()
    fields["Gate"].setEchoMode(QLineEdit.EchoMode.Password)
    server.script(text_reply("One."), text_reply("Two."))
    model_person.types(FREE)
    model_person.sees_the_end()
    model_person.desk.open_page("Settings")
    page = model_person.desk.window.page
    assert isinstance(page, SettingsPage)
    field = next(each for each in page.findChildren(QLineEdit) if each.accessibleName() == "API key")
    QTest.keyClicks(field, other)
    assert field.text() == other
    model_person.types(FREE)
    model_person.sees_the_end(2)
    sent = json.dumps([request.body for request in server.requests])
    assert len(server.requests) == 2
    assert "Settings" in sent, "the screen is sent"
    assert plain in sent
    assert [text for text in (secret, later, other) if text in sent] == []
    field.clear()
