"""A conversation is cut to size by whole turns; a call and its result stay together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.agent.context import (
    MISSING_RESULT,
    OLD_RESULT_LIMIT,
    RESULT_LIMIT,
    bounded,
    estimate_tokens,
    message_tokens,
    paired,
    trim,
)
from app.agent.history import check_pairs
from app.agent.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage, Utterance


def user(number: int, text: str = "do it") -> UserMessage:
    return UserMessage(Utterance(f"u{number}", text))


def turn(number: int, results: int = 1, size: int = 10) -> list[Message]:
    calls = tuple(ToolCall(f"c{number:04}{n:04}", "click", "{}") for n in range(results))
    return [AssistantMessage(calls=calls), *(ToolMessage(call.id, "click", "r" * size) for call in calls)]


def size(messages: tuple[Message, ...]) -> int:
    return sum(message_tokens(message) for message in messages)


def test_what_fits_stays() -> None:
    messages = (user(1), *turn(1), user(2))
    assert trim(messages, 1_000) == messages


def test_the_oldest_utterances_go_with_all_that_answered_them() -> None:
    messages = (user(1, "x" * 400), *turn(1), user(2, "x" * 400), *turn(2), user(3), *turn(3))
    assert trim(messages, 160) == messages[3:]


def test_the_utterance_being_answered_and_the_newest_turn_always_stay() -> None:
    messages = (user(1), *turn(1), user(2, "x" * 4_000), *turn(2), *turn(3), *turn(4))
    assert trim(messages, 100) == (messages[3], *messages[-2:])


def test_long_results_give_way_before_anything_goes() -> None:
    messages = (user(1), *turn(1, size=5_000), *turn(2, size=5_000))
    kept = trim(messages, 1_600)
    assert len(kept) == len(messages)
    old, new = kept[2], kept[4]
    assert isinstance(old, ToolMessage)
    assert isinstance(new, ToolMessage)
    assert len(old.content) <= OLD_RESULT_LIMIT
    assert len(new.content) == 5_000


def test_results_are_bounded_even_where_there_is_room() -> None:
    (_, _, result) = trim((user(1), *turn(1, size=100_000)), 1_000_000)
    assert isinstance(result, ToolMessage)
    assert len(result.content) <= RESULT_LIMIT


def test_bounded_keeps_both_ends_and_counts_what_is_gone() -> None:
    text = "".join(str(n % 10) for n in range(1_000))
    short = bounded(text, 200)
    assert short.startswith(text[:100])
    assert short.endswith(text[-50:])
    assert "850 characters left out" in short
    assert len(short) <= 200
    assert bounded(short, 200) == short
    assert bounded(text, 1_000) == text


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("word", 1), ("words", 2), ("世界", 2), ("\ud800", 1)])
def test_estimates(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


def test_a_missing_result_is_put_in_and_a_stray_one_left_out() -> None:
    calling, first, second = turn(1, results=2)
    stray = ToolMessage("nobody", "click", "?")
    repaired = paired((stray, calling, second, user(2)))
    check_pairs(repaired)
    assert repaired[1] == ToolMessage("c00010000", "click", MISSING_RESULT, ok=False)
    assert repaired[2:] == (second, user(2))
    assert first not in repaired


@st.composite
def conversations(draw: st.DrawFn) -> tuple[Message, ...]:
    messages: list[Message] = []
    number = 0
    for utterance in range(draw(st.integers(0, 6))):
        messages.append(user(utterance, "u" * draw(st.integers(0, 300))))
        for _ in range(draw(st.integers(0, 4))):
            number += 1
            messages += turn(number, draw(st.integers(0, 3)), draw(st.sampled_from([0, 50, 900, 9_000])))
    lost = draw(st.sets(st.integers(0, max(len(messages) - 1, 0))))
    return tuple(m for n, m in enumerate(messages) if not (n in lost and isinstance(m, ToolMessage)))


@given(conversations(), st.integers(0, 4_000))
def test_any_conversation_trims_to_one_that_a_server_accepts(messages: tuple[Message, ...], budget: int) -> None:
    kept = trim(messages, budget)
    check_pairs(kept)
    users = [message for message in messages if isinstance(message, UserMessage)]
    if users:
        assert kept[0] in users
        assert users[-1] in kept
        run = messages[messages.index(users[-1]) :]
        newest = [message for message in run if isinstance(message, AssistantMessage)][-1:]
        assert set(newest) <= set(kept)
    if size(kept) > budget:
        assert sum(isinstance(message, UserMessage | AssistantMessage) for message in kept) <= 2
    assert trim(kept, budget) == kept
