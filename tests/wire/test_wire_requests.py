"""What is sent: pairs, fenced data, nothing that nobody asked for; and what a server's errors teach."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from sse_server import (
    Recorded,
    Reply,
    SseServer,
    call_reply,
    calls_chunk,
    chunk,
    error_reply,
    event,
    streamed,
    text_reply,
)
from wire_helpers import CLICK, FILL, QUICK, SNAPSHOT, Ask, turn_request

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.openai_backend import OpenAIBackend
from app.agent.backends.wire.profiles import MemoryProfiles, ServerProfile
from app.agent.errors import BackendError
from app.agent.messages import AssistantMessage, Image, Message, ToolCall, ToolMessage, UserMessage, Utterance
from app.agent.snapshot import Example, InstanceView, Snapshot, ToolView

CALLS = (ToolCall("aaaaaaaa1", "fill", '{"target":"title","value":"A"}'), ToolCall("aaaaaaaa2", "click", "{}"))
HISTORY: tuple[Message, ...] = (
    AssistantMessage(calls=CALLS),
    ToolMessage("aaaaaaaa1", "fill", "Title is A"),
    ToolMessage("aaaaaaaa2", "click", "Saved"),
)


def check_pairs(messages: list[dict[str, Any]]) -> None:
    """The API's rule: each call is followed by exactly one result, in order, before anything else."""
    waiting: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] == waiting.pop(0)
            continue
        assert not waiting
        waiting = [call["id"] for call in message.get("tool_calls", ())]
    assert not waiting


async def test_the_order_of_a_request(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("Done."))
    await ask(turn_request(*HISTORY))
    messages = server.requests[0].messages
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "tool", "tool", "user"]
    check_pairs(messages)
    assert messages[0]["content"].startswith("You operate a program.")
    assert messages[1]["content"] == "please save"
    assert messages[2]["content"] is None


@pytest.mark.parametrize(
    "broken",
    [
        (AssistantMessage(calls=CALLS),),
        (AssistantMessage(calls=CALLS), HISTORY[1]),
        (AssistantMessage(calls=CALLS), HISTORY[2], HISTORY[1]),
        (HISTORY[1], *HISTORY),
        (*HISTORY, HISTORY[2]),
        (AssistantMessage(calls=CALLS), UserMessage(Utterance("u2", "and now"))),
    ],
)
async def test_pairs_are_whole_even_where_the_history_is_not(
    server: SseServer, ask: Ask, broken: tuple[Message, ...]
) -> None:
    server.script(text_reply("Done."))
    await ask(turn_request(*broken))
    check_pairs(server.requests[0].messages)


async def test_nothing_is_sent_that_was_not_asked_for(server: SseServer, ask: Ask) -> None:
    server.always(text_reply("Hello"))
    await ask()
    assert set(server.requests[0].body) == {"model", "messages", "stream", "stream_options", "tools"}
    await ask(turn_request(snapshot=Snapshot(1)))
    assert set(server.requests[1].body) == {"model", "messages", "stream", "stream_options"}


async def test_a_tool_has_its_schema_and_examples(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("Hello"))
    tool = replace(FILL, examples=(Example("set the title to X", {"target": "title", "value": "X"}),))
    await ask(turn_request(snapshot=replace(SNAPSHOT, tools=(tool,))))
    (sent,) = server.requests[0].body["tools"]
    assert sent["type"] == "function"
    assert sent["function"]["parameters"] == FILL.parameters
    assert 'set the title to X" -> {"target":"title","value":"X"}' in sent["function"]["description"]


@pytest.mark.parametrize(
    "arguments", ['{"target":"ti', "null", "[]", '{"a":1}{"a":2}', '"x"', '{"v":"' + "x" * 90_000 + '"}']
)
async def test_arguments_in_the_history_are_always_an_object(server: SseServer, ask: Ask, arguments: str) -> None:
    server.script(text_reply("Done."))
    call = ToolCall("aaaaaaaa1", "fill", arguments)
    await ask(
        turn_request(AssistantMessage(calls=(call,)), ToolMessage(call.id, "fill", "arguments: not valid", ok=False))
    )
    sent = server.requests[0].messages[2]["tool_calls"][0]["function"]["arguments"]
    assert isinstance(json.loads(sent), dict)
    assert len(sent) < 5_000


