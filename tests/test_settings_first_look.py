"""What the window reads of the settings before it is painted is what the settings say."""

from __future__ import annotations

import json

import pytest

from app.desk.options import look_of
from app.settings import AppearanceSettings, Settings, SettingsFile, VoiceSettings
from app.settings.first_look import FirstLook, first_look


def test_without_a_file_it_is_the_defaults() -> None:
    assert first_look() == FirstLook() == look_of(Settings())


def test_it_is_what_was_saved() -> None:
    saved = Settings(
        voice=VoiceSettings(push_to_talk_key="F8"),
        appearance=AppearanceSettings(scheme="high_contrast", text_size="largest"),
    )
    SettingsFile().save(saved)
    assert first_look() == look_of(saved) == FirstLook("high_contrast", "largest", "F8")


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[" * 100_000,
        "[]",
        "3",
        json.dumps({"appearance": 3, "voice": []}),
        json.dumps({"appearance": {"scheme": "pink", "text_size": ["large"]}, "voice": {"push_to_talk_key": ""}}),
        json.dumps({"appearance": {"scheme": None}, "voice": {"push_to_talk_key": 9}}),
    ],
)
def test_what_does_not_fit_is_at_its_default_as_in_the_settings(text: str) -> None:
    path = SettingsFile().path
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    look = first_look()
    assert look == FirstLook() == look_of(SettingsFile().load().settings)


def test_one_value_that_does_not_fit_leaves_the_others() -> None:
    path = SettingsFile().path
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"appearance": {"scheme": "pink", "text_size": "large"}}), encoding="utf-8")
    assert first_look() == FirstLook(text_size="large") == look_of(SettingsFile().load().settings)
