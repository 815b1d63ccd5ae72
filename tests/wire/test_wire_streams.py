"""Every row of the table of streams that servers get wrong, over real HTTP. The numbers are those of the table."""

from __future__ import annotations

import json

import pytest
from sse_server import (
    DONE,
    JSON_HEADERS,
    Reply,
    SseServer,
    call_delta,
    call_reply,
    calls_chunk,
    chunk,
    event,
    streamed,
    text_reply,
    whole,
)
from wire_helpers import Ask, turn_request

from app.agent.backends.base import ReasoningPart, TextPart, TurnEnd, Usage
from app.agent.backends.openai_backend import OpenAIBackend
from app.agent.errors import BackendError
from app.agent.messages import AssistantMessage, ToolMessage

A = '{"target":"title","value":"A"}'
B = '{"target":"notes","value":"B"}'


def calls_of(end: TurnEnd) -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in end.calls]


END = chunk({}, "tool_calls")

TWO_CALLS = {
    "1 both index 0, different ids": streamed(
        calls_chunk(call_delta("fill", A, id="x1", index=0)), calls_chunk(call_delta("fill", B, id="x2", index=0)), END
    ),
    "1 both index 0, in pieces": streamed(
        calls_chunk(call_delta("fill", A[:9], id="x1", index=0)),
        calls_chunk(call_delta(None, A[9:], index=0)),
        calls_chunk(call_delta("fill", B[:9], id="x2", index=0)),
        calls_chunk(call_delta(None, B[9:], index=0)),
        END,
    ),
    "1 both index 0, no ids": streamed(
        calls_chunk(call_delta("fill", A, index=0)), calls_chunk(call_delta("fill", B, index=0)), END
    ),
    "2 no index": streamed(
        calls_chunk(call_delta("fill", A[:9], id="x1")),
        calls_chunk(call_delta(None, A[9:])),
        calls_chunk(call_delta("fill", B, id="x2")),
        END,
    ),
    "2 no index, no ids, one chunk": streamed(calls_chunk(call_delta("fill", A), call_delta("fill", B)), END),
    "2 no index, no ids, two chunks": streamed(
        calls_chunk(call_delta("fill", A)), calls_chunk(call_delta("fill", B)), END
    ),
    "2 index with a gap": streamed(
        calls_chunk(call_delta("fill", A, id="x1", index=0)), calls_chunk(call_delta("fill", B, id="x2", index=5)), END
    ),
    "2 index starts at 1": streamed(
        calls_chunk(call_delta("fill", A, id="x1", index=1)), calls_chunk(call_delta("fill", B, id="x2", index=2)), END
    ),
    "2 interleaved by index": streamed(
        calls_chunk(call_delta("fill", A[:9], id="x1", index=0)),
        calls_chunk(call_delta("fill", B[:9], id="x2", index=1)),
        calls_chunk(call_delta(None, A[9:], index=0)),
        calls_chunk(call_delta(None, B[9:], index=1)),
        END,
    ),
    "2 interleaved by id, all index 0": streamed(
        calls_chunk(call_delta("fill", A[:9], id="x1", index=0)),
        calls_chunk(call_delta("fill", B[:9], id="x2", index=0)),
        calls_chunk(call_delta(None, A[9:], id="x1", index=0)),
        calls_chunk(call_delta(None, B[9:], id="x2", index=0)),
        END,
    ),
    "2 index null": streamed(
        calls_chunk({**call_delta("fill", A, id="x1"), "index": None}),
        calls_chunk({**call_delta("fill", B, id="x2"), "index": None}),
        END,
    ),
    "9 the same id twice in one turn": streamed(
        calls_chunk(call_delta("fill", A, id="call_0", index=0)),
        calls_chunk(call_delta("fill", B, id="call_0", index=1)),
        END,
    ),
    "10 the name in every delta": streamed(
        calls_chunk(call_delta("fill", A[:9], id="x1", index=0)),
        calls_chunk(call_delta("fill", A[9:], id="x1", index=0)),
        calls_chunk(call_delta("fill", B[:9], id="x2", index=1)),
        calls_chunk(call_delta("fill", B[9:], index=1)),
        END,
    ),
    "21 whole answer": whole(
        {"content": None, "tool_calls": [call_delta("fill", A, id="x1"), call_delta("fill", B, id="x2")]}, "tool_calls"
    ),
}