NULL_ERRORS = [
    error_reply(400, "Invalid value for 'content': expected a string, got null.", param="messages.[2].content"),
    error_reply(422, "messages.2.content: Input should be a valid string"),
    Reply([b'{"detail": [{"loc": ["body", "messages", 2, "content"], "msg": "none is not an allowed value"}]}'], 422),
]


@pytest.mark.parametrize("refusal", NULL_ERRORS)
async def test_null_content_is_learned_from_one_error_and_remembered(
    server: SseServer, ask: Ask, refusal: Reply
) -> None:
    server.script(refusal)
    server.always(text_reply("Done."))
    for _ in range(2):
        assert (await ask(turn_request(*HISTORY))).text == "Done."
    assert [request.messages[2]["content"] for request in server.requests] == [None, "", ""]


@pytest.mark.parametrize(
    "refusal",
    [
        error_reply(400, "Unsupported parameter", param="stream_options"),
        error_reply(400, "Unrecognized request argument supplied: stream_options"),
        Reply([b'{"detail": [{"loc": ["body", "stream_options"], "msg": "Extra inputs are not permitted"}]}'], 422),
    ],
)
async def test_what_an_error_names_is_dropped_and_remembered(server: SseServer, ask: Ask, refusal: Reply) -> None:
    server.script(refusal)
    server.always(text_reply("Hello"))
    for _ in range(2):
        await ask()
    assert ["stream_options" in request.body for request in server.requests] == [True, False, False]


async def test_a_server_that_does_not_stream_is_asked_for_whole_answers(server: SseServer, ask: Ask) -> None:
    server.script(error_reply(400, "streaming is off", param="stream"))
    server.always(text_reply("Hello"))
    await ask()
    assert not {"stream", "stream_options"} & set(server.requests[1].body)


async def test_log_probabilities_are_asked_for_when_wanted_and_dropped_when_refused(server: SseServer) -> None:
    server.script(error_reply(400, "logprobs is not supported with this model", param="logprobs"), text_reply("Hello"))
    settings = ModelSettings("test-model", server.base_url, log_probabilities=True)
    backend = OpenAIBackend(settings, retry=QUICK)
    assert (await end_of(backend)).text == "Hello"
    await backend.aclose()
    assert ["logprobs" in request.body for request in server.requests] == [True, False]


async def test_the_same_refusal_twice_is_told(server: SseServer, ask: Ask) -> None:
    server.always(error_reply(400, "Unsupported parameter", param="stream_options"))
    with pytest.raises(BackendError, match="Unsupported parameter"):
        await ask()
    assert len(server.requests) == 2


async def end_of(backend: OpenAIBackend, request: TurnRequest | None = None) -> TurnEnd:
    end = [part async for part in backend.stream(request or turn_request())][-1]
    assert isinstance(end, TurnEnd)
    return end


NO_TOOLS = [
    (400, "registry.ollama.ai/library/gemma:2b does not support tools"),
    (404, "No endpoints found that support tool use. To learn more, see the documentation."),
    (500, "tools param requires --jinja flag"),
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
]


@pytest.mark.parametrize(("status", "message"), NO_TOOLS)
async def test_a_server_without_tools_answers_in_words_from_then_on(
    server: SseServer, ask: Ask, status: int, message: str
) -> None:
    server.script(error_reply(status, message))
    server.always(text_reply("Hello"))
    for _ in range(2):
        end = await ask()
        assert end.text == "Hello"
        assert "takes no tools" in end.notice
        assert "--jinja" in end.notice
    assert [bool(request.tool_names) for request in server.requests] == [True, False, False]


