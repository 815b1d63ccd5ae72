"""A person who speaks German and Spanish: lets the language be detected, is told what that takes, and is understood."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from journey_kit import Person
from multilingual import multilingual_model
from PySide6.QtWidgets import QComboBox

from app.pages.settings_page import SettingsPage
from app.voice.models import models_folder

NEEDS_ESPEAK = pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="not installed: espeak-ng")


@pytest.fixture
def speaks(person: Person, tmp_path: Path) -> Callable[[str, str], None]:
    """Speaks a sentence in a language."""

    def speak(language: str, text: str) -> None:
        file = tmp_path / "spoken.wav"
        subprocess.run(["espeak-ng", "-v", language, "-s", "140", "-w", str(file), text], check=True)
        person.speaks(str(file))

    return speak


def test_what_is_typed_is_in_the_spoken_language_or_in_english(person: Person) -> None:
    person.desk.open_page("Settings")
    person.types("set the spoken language to German")
    person.approves(person.sees_proposals(1)[0])
    person.sees_the_end()
    person.types("gehe zu Contributions")
    person.sees_the_end(2)
    person.types("setze den Status auf angenommen und speichern")
    person.sees_proposals(2)
    person.types("ja")
    person.sees_the_end(3)
    assert person.fields["Status"] == "Accepted"
    person.types("set the level to beginner")
    (wrong,) = person.sees_proposals(1)
    person.types("no, I meant advanced")
    person.until(lambda: [each.after for each in person.waiting()] == ["Advanced"])
    assert next(each for each in person.proposals() if each.id == wrong.id).status == "rejected"
    person.types("approve")
    person.sees_the_end(5)
    assert person.fields["Level"] == "Advanced"
    person.types("das Wetter ist heute gut")
    assert "I did not understand “das Wetter ist heute gut”" in person.sees_the_end(6).message


@pytest.mark.speech
@NEEDS_ESPEAK
def test_german_and_spanish_are_detected_once_the_model_knows_them(
    person: Person, speaks: Callable[[str, str], None]
) -> None:
    models_folder().mkdir(parents=True)
    (models_folder() / "base").symlink_to(multilingual_model(), target_is_directory=True)
    person.desk.open_page("Settings")
    page = person.desk.window.page
    assert isinstance(page, SettingsPage)
    language = page.editor("voice.language").widget
    assert isinstance(language, QComboBox)
    language.setCurrentText("Detect it (auto)")
    person.until(lambda: "nothing to detect" in page.error("voice.language"))
    assert "Choose base as the speech model." in page.error("voice.language")
    person.types("set the speech model to base")
    (use,) = person.sees_proposals(1)
    person.approves(use)
    person.sees_the_end()
    person.until(lambda: "which of English, German and Spanish" in page.error("voice.language"))
    person.until(lambda: person.desk.voice.listening.state.activity == "idle")

    person.desk.open_page("Contributions")
    speaks("de", "Setze den Status auf angenommen.")
    (status,) = person.sees_proposals(1)
    assert (status.target, status.after) == ("Status", "Accepted")
    person.approves(status)
    person.sees_the_end(2)
    speaks("es", "Cambia el idioma a español.")
    (spoken,) = person.sees_proposals(1)
    assert (spoken.target, spoken.after) == ("Language", "Spanish")
    person.approves(spoken)
    person.sees_the_end(3)
    assert (person.fields["Status"], person.fields["Language"]) == ("Accepted", "Spanish")