@pytest.mark.parametrize("reply", TWO_CALLS.values(), ids=TWO_CALLS.keys())
async def test_two_calls_stay_two(server: SseServer, ask: Ask, reply: Reply) -> None:
    server.script(reply)
    end = await ask()
    assert calls_of(end) == [("fill", A), ("fill", B)]
    assert end.finish == "tool_calls"
    assert len({call.id for call in end.calls}) == 2


async def test_10_a_name_split_over_deltas_is_one_name(server: SseServer, ask: Ask) -> None:
    server.script(
        streamed(
            calls_chunk(call_delta("fi", "", id="x1", index=0)), calls_chunk(call_delta("ll", A, id="x1", index=0)), END
        )
    )
    assert calls_of(await ask()) == [("fill", A)]


UNUSABLE = {
    "3 length": (streamed(calls_chunk(call_delta("fill", A, id="x", index=0)), chunk({}, "length")), "length"),
    "3 length, whole": (whole({"tool_calls": [call_delta("fill", A, id="x")]}, "length"), "length"),
    "5 content_filter": (
        streamed(calls_chunk(call_delta("fill", A, id="x", index=0)), chunk({}, "content_filter")),
        "content_filter",
    ),
    "5 content_filter, whole": (
        whole({"tool_calls": [call_delta("fill", A, id="x")]}, "content_filter"),
        "content_filter",
    ),
    "12 unknown finish_reason": (
        streamed(calls_chunk(call_delta("fill", A, id="x", index=0)), chunk({}, "weather")),
        "incomplete",
    ),
    "12 no finish_reason, arguments not complete, [DONE]": (
        streamed(calls_chunk(call_delta("fill", A[:9], id="x", index=0))),
        "incomplete",
    ),
}


@pytest.mark.parametrize(("reply", "finish"), UNUSABLE.values(), ids=UNUSABLE.keys())
async def test_nothing_runs_on_an_answer_that_was_cut(server: SseServer, ask: Ask, reply: Reply, finish: str) -> None:
    server.script(reply)
    end = await ask()
    assert (end.finish, end.calls) == (finish, ())
    assert "not run" in end.notice


async def test_4_a_stream_without_an_end_is_asked_again_and_then_given_up(server: SseServer, ask: Ask) -> None:
    server.always(streamed(calls_chunk(call_delta("fill", A, id="x", index=0)), done=False))
    end = await ask()
    assert (end.finish, end.calls) == ("incomplete", ())
    assert "broke off" in end.notice
    assert len(server.requests) == 3


async def test_4_text_that_was_shown_is_not_asked_for_again(server: SseServer, ask: Ask) -> None:
    server.script(streamed(chunk({"content": "Well, "}), done=False))
    end = await ask()
    assert (end.text, end.finish) == ("Well, ", "incomplete")
    assert len(server.requests) == 1


ERRORS = {
    "in a chunk": streamed(
        calls_chunk(call_delta("fill", A, id="x", index=0)), event({"error": {"message": "out of memory"}}), END
    ),
    "in a chunk, as a text": streamed(event({"error": "out of memory"})),
    "in a choice": streamed(event({"choices": [{"error": {"message": "out of memory", "code": 400}}]})),
    "in a whole answer": Reply([b'{"error": {"message": "out of memory"}}'], headers=JSON_HEADERS),
}


@pytest.mark.parametrize("reply", ERRORS.values(), ids=ERRORS.keys())
async def test_5_an_error_inside_the_answer_is_told(server: SseServer, ask: Ask, reply: Reply) -> None:
    server.script(reply)
    with pytest.raises(BackendError, match="out of memory") as caught:
        await ask()
    assert caught.value.hint
    assert len(server.requests) == 1


async def test_5_an_overloaded_server_inside_the_answer_is_asked_again(server: SseServer, ask: Ask) -> None:
    server.script(streamed(event({"error": {"message": "overloaded", "code": 503}})), text_reply("Hello"))
    assert (await ask()).text == "Hello"


ARGUMENTS = {
    "6 an object": ({"target": "title", "value": "A"}, '{"target": "title", "value": "A"}'),
    "7 empty": ("", "{}"),
    "7 null or absent": (None, "{}"),
    "7 blank": (" ", "{}"),
    "8 truncated": ('{"target":"ti', '{"target":"ti'),
    "8 doubled": (A + B, A + B),
    "8 double-encoded": (json.dumps(A), json.dumps(A)),
    "8 null as text": ("null", "null"),
    "8 a list": ("[]", "[]"),
    "18 a number as text": ('{"value":"3"}', '{"value":"3"}'),
    "19 the schema": ('{"type":"object","properties":{}}', '{"type":"object","properties":{}}'),
}