async def test_what_was_learned_is_kept_in_a_store_for_each_server_and_model(server: SseServer) -> None:
    store = MemoryProfiles()
    server.script(error_reply(400, "m1 does not support tools"))
    server.always(text_reply("Hello"))
    for model in ("m1", "m1", "m2"):
        backend = OpenAIBackend(ModelSettings(model, server.base_url), store, retry=QUICK)
        await end_of(backend)
        await backend.aclose()
    assert [bool(request.tool_names) for request in server.requests] == [True, False, False, True]
    stored = store.load(f"{server.base_url} m1")
    assert stored == json.loads(json.dumps(stored))


def test_a_profile_survives_json_and_a_damaged_one_is_that_of_an_unknown_server() -> None:
    profile = ServerProfile(
        tools=False, null_content=False, alternate_roles=True, context_tokens=900, dropped=("x",), bad_tools=("t:1",)
    )
    assert ServerProfile.from_json(json.loads(json.dumps(profile.to_json()))) == profile
    damaged: Mapping[str, Any] = {"tools": None, "dropped": 7, "context_tokens": "many", "bad_tools": [1], "more": {}}
    assert ServerProfile.from_json(damaged) == ServerProfile()


def many_tools(count: int) -> Snapshot:
    return Snapshot(
        1, tuple(ToolView(f"tool_{n}", f"Tool {n}", f"Does {n}.", {"type": "object"}) for n in range(count))
    )


def refusing(*bad: str, message: str = "failed to parse grammar") -> Any:
    """A server that fails as a whole when one of the tools is in the request, as grammar-based ones do."""

    def reply(request: Recorded) -> Reply:
        return error_reply(400, message) if set(bad) & set(request.tool_names) else text_reply("Hello")

    return reply


@pytest.mark.parametrize("bad", [("tool_0",), ("tool_19",), ("tool_3", "tool_11"), ("tool_6", "tool_7", "tool_8")])
async def test_a_bad_schema_is_found_by_halves_named_and_left_out(
    server: SseServer, ask: Ask, bad: tuple[str, ...]
) -> None:
    server.always(refusing(*bad))
    request = turn_request(snapshot=many_tools(20))
    end = await ask(request)
    assert end.text == "Hello"
    assert f"Left out, because the server can't take them: {', '.join(bad)}." in end.notice
    asked = len(server.requests)
    assert asked < 40
    await ask(request)
    assert len(server.requests) == asked + 1
    assert set(server.requests[-1].tool_names) == {f"tool_{n}" for n in range(20)} - set(bad)


@pytest.mark.parametrize(
    "message",
    [
        "Invalid schema for function 'tool_4': 'x' is not valid",
        "tools[4].function.parameters: bad",
        "tools.4: bad schema",
    ],
)
async def test_a_bad_schema_that_the_server_names_is_left_out_at_once(
    server: SseServer, ask: Ask, message: str
) -> None:
    server.always(refusing("tool_4", message=message))
    assert "tool_4" in (await ask(turn_request(snapshot=many_tools(20)))).notice
    assert len(server.requests) == 2


async def test_a_tool_whose_schema_has_changed_is_tried_again(server: SseServer, ask: Ask) -> None:
    server.script(error_reply(400, "Invalid schema for function 'click'"))
    server.always(text_reply("Hello"))
    await ask()
    changed = replace(CLICK, parameters={"type": "object", "properties": {"hard": {"type": "boolean"}}})
    await ask(turn_request(snapshot=replace(SNAPSHOT, tools=(FILL, changed))))
    assert [request.tool_names for request in server.requests] == [["fill", "click"], ["fill"], ["fill", "click"]]


async def test_an_error_that_stays_without_tools_is_not_blamed_on_them(server: SseServer, ask: Ask) -> None:
    server.always(error_reply(400, "the schema of this request is unknown"))
    with pytest.raises(BackendError, match="unknown"):
        await ask(turn_request(snapshot=many_tools(20)))
    assert len(server.requests) == 2


async def test_no_more_tools_than_a_server_takes(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("Hello"))
    await ask(turn_request(text="use tool 250", snapshot=many_tools(300)))
    names = server.requests[0].tool_names
    assert len(names) == len(set(names)) == 128
    assert "tool_250" in names


