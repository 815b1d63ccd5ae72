"""Choices by their name, another word for them, or something that sounds like them; and yes or no."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from app.agent.json_types import Json
from app.agent.values.sound import nearness
from app.agent.values.words import plain, value_words

NEAR = 0.72
"""Below this, what was heard is another word; measured on transcripts of choices and of other talk."""
FAR = 0.5
"""As `NEAR`, where everything else about the sentence is clear and only the choice was misheard."""

MARGIN = 0.08
"""A choice must be this much nearer than the next one, else it isn't guessed."""


def names_of(state: Mapping[str, Json]) -> dict[str, str]:
    """Normal form -> choice, for the choices and their synonyms."""
    choices = strings(state.get("choices"))
    names = {plain(choice): choice for choice in choices}
    synonyms = state.get("synonyms")
    if isinstance(synonyms, Mapping):
        for choice, others in synonyms.items():
            names |= {plain(other): choice for other in strings(others) if plain(other) not in names}
    return names


def strings(value: Json) -> list[str]:
    """The strings of a JSON list; nothing for any other value."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return []
    return [item for item in value if isinstance(item, str)]


def spoken_choice(
    text: str, state: Mapping[str, Json], language: str, threshold: float = NEAR
) -> tuple[str, float] | None:
    """The choice and how near it is (1 for its exact words), or None where it is none of them."""
    names = names_of(state)
    said = plain(text)
    if said in names:
        return names[said], 1.0
    words = said.split()
    while len(words) > 1 and words[0] in value_words(language)["choices"]["articles"]:
        words = words[1:]
        if " ".join(words) in names:
            return names[" ".join(words)], 0.99
    said = " ".join(words)
    ranked = sorted(((nearness(said, name), choice) for name, choice in names.items()), reverse=True)
    if not said or not ranked or ranked[0][0] < threshold:
        return None
    nearest, choice = ranked[0]
    rival = max((score for score, other in ranked if other != choice), default=0.0)
    return (choice, nearest) if nearest - rival >= MARGIN else None


def spoken_choices(text: str, state: Mapping[str, Json], language: str) -> tuple[list[str], float] | None:
    """Several choices ("python and voice"); free words where the field names no choices."""
    joiners = value_words(language)["choices"]["joiners"]
    pattern = "|".join(rf"\b{re.escape(word)}\b" if word.isalpha() else re.escape(word) for word in joiners)
    parts = [part.strip(" .") for part in re.split(pattern, text, flags=re.IGNORECASE)]
    parts = [part for part in parts if part]
    if not names_of(state):
        return (parts, 1.0) if parts else None
    found = [spoken_choice(part, state, language) for part in parts]
    if not found or None in found:
        return None
    known = [item for item in found if item is not None]
    return [choice for choice, _ in known], min(quality for _, quality in known)


def spoken_boolean(text: str, language: str) -> bool | None:
    """Yes or no in its many words, or None."""
    words = value_words(language)["booleans"]
    said = plain(text)
    if said in words["true"]:
        return True
    return False if said in words["false"] else None
