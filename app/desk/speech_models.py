"""Which models hear, by the settings and by what is on this machine. Imports nothing heavy: it is needed early."""

from __future__ import annotations

import contextlib

from app.settings import VoiceSettings
from app.settings.model import ANY_LANGUAGE
from app.voice.errors import VoiceError
from app.voice.models import SpeechModels, find_model
from app.voice.moonshine.files import find_moonshine
from app.voice.recogniser_process import RecogniserProcess

_LANGUAGES = ("en", "de", "es")
"""Those that there is a grammar for."""


def speech_models(settings: VoiceSettings) -> SpeechModels:
    """The models that hear.

    Raises:
        ModelMissingError: The one that the settings name is not there.
    """
    languages = _LANGUAGES if settings.language == ANY_LANGUAGE else (settings.language,)
    return SpeechModels(find_model(settings.model), languages, find_moonshine())


def load_ahead(process: RecogniserProcess, settings: VoiceSettings) -> None:
    """Begins to load the models in a process that has been started. Whoever hears with them is told of faults."""
    with contextlib.suppress(VoiceError):
        process.tell("load", speech_models(settings))