async def test_a_context_cut_in_silence_is_said(server: SseServer, ask: Ask) -> None:
    long = Utterance("u1", "word " * 4_000)
    usage = event({"choices": [], "usage": {"prompt_tokens": 512, "completion_tokens": 1}})
    server.script(streamed(chunk({"content": "Hello"}), chunk({}, "stop"), usage))
    end = await ask(replace(turn_request(), messages=(UserMessage(long),)))
    assert "read only 512 of about" in end.notice


async def test_a_usage_that_fits_is_not_remarked_upon(server: SseServer, ask: Ask) -> None:
    usage = event({"choices": [], "usage": {"prompt_tokens": 350, "completion_tokens": 1}})
    server.script(streamed(chunk({"content": "Hello"}), chunk({}, "stop"), usage))
    assert (await ask()).notice == ""


def conversation(count: int, size: int = 400) -> tuple[Message, ...]:
    """Many old utterances with a call and a long result each."""
    messages: list[Message] = []
    for n in range(count):
        call = ToolCall(f"old{n:06}", "click", "{}")
        messages += [
            UserMessage(Utterance(f"o{n}", f"old utterance {n}")),
            AssistantMessage(calls=(call,)),
            ToolMessage(call.id, "click", f"result {n} " + "x" * size),
        ]
    return tuple(messages)


async def test_a_context_that_is_too_long_is_shortened_and_the_limit_remembered(server: SseServer, ask: Ask) -> None:
    def reply(request: Recorded) -> Reply:
        if len(json.dumps(request.body)) > 9_000:
            return error_reply(
                400, "This model's maximum context length is 2048 tokens.", code="context_length_exceeded"
            )
        return text_reply("Hello")

    server.always(reply)
    request = replace(turn_request(), messages=(*conversation(40), *turn_request(*HISTORY).messages))
    assert (await ask(request)).text == "Hello"
    asked = len(server.requests)
    await ask(request)
    assert len(server.requests) == asked + 1
    messages = server.requests[-1].messages
    check_pairs(messages)
    assert messages[0]["role"] == "system"
    assert any(message["content"] == "please save" for message in messages)


async def test_images_go_into_the_user_message(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("A cat."))
    message = UserMessage(Utterance("u1", "what is this?"), images=(Image("image/png", "aGVsbG8="),))
    await ask(replace(turn_request(), messages=(message,)))
    sent = server.requests[0].messages[1]
    assert sent["role"] == "user"
    assert sent["content"] == [
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}},
    ]


async def test_roles_take_turns_where_a_server_insists(server: SseServer, ask: Ask) -> None:
    def reply(request: Recorded) -> Reply:
        roles = [message["role"] for message in request.messages if message["role"] in ("user", "assistant")]
        wrong = any(a == b for a, b in pairwise(roles))
        return error_reply(400, "Conversation roles must alternate user/assistant/user/assistant/...") if wrong else ok

    ok = text_reply("Hello")
    server.always(reply)
    assert (await ask()).text == "Hello"
    assert "please save" in server.requests[1].messages[-1]["content"]
    assert "Contributions" in server.requests[1].messages[-1]["content"]
    await ask(turn_request(*HISTORY))
    assert server.requests[-1].messages[-1]["role"] == "tool"
    assert len(server.requests) == 3


def screen_of(request: Recorded) -> str:
    last = request.messages[-1]
    assert last["role"] == "user"
    return str(last["content"])


SECRET = "sk-abcdefghijklmnop123"
TALKS = [f"Talk {n}" for n in range(200)]
SCREEN = Snapshot(
    5,
    (FILL, CLICK),
    (
        InstanceView(
            "g1", "status", "Status", "choice", tools=("choose",),
            state={"value": "Draft", "value_type": "choice", "choices": ["Draft", "Accepted"]},
        ),
        InstanceView("g2", "talks", "Talks", "list", tools=("open_item",), state={"items": TALKS}),
        InstanceView("g3", "abstract", "Abstract", "field", tools=("fill",), state={"value": "word " * 5_000}),
        InstanceView("g4", "save", "Save", "button", tools=("click",), available=False, reason="nothing has changed"),
        InstanceView("g5", "password", "Password", "field", tools=("fill",), state={"value": "hunter2"}),
        InstanceView("g6", "notes", "Notes", "field", tools=("fill",), state={"value": f"key: {SECRET}"}, revision=5),
    ),
    {"page": "Contributions", "pages": ["Contributions", "Speakers"], "selected": "Agents that ask first"},
)  # fmt: skip


