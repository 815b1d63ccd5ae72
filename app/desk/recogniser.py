"""Which recogniser hears, by the settings and by what is on this machine. Knows no Qt."""

from __future__ import annotations

from collections.abc import Callable

from app.settings import VoiceSettings
from app.settings.model import ANY_LANGUAGE
from app.voice.models import find_model
from app.voice.moonshine.files import find_moonshine
from app.voice.moonshine.model import Moonshine
from app.voice.second_look import Expectation, SecondLook
from app.voice.second_opinion import SecondOpinion
from app.voice.transcriber import Transcriber
from app.voice.worker import Recogniser

_LANGUAGES = ("en", "de", "es")
"""Those that there is a grammar for."""


def recogniser_of(settings: VoiceSettings) -> Callable[[], Transcriber]:
    """Finds and makes the recogniser, where it is called: in the transcription thread."""
    languages = _LANGUAGES if settings.language == ANY_LANGUAGE else (settings.language,)
    return lambda: Transcriber(find_model(settings.model), languages=languages)


def hearing_twice(first: Transcriber, expectation: Expectation) -> Recogniser:
    """A recogniser that hears what is not clear a second time: by Moonshine where it is, else by the first one."""
    moonshine = find_moonshine()
    if moonshine is None:
        return SecondLook(first, expectation.understands)
    return SecondOpinion(first, Moonshine(moonshine), expectation.is_clear)
