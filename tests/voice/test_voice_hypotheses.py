"""Which readings count."""

from __future__ import annotations

import pytest

from app.voice.decoding import context_s
from app.voice.hypotheses import (
    can_be_said,
    distinct,
    is_trustworthy,
    repeats_itself,
    sounds_like_any,
    without_repetition,
)
from app.voice.types import HeardHypothesis


def readings(*texts: str) -> tuple[HeardHypothesis, ...]:
    return tuple(HeardHypothesis(text, -0.1 * place) for place, text in enumerate(texts, 1))


@pytest.mark.parametrize(
    "text",
    [
        "Open settings. Open settings.",
        "Save. Save. Save.",
        "Set the status to accepted and save. Set the status to accepted and saved.",
        "Set the title to voice control for everyone. Set the title to voice control",
        "What can I say? What can I see?",
    ],
)
def test_one_line_repeated_to_the_end(text: str) -> None:
    assert repeats_itself(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Save.",
        "Go to speakers, go to conferences.",
        "Set the name to Jane, set the city to Berlin.",
        "Click save, click delete.",
        "The level should be the advance",
        "Set the title to the best of the best",
    ],
)
def test_a_sentence_that_only_resembles_a_repetition(text: str) -> None:
    assert not repeats_itself(text)


def test_the_sentence_said_once_is_kept() -> None:
    heard = readings("Open settings. Open settings.", "Open settings.")
    assert [each.text for each in without_repetition(heard)] == ["Open settings."]


def test_readings_that_differ_in_capitals_and_commas_are_one() -> None:
    heard = readings("Set the status, to Accepted.", "set the status to accepted", "", "Set the state to accepted.")
    assert [each.text for each in distinct(heard)] == ["Set the status, to Accepted.", "Set the state to accepted."]


def test_low_log_probability_is_not_trusted() -> None:
    assert is_trustworthy((HeardHypothesis("Go to the speakers page", -0.9),))
    assert not is_trustworthy((HeardHypothesis("Go to the speakers page", -1.1),))
    assert is_trustworthy((HeardHypothesis("Show numbers.", -1.4),)), "few words are unlikely even when right"
    assert not is_trustworthy(())


def test_high_compression_is_not_trusted() -> None:
    assert not is_trustworthy((HeardHypothesis("no, " * 60, -0.1),))


def test_a_word_of_the_bias_that_nobody_said_is_dropped() -> None:
    heard = readings("Press this card changes.", "I was talking about lunch.")
    assert sounds_like_any(HeardHypothesis("Press discard changes.", -0.1), heard)
    assert not sounds_like_any(HeardHypothesis("Title, abstract, format, workshop, save.", -0.1), heard)


@pytest.mark.parametrize(("duration_s", "context"), [(0.5, 10), (6.9, 10), (7.5, 11), (14.0, 17), (27.5, 30), (40, 30)])
def test_zeros_always_follow_the_speech(duration_s: float, context: int) -> None:
    assert context_s(duration_s) == context


@pytest.mark.parametrize(
    ("text", "seconds", "possible"),
    [
        ("See you next time, " * 12, 1.0, False),
        ("one two three four five", 0.6, True),
        ("go to speakers and click new speaker and save and undo that", 2.0, True),
        ("", 0.0, True),
    ],
)
def test_more_words_than_anybody_can_say_were_not_said(text: str, seconds: float, possible: bool) -> None:
    assert can_be_said(text, seconds) is possible