async def test_the_screen_is_bounded_fenced_and_without_secrets(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("Hello"))
    await ask(turn_request(snapshot=SCREEN))
    request = server.requests[0]
    screen = screen_of(request)
    for shown in (
        "Contributions",
        "Agents that ask first",
        '"value":"Draft"',
        "Accepted",
        "Talk 3",
        "nothing has changed",
    ):
        assert shown in screen
        assert shown not in request.messages[0]["content"]
    assert "and 160 more" in screen
    assert "characters left out" in screen
    assert len(screen) < 8_000
    code = screen.partition("CODE is ")[2].partition(" ")[0]
    assert screen.count(f"\n</data {code}>") == 1
    whole = json.dumps(request.body)
    assert "hunter2" not in whole
    assert SECRET not in whole


async def test_the_code_is_different_in_each_request(server: SseServer, ask: Ask) -> None:
    server.always(text_reply("Hello"))
    codes = set()
    for _ in range(3):
        await ask()
        codes.add(screen_of(server.requests[-1]).partition("CODE is ")[2].partition(" ")[0])
    assert len(codes) == 3


async def test_what_changed_since_the_turn_before_is_marked(server: SseServer, ask: Ask) -> None:
    server.script(calls_reply(), text_reply("Done."))
    await ask(turn_request(snapshot=replace(SCREEN, revision=4)))
    await ask(turn_request(*HISTORY, snapshot=SCREEN))
    assert '"changed":true' not in screen_of(server.requests[0])
    lines = [line for line in screen_of(server.requests[1]).splitlines() if '"changed":true' in line]
    assert ["notes" in line for line in lines] == [True]


def calls_reply() -> Reply:
    return call_reply("click", "{}")


async def test_a_huge_screen_keeps_its_share(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("Hello"))
    views = tuple(InstanceView(f"g{n}", f"field_{n}", f"Field {n}", "field", tools=("fill",)) for n in range(5_000))
    await ask(turn_request(snapshot=Snapshot(1, (FILL,), views, {"page": "Contributions"})))
    screen = screen_of(server.requests[0])
    assert len(screen) < 30_000
    assert '"left_out":' in screen


async def test_the_other_texts_hold_no_secrets_either(server: SseServer, ask: Ask) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123"
    call = ToolCall("aaaaaaaa1", "fill", json.dumps({"value": secret}))
    history = (AssistantMessage(f"the key {secret}", (call,)), ToolMessage(call.id, "fill", f"Notes is {secret}"))
    server.script(text_reply("Hello"))
    await ask(turn_request(*history, text=f"write {secret}"))
    assert secret not in json.dumps(server.requests[0].body)
    check_pairs(server.requests[0].messages)


async def test_tools_found_by_find_tools_are_offered_next(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("Hello"))
    snapshot = many_tools(300)
    snapshot = replace(snapshot, tools=(*snapshot.tools, ToolView("find_tools", "Find", "Finds.", {"type": "object"})))
    call = ToolCall("aaaaaaaa1", "find_tools", '{"query": "tool 299"}')
    await ask(
        turn_request(AssistantMessage(calls=(call,)), ToolMessage(call.id, "find_tools", "..."), snapshot=snapshot)
    )
    names = server.requests[0].tool_names
    assert {"tool_299", "find_tools"} <= set(names)
    assert len(names) == 128


async def test_content_of_a_turn_is_kept_in_its_one_assistant_message(server: SseServer, ask: Ask) -> None:
    server.script(
        streamed(calls_chunk({"id": "x", "function": {"name": "click"}}), chunk({"content": "Saving."}, "stop"))
    )
    end = await ask()
    assert (end.text, len(end.calls)) == ("Saving.", 1)