@pytest.mark.parametrize("how", ["streamed", "whole"])
@pytest.mark.parametrize(("sent", "expected"), ARGUMENTS.values(), ids=ARGUMENTS.keys())
async def test_arguments_are_handed_on_and_never_repaired(
    server: SseServer, ask: Ask, sent: object, expected: str, how: str
) -> None:
    delta = call_delta("fill", sent, id="x", index=0)
    server.script(
        streamed(calls_chunk(delta), END) if how == "streamed" else whole({"tool_calls": [delta]}, "tool_calls")
    )
    assert calls_of(await ask()) == [("fill", expected)]


async def test_7_arguments_null(server: SseServer, ask: Ask) -> None:
    server.script(streamed(calls_chunk({"index": 0, "id": "x", "function": {"name": "click", "arguments": None}}), END))
    assert calls_of(await ask()) == [("click", "{}")]


@pytest.mark.parametrize("server_id", ["", None, "call_0"])
async def test_9_ids_are_our_own_and_unique_in_the_conversation(
    server: SseServer, ask: Ask, server_id: str | None
) -> None:
    server.always(streamed(calls_chunk(call_delta("click", "{}", id=server_id, index=0)), END))
    first = (await ask()).calls[0]
    history = (AssistantMessage(calls=(first,)), ToolMessage(first.id, "click", "Saved"))
    second = (await ask(turn_request(*history))).calls[0]
    for call in (first, second):
        assert len(call.id) == 9
        assert call.id.isascii()
        assert call.id.isalnum()
    assert first.id != second.id
    sent = server.requests[1].messages
    assert sent[2]["tool_calls"][0]["id"] == sent[3]["tool_call_id"] == first.id


EMPTY = {
    "tool_calls without calls": streamed(chunk({"role": "assistant"}), END),
    "empty stop": streamed(chunk({"content": ""}), chunk({}, "stop")),
    "blank stop": streamed(chunk({"content": " \n"}), chunk({}, "stop")),
    "reasoning alone": streamed(chunk({"reasoning": "Hm."}), chunk({}, "stop")),
    "whole": whole({"content": ""}),
    "nothing but [DONE]": Reply([DONE]),
    "no choices": Reply([b'{"choices": []}'], headers=JSON_HEADERS),
}


@pytest.mark.parametrize("reply", EMPTY.values(), ids=EMPTY.keys())
async def test_11_an_empty_answer_is_an_error(server: SseServer, ask: Ask, reply: Reply) -> None:
    server.always(reply)
    with pytest.raises(BackendError, match="empty") as caught:
        await ask()
    assert caught.value.kind == "bad_answer"
    assert len(server.requests) == 2


async def test_11_the_second_answer_counts(server: SseServer, ask: Ask) -> None:
    server.script(EMPTY["tool_calls without calls"], call_reply("click", "{}"))
    assert calls_of(await ask()) == [("click", "{}")]


async def test_11_actions_that_were_only_announced_are_said_to_be_missing(server: SseServer, ask: Ask) -> None:
    server.script(streamed(chunk({"content": "I save it."}), END))
    end = await ask()
    assert (end.text, end.finish, end.calls) == ("I save it.", "stop", ())
    assert "announced" in end.notice


HONOURED = {
    "stop with calls": streamed(calls_chunk(call_delta("fill", A, id="x", index=0)), chunk({}, "stop")),
    "stop in the chunk of the call": streamed(calls_chunk(call_delta("fill", A, id="x", index=0), finish="stop")),
    "STOP": streamed(calls_chunk(call_delta("fill", A, id="x", index=0)), chunk({}, "STOP")),
    "null and [DONE]": streamed(calls_chunk(call_delta("fill", A, id="x", index=0))),
    "empty and [DONE]": streamed(calls_chunk(call_delta("fill", A, id="x", index=0), finish=""), chunk({}, "")),
    "tool_calls, then nothing": streamed(calls_chunk(call_delta("fill", A, id="x", index=0)), END, done=False),
    "null in a whole answer": whole({"tool_calls": [call_delta("fill", A, id="x")]}, None),
    "stop in a whole answer": whole({"tool_calls": [call_delta("fill", A, id="x")]}, "stop"),
}


