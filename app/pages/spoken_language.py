"""What is said below the spoken language in Settings: what detecting it means, or why this model can't hear it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.pages.live_settings import LiveSettings
from app.pages.note import Note
from app.settings.model import ANY_LANGUAGE

if TYPE_CHECKING:
    from app.qtbridge.model_work import ModelList, ModelWork
    from app.voice.model_manager import ModelInfo

DETECT = "Detect it (auto)"
LANGUAGES = {"English": "en", "German": "de", "Spanish": "es", DETECT: ANY_LANGUAGE}
"""The words on screen, to the value stored: those that there is a grammar for."""

_ENGLISH = "en"
_RECOMMENDED = "base"
"""The smallest model that hears German and Spanish well enough."""

_DETECTS = (
    "The speech model finds out, each time anew, which of English, German and Spanish is spoken. "
    "After a word or two it may take it for another one."
)


class SpokenLanguageNote(QObject):
    """Fits the words to the language and to the speech model in use.

    Args:
        note: The line below the setting.
        live: The settings.
        models: Tells which models there are, whenever somebody looks at the page or a setting changes.
    """

    def __init__(self, note: Note, live: LiveSettings, models: ModelWork) -> None:
        super().__init__(note)
        self._note = note
        self._live = live
        models.listed.connect(self._on_listed)

    @Slot(object)
    def _on_listed(self, found: ModelList) -> None:
        language = self._live.settings.voice.language
        problem = missing_model(language, found.models)
        self._note.say(problem or (_DETECTS if language == ANY_LANGUAGE else ""), "caution" if problem else "muted")


def missing_model(language: str, models: Sequence[ModelInfo]) -> str:
    """Why the speech model in use can't hear a language, and what to do; an empty text where it can."""
    used = next((model for model in models if model.in_use), None)
    if language == _ENGLISH or used is None or not used.english_only:
        return ""
    words = next((words for words, stored in LANGUAGES.items() if stored == language), language)
    why = "there is nothing to detect" if language == ANY_LANGUAGE else f"{words} is heard as if it were English"
    return f"{used.name} knows English only: {why}. {_what_to_do(models)}"


def _what_to_do(models: Sequence[ModelInfo]) -> str:
    here = [model.name for model in models if model.path is not None and not model.english_only]
    if here:
        name = _RECOMMENDED if _RECOMMENDED in here else here[0]
        return f"Choose {name} as the speech model."
    wanted = next((model for model in models if model.name == _RECOMMENDED and model.can_get), None)
    if wanted is None:
        return "It takes a model for many languages, one without “.en” in its name."
    megabytes = f"{wanted.size_bytes / 1e6:,.0f} MB"
    return f"Say or press “Get {wanted.name}” ({megabytes}), then choose it as the speech model."
