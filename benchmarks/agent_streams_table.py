"""The streams that `bench_agent_streams.py` plays, and what a client has to make of each."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "wire"))

from sse_server import (
    Cut,
    Reply,
    call_delta,
    calls_chunk,
    chunk,
    error_reply,
    event,
    streamed,
    text_reply,
    whole,
)

A = '{"field": "title", "value": "A"}'
B = '{"field": "notes", "value": "B"}'
END = chunk({}, "tool_calls")
CUT_OFF = chunk({}, "length")

Expected = Literal["runs", "nothing", "error", "text"]


@dataclass(frozen=True)
class Case:
    """One stream.

    Attributes:
        row: Its row in the table of streams.
        name: What is wrong with it.
        reply: What the server sends to the first request; a plain answer follows on later ones.
        expected: `runs`: exactly `effects` happen, and the next request pairs each call with its result.
            `nothing`: no effect. `error`: no effect, and the caller is told. `text`: the answer is exactly `text`.
        effects: (tool, arguments) in order.
        for_ever: Whether the server repeats `reply` on every request.
    """

    row: int
    name: str
    reply: Reply
    expected: Expected
    effects: tuple[tuple[str, dict[str, Any]], ...] = ()
    text: str = ""
    for_ever: bool = False


def answer(message: Mapping[str, object], finish: str) -> Reply:
    """A whole answer with all the fields that clients demand, so that nothing is wrong but what is meant to be."""
    return whole({"role": "assistant", **message}, finish, object="chat.completion", created=1, model="m")


def _call(name: str | None, arguments: object, id: str | None = None, index: int | None = 0) -> bytes:
    """A chunk with one piece of one call."""
    return calls_chunk(call_delta(name, arguments, id=id, index=index))


def _one(arguments: object, finish: object = "tool_calls", *, id: str | None = "x", name: str = "fill") -> Reply:
    """A stream with one call."""
    return streamed(_call(name, arguments, id), chunk({}, finish))


def _runs(row: int, name: str, reply: Reply, *arguments: str, tool: str = "fill") -> Case:
    return Case(row, name, reply, "runs", tuple((tool, json.loads(one)) for one in arguments))


def _nothing(row: int, name: str, reply: Reply) -> Case:
    return Case(row, name, reply, "nothing")


def _error(row: int, name: str, reply: Reply) -> Case:
    return Case(row, name, reply, "error", for_ever=True)


WHOLE = call_delta("fill", A, id="x")
WRITTEN = '<tool_call>{"name": "fill", "arguments": ' + A + "}</tool_call>"
NOISE = (b": hello\n\n", event({"choices": []}), chunk(None))
BROKEN = event({"error": {"message": "out of memory"}})
UNKNOWN = calls_chunk(call_delta("nope", "{}", id="x", index=0), call_delta("fill", A, id="y", index=1))

CASES: tuple[Case, ...] = (
    _runs(0, "a plain call", _one(A), A),
    _runs(1, "two calls, both index 0", streamed(_call("fill", A, "x"), _call("fill", B, "y"), END), A, B),
    _runs(2, "index missing", streamed(_call("fill", A, "x", None), _call("fill", B, "y", None), END), A, B),
    _runs(2, "index with a gap", streamed(_call("fill", A, "x", 1), _call("fill", B, "y", 4), END), A, B),
    _runs(
        2,
        "interleaved deltas",
        streamed(
            _call("fill", A[:9], "x"),
            _call("fill", B[:9], "y", 1),
            _call(None, A[9:]),
            _call(None, B[9:], None, 1),
            END,
        ),
        A,
        B,
    ),
    _nothing(3, "length, arguments parse", _one(A, "length")),
    _error(4, "no finish_reason, no [DONE]", streamed(_call("fill", A, "x"), done=False)),
    _nothing(5, "content_filter", _one(A, "content_filter")),
    _error(5, "error object in a chunk", streamed(_call("fill", A, "x"), BROKEN, END)),
    _runs(6, "arguments as an object", _one(json.loads(A)), A),
    _runs(7, 'arguments ""', _one("", name="click"), "{}", tool="click"),
    _runs(7, "arguments absent", _one(None, name="click"), "{}", tool="click"),
    _nothing(8, "arguments truncated", _one(A[:20])),
    _nothing(8, "arguments doubled", _one(A + B)),
    _nothing(8, "arguments double-encoded", _one(json.dumps(A))),
    _nothing(8, "arguments null as text", _one("null")),
    _runs(9, "empty call id", _one(A, id=""), A),
    _runs(9, "no call id", _one(A, id=None), A),
    _runs(10, "name in every delta", streamed(_call("fill", A[:9], "x"), _call("fill", A[9:], "x"), END), A),
    _runs(10, "name split over deltas", streamed(_call("fi", "", "x"), _call("ll", A), END), A),
    _error(11, "tool_calls without calls", streamed(chunk({"role": "assistant"}), END)),
    _error(11, "empty stop", streamed(chunk({"content": ""}), chunk({}, "stop"))),
    _runs(12, "stop with a call", _one(A, "stop"), A),
    _runs(12, "finish_reason null, [DONE]", streamed(_call("fill", A, "x")), A),
    Case(13, "noise", streamed(*NOISE, chunk({"content": "Hi"}), chunk({}, "stop")), "text", text="Hi"),
    _runs(14, "content and a call", streamed(chunk({"content": "I do it."}), _call("fill", A, "x"), END), A),
    _nothing(15, "a call written as text", text_reply(WRITTEN)),
    _error(16, "reasoning alone", streamed(chunk({"reasoning": "Hm."}), chunk({}, "stop"))),
    _runs(17, "unknown tool beside a good call", streamed(UNKNOWN, END), A),
    _nothing(18, "missing argument", _one('{"field": "title"}')),
    _nothing(18, "extra argument", _one('{"field": "title", "value": "A", "more": 1}')),
    _error(20, "cut in the middle", Reply([_call("fill", A, "x"), Cut()])),
    Case(20, "500, then well", error_reply(500, "not now"), "text", text="Done."),
    _runs(21, "whole answer to a streaming request", answer({"tool_calls": [WHOLE]}, "tool_calls"), A),
)

# Whatever such an answer holds, nobody knows what was to follow: none of it may run.
LENGTH_CASES: tuple[Case, ...] = (
    _nothing(3, "arguments parse", _one(A, "length")),
    _nothing(3, "no arguments", _one("", "length", name="click")),
    _nothing(3, "arguments cut off", _one(A[:20], "length")),
    _nothing(3, "the second call cut off", streamed(_call("fill", A, "x"), _call("fill", B[:9], "y", 1), CUT_OFF)),
    _nothing(3, "text, then a call", streamed(chunk({"content": "I do"}), _call("fill", A, "x"), CUT_OFF)),
    _nothing(3, "whole answer, not streamed", answer({"tool_calls": [WHOLE]}, "length")),
)
