"""Which recogniser hears. Knows no Qt."""

from __future__ import annotations

from collections.abc import Callable

from app.desk.speech_models import speech_models
from app.settings import VoiceSettings
from app.voice.recogniser_process import RecogniserProcess
from app.voice.remote_recogniser import RemoteRecogniser
from app.voice.second_look import Expectation, SecondLook
from app.voice.second_opinion import SecondOpinion
from app.voice.worker import Recogniser


def recogniser_of(settings: VoiceSettings, process: RecogniserProcess | None = None) -> Callable[[], RemoteRecogniser]:
    """Finds and makes the recogniser, where it is called: in the transcription thread.

    Args:
        settings: Name the model and the language.
        process: One that has been started ahead; the recogniser will own it.
    """
    process = process or RecogniserProcess()
    return lambda: RemoteRecogniser(speech_models(settings), process)


def hearing_twice(first: RemoteRecogniser, expectation: Expectation) -> Recogniser:
    """A recogniser that hears what is not clear a second time: by Moonshine where it is, else by the first one."""
    if first.has_second:
        return SecondOpinion(first, expectation.is_clear)
    return SecondLook(first, expectation.understands)