@pytest.mark.parametrize("reply", HONOURED.values(), ids=HONOURED.keys())
async def test_12_calls_are_honoured(server: SseServer, ask: Ask, reply: Reply) -> None:
    server.script(reply)
    end = await ask()
    assert calls_of(end) == [("fill", A)]
    assert (end.finish, end.notice) == ("tool_calls", "")


NOISE = (
    b": a comment\n\n"
    + event({"choices": []})
    + event({"choices": None})
    + event("null")
    + chunk(None)
    + b"event: ping\nid: 7\nretry: 10\n\n"
    + chunk({"content": None, "tool_calls": None})
)


async def test_13_what_says_nothing_is_passed_over(server: SseServer, ask: Ask) -> None:
    usage = event({"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 2}})
    server.script(streamed(NOISE, chunk({"content": "Hi"}), NOISE, chunk({}, "stop"), usage))
    end = await ask()
    assert (end.text, end.usage) == ("Hi", Usage(11, 2))


@pytest.mark.parametrize("newline", [b"\r\n", b"\r", b"\n"])
async def test_13_line_ends_and_cuts_anywhere(server: SseServer, ask: Ask, newline: bytes) -> None:
    stream = b"\xef\xbb\xbf" + NOISE + chunk({"content": "Grüße, 世界 \U0001f399"}) + chunk({}, "stop") + DONE
    stream = stream.replace(b"\n", newline)
    server.script(Reply([stream[i : i + 1] for i in range(len(stream))]))
    assert (await ask()).text == "Grüße, 世界 \U0001f399"


async def test_13_events_without_an_empty_line_between_them(server: SseServer, ask: Ask) -> None:
    lines = (chunk({"content": "Hi"}) + chunk({}, "stop") + DONE).replace(b"\n\n", b"\n")
    server.script(Reply([lines]))
    assert (await ask()).text == "Hi"


async def test_14_content_and_calls_are_both_kept(server: SseServer, ask: Ask) -> None:
    server.script(
        streamed(chunk({"content": "I save. "}), calls_chunk(call_delta("click", "{}", id="x", index=0)), END)
    )
    end = await ask()
    assert (end.text, calls_of(end), end.notice) == ("I save. ", [("click", "{}")], "")
    server.script(text_reply("Saved."))
    call = end.calls[0]
    await ask(turn_request(AssistantMessage(end.text, end.calls), ToolMessage(call.id, "click", "Saved")))
    sent = server.requests[-1].messages[2]
    assert (sent["content"], len(sent["tool_calls"])) == ("I save. ", 1)


WRITTEN = {
    "tag": '<tool_call>{"name": "click", "arguments": {}}</tool_call>',
    "special token": '<|tool_call|>{"name": "click", "arguments": {}}',
    "mistral": '[TOOL_CALLS][{"name": "click", "arguments": {}}]',
    "function tag": '<function=click>{"target": "save"}</function>',
    "json block": 'Sure:\n```json\n{"name": "click", "arguments": {}}\n```',
    "bare json": '{"name": "click", "parameters": {}}',
    "tag with an unknown tool": '<tool_call>{"name": "rm", "arguments": {}}</tool_call>',
}


@pytest.mark.parametrize("how", ["streamed", "whole"])
@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN.keys())
async def test_15_a_call_written_as_text_is_pointed_out_and_never_run(
    server: SseServer, ask: Ask, text: str, how: str
) -> None:
    server.script(text_reply(text) if how == "streamed" else whole({"content": text}))
    end = await ask()
    assert (end.text, end.calls, end.finish) == (text, (), "stop")
    assert "as text" in end.notice


@pytest.mark.parametrize("text", ['```json\n{"title": "A"}\n```', "Click on Save.", 'The "name": "click" is short.'])
async def test_15_other_text_is_just_text(server: SseServer, ask: Ask, text: str) -> None:
    server.script(text_reply(text))
    assert (await ask()).notice == ""


@pytest.mark.parametrize("how", ["streamed", "whole"])
async def test_16_a_refusal_is_one(server: SseServer, ask: Ask, how: str) -> None:
    message = {"content": None, "refusal": "I can't help with that."}
    server.script(streamed(chunk(message), chunk({}, "stop")) if how == "streamed" else whole(message))
    end = await ask()
    assert (end.refusal, end.text) == ("I can't help with that.", "")


REASONING = {
    "reasoning": streamed(
        chunk({"reasoning": "Let me "}), chunk({"reasoning": "see."}), chunk({"content": "Done."}, "stop")
    ),
    "reasoning_content": streamed(
        chunk({"reasoning_content": "Let me see."}), chunk({"content": "Done."}), chunk({}, "stop")
    ),
    "think tag in pieces": streamed(
        *(chunk({"content": piece}) for piece in ("\n<th", "ink>Let me ", "see.</thi", "nk>\n\nDo", "ne.")),
        chunk({}, "stop"),
    ),
    "whole": whole({"reasoning_content": "Let me see.", "content": "Done."}),
    "think tag, whole": whole({"content": "<think>Let me see.</think>\nDone."}),
    "list of parts": whole({"reasoning": "Let me see.", "content": [{"type": "text", "text": "Done."}]}),
}


@pytest.mark.parametrize("reply", REASONING.values(), ids=REASONING.keys())
async def test_16_reasoning_is_never_the_answer(server: SseServer, backend: OpenAIBackend, reply: Reply) -> None:
    server.script(reply)
    parts = [part async for part in backend.stream(turn_request())]
    end = parts[-1]
    assert isinstance(end, TurnEnd)
    assert (end.text, end.reasoning) == ("Done.", "Let me see.")
    assert "".join(part.text for part in parts if isinstance(part, TextPart)) == "Done."
    assert "".join(part.text for part in parts if isinstance(part, ReasoningPart)) == "Let me see."


async def test_16_a_think_tag_later_on_is_text(server: SseServer, ask: Ask) -> None:
    server.script(text_reply("Use <think> for it."))
    end = await ask()
    assert (end.text, end.reasoning) == ("Use <think> for it.", "")


async def test_17_an_unknown_tool_beside_a_good_call_is_kept_with_its_name(server: SseServer, ask: Ask) -> None:
    server.script(
        streamed(calls_chunk(call_delta("clikc", "{}", id="x", index=0), call_delta("fill", A, id="y", index=1)), END)
    )
    assert calls_of(await ask()) == [("clikc", "{}"), ("fill", A)]


async def test_21_a_whole_answer_to_a_streaming_request(server: SseServer, backend: OpenAIBackend) -> None:
    server.script(whole({"content": "Hello"}, usage={"prompt_tokens": 5, "completion_tokens": 1}))
    parts = [part async for part in backend.stream(turn_request())]
    assert parts == [TextPart("Hello"), TurnEnd(text="Hello", usage=Usage(5, 1), backend="openai")]
    assert server.requests[0].body["stream"] is True


@pytest.mark.parametrize("pieces", [1, 7])
async def test_21_a_whole_answer_in_pieces_under_any_content_type(server: SseServer, ask: Ask, pieces: int) -> None:
    body = b"\n " + json.dumps({"choices": [{"message": {"content": "Hello"}, "finish_reason": "stop"}]}).encode()
    server.script(Reply([body[i : i + pieces] for i in range(0, len(body), pieces)]))
    assert (await ask()).text == "Hello"


async def test_a_web_page_is_no_answer(server: SseServer, ask: Ask) -> None:
    server.script(Reply([b"<!doctype html><title>Welcome</title>"], headers={"Content-Type": "text/html"}))
    with pytest.raises(BackendError, match="web page") as caught:
        await ask()
    assert "/v1" in caught.value.hint


async def test_garbage_is_no_answer(server: SseServer, ask: Ask) -> None:
    server.always(streamed(event("{this is not json")))
    with pytest.raises(BackendError, match="can't be read"):
        await ask()
    assert len(server.requests) == 2


async def test_text_is_streamed_as_it_arrives(server: SseServer, backend: OpenAIBackend) -> None:
    server.script(streamed(chunk({"content": "Hel"}), chunk({"content": "lo"}), chunk({}, "stop")))
    parts = [part async for part in backend.stream(turn_request())]
    assert parts[:2] == [TextPart("Hel"), TextPart("lo")]


async def test_log_probabilities_give_the_confidence_of_a_single_call(server: SseServer, ask: Ask) -> None:
    tokens = {"content": [{"token": "a", "logprob": -0.1}, {"token": "b", "logprob": -0.3}]}
    server.script(streamed(calls_chunk(call_delta("click", "{}", id="x", index=0), logprobs=tokens), END))
    confidence = (await ask()).calls[0].confidence
    assert confidence == pytest.approx(0.8187, abs=1e-3)


async def test_without_log_probabilities_there_is_no_confidence(server: SseServer, ask: Ask) -> None:
    server.script(call_reply("click", "{}"))
    assert (await ask()).calls[0].confidence is None
