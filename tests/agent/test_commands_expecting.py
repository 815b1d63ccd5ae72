"""What the voice is told of a screen: what can be done there, and what needs no second hearing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from command_screens import screen

from app.desk.expecting import ScreenExpectation
from app.voice.types import HeardHypothesis, Transcript

SURE, ORDINARY, UNSURE = -0.2, -0.4, -1.1


def transcript(text: str, log_probability: float = ORDINARY) -> Transcript:
    return Transcript(text, (HeardHypothesis(text, log_probability),), "en", "speech", 2.0, 100.0)


@pytest.fixture(scope="module")
def expectation_of() -> Callable[[str], ScreenExpectation]:
    shown = ["Contributions"]
    expectation = ScreenExpectation(lambda: screen(shown[0]), lambda: True)

    def on(page: str) -> ScreenExpectation:
        shown[0] = page
        expectation.look()
        return expectation

    return on


@pytest.mark.parametrize(
    ("page", "text", "understood", "clear"),
    [
        ("Contributions", "Click save.", True, True),
        ("Contributions", "Set the status to accepted and save.", True, True),
        ("Contributions", "Go to speakers.", True, True),
        ("Contributions", "Approve.", True, True),
        ("Contributions", "Change the duration to 45 minutes.", True, True),
        ("Contributions", "Set the title to gardening with robots.", True, False),
        ("Speakers", "Set the email to jane@example.com", True, False),
        ("Speakers", "Set the company to Acorn and save.", True, False),
        ("Contributions", "The train to the coast leaves at noon.", False, False),
    ],
)
def test_words_of_the_person_s_own_and_what_is_no_command_are_not_clear(
    expectation_of: Callable[[str], ScreenExpectation], page: str, text: str, understood: bool, clear: bool
) -> None:
    expectation = expectation_of(page)
    assert expectation.understands(transcript(text)) is understood
    assert expectation.is_clear(transcript(text)) is clear


def test_words_of_the_person_s_own_that_are_heard_very_well_are_clear(
    expectation_of: Callable[[str], ScreenExpectation],
) -> None:
    text = "Set the title to gardening with robots."
    expectation = expectation_of("Contributions")
    assert expectation.is_clear(transcript(text, SURE))
    rival = HeardHypothesis("Set the title to gardening with robot.", SURE - 0.1)
    assert not expectation.is_clear(replace(transcript(text, SURE), hypotheses=(HeardHypothesis(text, SURE), rival)))
    assert not expectation.is_clear(transcript("The train to the coast leaves at noon.", SURE))


@pytest.mark.parametrize("text", ["Chick safe.", "Change the moderation to 45 minutes."])
def test_what_only_sounds_near_is_not_clear(expectation_of: Callable[[str], ScreenExpectation], text: str) -> None:
    assert not expectation_of("Contributions").is_clear(transcript(text, UNSURE))


def test_where_no_command_is_wanted_nothing_is_asked_of_it() -> None:
    expectation = ScreenExpectation(lambda: screen("Contributions"), lambda: False)
    assert expectation.look() == ()
    assert expectation.understands(transcript("Anything at all."))
    assert expectation.is_clear(transcript("Anything at all."))
