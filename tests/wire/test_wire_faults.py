"""What a server or a network does instead of answering: told in words, tried again within limits, cancelled at once."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import ssl
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from email.utils import formatdate

import pytest
from pydantic import SecretStr
from sse_server import Cut, Reply, SseServer, Stall, Wait, call_reply, chunk, error_reply, streamed, text_reply
from wire_helpers import KEY, QUICK, Ask, turn_request

from app.agent.backends.base import TurnEnd
from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.openai_backend import OpenAIBackend
from app.agent.backends.wire.faults import connection_fault
from app.agent.backends.wire.retry import RetryPolicy
from app.agent.errors import BackendError

CANCEL_WITHIN_S = 20.0
"""A third of the time after which the turn would end by itself: busy machines stand for seconds."""


async def ends_in(base_url: str, *, key: str | None = KEY, timeout_s: float = 5.0) -> BackendError:
    """Asks one turn of that address and gives the error it ends in."""
    settings = ModelSettings("test-model", base_url, SecretStr(key) if key else None, timeout_s=timeout_s)
    backend = OpenAIBackend(settings, retry=QUICK)
    with pytest.raises(BackendError) as caught:
        async for _ in backend.stream(turn_request()):
            pass
    await backend.aclose()
    return caught.value


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_a_passing_failure_is_tried_again(server: SseServer, ask: Ask, status: int) -> None:
    server.script(error_reply(status, "not now"), error_reply(status, "not now"), text_reply("Hello"))
    assert (await ask()).text == "Hello"


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limited"), (500, "server"), (502, "server"), (503, "server")])
async def test_a_lasting_failure_is_told_after_three_attempts(
    server: SseServer, ask: Ask, status: int, kind: str
) -> None:
    server.always(error_reply(status, "the hamster is tired"))
    with pytest.raises(BackendError, match="hamster") as caught:
        await ask()
    assert caught.value.kind == kind
    assert caught.value.hint
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "message", "kind", "told"),
    [
        (401, "Incorrect API key provided", "auth", "does not accept the API key"),
        (403, "Country not supported", "auth", "Country not supported"),
        (404, "The model `x` does not exist", "refused", "does not know the model 'test-model'"),
        (404, "page not found", "refused", "no Chat Completions server"),
        (400, "max_tokens is too large", "refused", "max_tokens is too large"),
        (418, "I am a teapot", "refused", "teapot"),
    ],
)
async def test_a_refusal_is_told_at_once(
    server: SseServer, ask: Ask, status: int, message: str, kind: str, told: str
) -> None:
    server.always(error_reply(status, message))
    with pytest.raises(BackendError, match=told) as caught:
        await ask()
    assert caught.value.kind == kind
    assert caught.value.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b'{"error": {"message": "the reason", "type": "t"}}',
        b'{"error": "the reason"}',
        b'{"message": "the reason"}',
        b'{"detail": "the reason"}',
        b'{"detail": [{"loc": ["body", "messages"], "msg": "the reason"}]}',
        b'[{"error": {"code": 400, "message": "the reason"}}]',
        b'{"error": {"message": "Provider returned error", "metadata": {"raw": "the reason"}}}',
        b"the reason",
    ],
)
async def test_the_reason_is_found_in_each_form_of_error(server: SseServer, ask: Ask, body: bytes) -> None:
    server.script(Reply([body], 400))
    with pytest.raises(BackendError, match="the reason"):
        await ask()


async def test_an_account_without_money_is_not_asked_again(server: SseServer, ask: Ask) -> None:
    server.always(error_reply(429, "You exceeded your current quota", code="insufficient_quota"))
    with pytest.raises(BackendError, match="quota"):
        await ask()
    assert len(server.requests) == 1


@pytest.mark.parametrize("header", ["0.2", "ms", "date"])
async def test_retry_after_is_kept(server: SseServer, backend: OpenAIBackend, header: str) -> None:
    at = {
        "0.2": {"Retry-After": "0.2"},
        "ms": {"retry-after-ms": "200"},
        "date": {"Retry-After": formatdate(time.time() + 1.2, usegmt=True)},
    }
    server.script(error_reply(429, "slow down", at[header]), text_reply("Hello"))
    began = time.monotonic()
    async for _ in backend.stream(turn_request()):
        pass
    assert time.monotonic() - began >= 0.15
    assert len(server.requests) == 2


async def test_a_long_retry_after_is_not_waited_for(server: SseServer, ask: Ask) -> None:
    server.always(error_reply(429, "come back tomorrow", {"Retry-After": "86400"}))
    with pytest.raises(BackendError, match="tomorrow"):
        await ask()
    assert len(server.requests) == 1


def test_waits_of_our_own_double_up_to_a_limit() -> None:
    policy = RetryPolicy(attempts=9, first_delay_s=1.0, longest_delay_s=5.0)
    fault = connection_fault(ConnectionResetError(), ModelSettings("m"))
    assert [policy.delay_s(fault, made) for made in range(1, 10)] == [1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0, None]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_connect_refused() -> None:
    error = await ends_in(f"http://127.0.0.1:{free_port()}/v1")
    assert (error.kind, "Nothing answers" in str(error)) == ("unreachable", True)
    assert error.hint


async def test_dns_failure() -> None:
    error = await ends_in("http://no-such-server.invalid/v1")
    assert (error.kind, "no-such-server.invalid" in str(error)) == ("unreachable", True)


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/v1", "127.0.0.1:80/v1", "http://", "http://[::1/v1", "http://a b/v1"])
async def test_an_address_that_is_none(url: str) -> None:
    error = await ends_in(url)
    assert error.kind == "unreachable"
    assert error.hint


async def test_tls_to_a_server_that_speaks_none(server: SseServer) -> None:
    error = await ends_in(server.base_url.replace("http:", "https:"))
    assert (error.kind, "secure connection" in str(error)) == ("unreachable", True)
    assert "http://" in error.hint


async def test_tls_handshake_refused() -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)  # without a certificate, no handshake can succeed

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    tls = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
    async with tls:
        port = tls.sockets[0].getsockname()[1]
        error = await ends_in(f"https://127.0.0.1:{port}/v1")
    assert (error.kind, "secure connection" in str(error)) == ("unreachable", True)


def test_a_certificate_that_is_not_trusted_is_told() -> None:
    # A certificate made for this would need a tool that a test machine may not have; the exception is what the
    # ssl module gives.
    error = ConnectionError("connect")
    error.__cause__ = ssl.SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED] self-signed certificate")
    fault = connection_fault(error, ModelSettings("m", "https://desk.example/v1"))
    assert "certificate of desk.example" in str(fault)
    assert not fault.passing


async def test_a_stall_before_the_answer_ends_after_two_timeouts(server: SseServer) -> None:
    server.always(Reply([Stall()]))
    error = await ends_in(server.base_url, timeout_s=0.2)
    assert error.kind == "timeout"
    assert len(server.requests) == 2


async def test_a_stall_after_text_ends_the_turn_without_calls(server: SseServer) -> None:
    server.always(streamed(chunk({"content": "Well, "}), Stall()))
    settings = ModelSettings("test-model", server.base_url, timeout_s=2.0)
    backend = OpenAIBackend(settings, retry=QUICK)
    parts = [part async for part in backend.stream(turn_request())]
    await backend.aclose()
    end = parts[-1]
    assert isinstance(end, TurnEnd)
    assert (end.text, end.finish, end.calls) == ("Well, ", "incomplete", ())
    assert len(server.requests) == 1


async def test_a_cut_before_anything_was_shown_is_tried_again(server: SseServer, ask: Ask) -> None:
    half = call_reply("click", "{}").pieces[0]
    server.script(Reply([half, Cut()]), call_reply("click", "{}"))
    end = await ask()
    assert [call.name for call in end.calls] == ["click"]
    assert len(server.requests) == 2


async def test_a_cut_after_text_was_shown_ends_the_turn(server: SseServer, ask: Ask) -> None:
    server.script(Reply([chunk({"content": "Well, "}), call_reply("click", "{}").pieces[0], Cut()]))
    end = await ask()
    assert (end.text, end.finish, end.calls) == ("Well, ", "incomplete", ())
    assert len(server.requests) == 1


async def test_a_cut_after_the_end_of_the_turn_does_not_matter(server: SseServer, ask: Ask) -> None:
    server.script(Reply([*call_reply("click", "{}").pieces[:2], Cut()]))
    assert [call.name for call in (await ask()).calls] == ["click"]


async def test_a_server_that_keeps_the_connection_after_done_is_not_waited_for(server: SseServer) -> None:
    server.script(Reply([*text_reply("Hello").pieces, Stall()]))
    backend = OpenAIBackend(ModelSettings("test-model", server.base_url, timeout_s=60.0))
    began = time.monotonic()
    *_, end = [part async for part in backend.stream(turn_request())]
    assert time.monotonic() - began < 20.0
    await backend.aclose()
    assert isinstance(end, TurnEnd)
    assert end.text == "Hello"


async def test_a_connection_is_used_again(server: SseServer, ask: Ask) -> None:
    server.always(text_reply("Hello"))
    for _ in range(3):
        await ask()
    assert server.connections == 1


def test_connections_are_closed_with_the_event_loop(server: SseServer) -> None:
    server.always(text_reply("Hello"))
    backend = OpenAIBackend(ModelSettings("test-model", server.base_url))
    for _ in range(2):  # a backend outlives its loop, as in a program that runs one a question
        asyncio.run(_consume(backend))
        assert server.open_connections() == 0
    assert server.connections == 2


async def test_connections_of_a_backend_that_was_replaced_are_closed(server: SseServer) -> None:
    server.always(text_reply("Hello"))
    backend: OpenAIBackend | None = OpenAIBackend(ModelSettings("test-model", server.base_url))
    assert backend is not None
    await _consume(backend)
    assert server.open_connections(expected=1) == 1
    backend = None
    gc.collect()
    for _ in range(3):
        await asyncio.sleep(0)
    assert server.open_connections() == 0


async def _consume(backend: OpenAIBackend) -> None:
    async for _ in backend.stream(turn_request()):
        pass


async def test_an_endless_answer_is_given_up(server: SseServer, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.agent.backends.wire.transport._LONGEST_ANSWER_BYTES", 10_000)
    server.script(streamed(*(chunk({"reasoning": "x" * 500}) for _ in range(50)), chunk({"content": "y"}, "stop")))
    with pytest.raises(BackendError, match="does not end"):
        await ask()


async def test_one_megabyte_of_arguments_arrives_whole(server: SseServer, ask: Ask) -> None:
    arguments = '{"value":"' + "x" * 1_000_000 + '"}'
    server.script(call_reply("fill", arguments))
    assert (await ask()).calls[0].arguments == arguments


Held = Callable[[SseServer], str]


def _stalled(server: SseServer) -> str:
    server.always(Reply([Stall()]))
    return server.base_url


def _mid_stream(server: SseServer) -> str:
    server.always(streamed(chunk({"content": "Well"}), Stall()))
    return server.base_url


def _stalled_error(server: SseServer) -> str:
    server.always(Reply([b'{"error":', Stall()], 500))
    return server.base_url


def _waiting_to_retry(server: SseServer) -> str:
    server.always(error_reply(429, "slow down", {"Retry-After": "15"}))
    return server.base_url


def _mid_arguments(server: SseServer) -> str:
    server.always(streamed(call_reply("fill", '{"target":').pieces[0], Stall()))
    return server.base_url


def _after_finish(server: SseServer) -> str:
    server.always(streamed(*text_reply("Hello").pieces[:2], Stall()))
    return server.base_url


@pytest.mark.parametrize(
    "state", [_stalled, _mid_stream, _stalled_error, _waiting_to_retry, _mid_arguments, _after_finish]
)
async def test_cancel_is_quick_in_every_state(server: SseServer, state: Held) -> None:
    await _cancelled_quickly(state(server), server.got_request)
    assert len(server.requests) == 1


def test_cancel_is_quick_during_the_tls_handshake() -> None:
    reached = threading.Event()

    def greet_no_one() -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(1)
            reached.set()
            connection.settimeout(10)
            while connection.recv(4096):
                pass

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=greet_no_one)
        thread.start()
        # In a loop of its own: httpcore2 2.16 closes the socket of a handshake only on an `Exception`, so that of a
        # cancelled one stays open until the loop has gone, and warns then.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            asyncio.run(_cancelled_quickly(f"https://127.0.0.1:{listener.getsockname()[1]}/v1", reached))
            gc.collect()
        thread.join()


async def test_cancel_is_quick_while_the_package_is_imported(
    server: SseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    importing, go_on = threading.Event(), threading.Event()

    def slow_import(_settings: ModelSettings) -> object:
        importing.set()
        go_on.wait(60)
        return None

    monkeypatch.setattr("app.agent.backends.wire.transport._make_client", slow_import)
    try:
        await _cancelled_quickly(server.base_url, importing)
    finally:
        go_on.set()


async def _cancelled_quickly(base_url: str, reached: threading.Event) -> None:
    backend = OpenAIBackend(ModelSettings("test-model", base_url, SecretStr(KEY), timeout_s=60.0))
    task = asyncio.create_task(_consume(backend))
    assert await asyncio.to_thread(reached.wait, 60)
    for _ in range(20):  # lets what has arrived be taken in, so that the turn waits for what never comes
        await asyncio.sleep(0.005)
    assert not task.done()
    began = time.monotonic()
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert time.monotonic() - began < CANCEL_WITHIN_S
    assert task.cancelled()
    await backend.aclose()


async def test_the_server_sees_that_the_turn_was_cancelled(server: SseServer, backend: OpenAIBackend) -> None:
    go_on = threading.Event()
    server.script(streamed(chunk({"content": "Well"}), Wait(go_on), *[chunk({"content": "x" * 10_000})] * 200))
    stream = backend.stream(turn_request())
    await anext(stream)
    await stream.aclose()
    go_on.set()
    assert await asyncio.to_thread(server.client_gone.wait, 60)


LEAKS = [
    error_reply(401, f"Incorrect API key provided: {KEY}."),
    error_reply(400, f"bad header: Bearer {KEY}"),
    error_reply(403, f"key {KEY} may not"),
    Reply([f"<pre>Authorization: Bearer {KEY}</pre>".encode()], 500),
    streamed(b'data: {"error": {"message": "key %s"}}\n\n' % KEY.encode()),
    Reply([Cut()]),
]


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    with caplog.at_level(logging.DEBUG):
        yield caplog


@pytest.mark.parametrize("reply", LEAKS)
async def test_the_key_is_in_no_message_and_no_log(
    server: SseServer, reply: Reply, everything_logged: pytest.LogCaptureFixture
) -> None:
    server.always(reply)
    error = await ends_in(server.base_url)
    chain = [error, error.__cause__, error.__context__]
    told = " ".join(f"{part!s} {part!r} {getattr(part, 'hint', '')}" for part in chain if part is not None)
    assert KEY not in told
    assert KEY not in everything_logged.text
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_key_is_in_no_repr() -> None:
    settings = ModelSettings("m", "https://desk:hunter2@desk.example/v1", SecretStr(KEY))
    for shown in (repr(settings), str(settings), settings.host, repr(OpenAIBackend(settings))):
        assert KEY not in shown
        assert "hunter2" not in shown
    assert replace(settings, model="n").host == "desk.example"


async def test_without_a_key_none_is_sent_and_none_is_taken_from_the_environment(
    server: SseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.always(error_reply(401, "who are you"))
    error = await ends_in(server.base_url, key=None)
    assert "none is set" in str(error)
    assert "authorization" not in server.requests[0].headers
