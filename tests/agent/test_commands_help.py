"""What can be said: every phrase that is suggested must be understood on the screen it is suggested for."""

from __future__ import annotations

import pytest
from command_driver import Driver
from command_screens import PAGES, instance, screen, snapshot

from app.agent.commands.suggestions import what_can_i_say


@pytest.mark.parametrize("language", ["en", "de", "es"])
@pytest.mark.parametrize("page", PAGES)
def test_each_suggestion_is_understood_where_it_is_made(page: str, language: str) -> None:
    driver = Driver(screen, language)
    phrases = what_can_i_say(screen(page), language)
    assert phrases
    for phrase in phrases:
        assert len(driver.say(page, phrase.text)) == 1, phrase.text
        assert phrase.effect.endswith(".")


def test_suggestions_use_the_names_on_the_screen() -> None:
    texts = [phrase.text for phrase in what_can_i_say(screen("Contributions"))]
    assert "set the duration to 30 minutes" in texts
    assert "discard changes" in texts
    assert "open Fine-grained voice control for your app" in texts
    assert len(texts) == len(set(texts))


def test_effect_of_a_button_is_told_in_its_own_words() -> None:
    snap = snapshot("Contributions", [instance("Archive", "click", effect="Puts the talk away.")])
    assert ("archive", "Puts the talk away.") in [(phrase.text, phrase.effect) for phrase in what_can_i_say(snap)]


def test_nothing_is_suggested_that_is_not_offered() -> None:
    texts = [phrase.text for phrase in what_can_i_say(snapshot("Settings", []))]
    assert not [text for text in texts if text.startswith(("set ", "clear ", "turn "))]
