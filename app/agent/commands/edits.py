"""What commands say about what is there already: added to a list, taken from it, "from A to B", "the next one"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.values.choices import strings
from app.agent.values.sound import nearness
from app.agent.values.words import plain

Edit = Literal["", "add", "remove"]
"""What a command does to a list; an empty string where it gives the whole list anew."""


def edited(value: Json, state: Mapping[str, Json], edit: Edit) -> list[str]:
    """The entries of a list field with others added, or taken away.

    Raises:
        ToolError: What is to be taken away is not there.
    """
    given, known = strings(value), entries_of(state)
    if edit == "add":
        there = {plain(entry) for entry in known}
        return [*known, *(entry for entry in given if plain(entry) not in there)]
    gone = {plain(entry) for entry in given}
    left = [entry for entry in known if plain(entry) not in gone]
    if len(left) == len(known):
        raise ToolError(f"“{', '.join(given)}” is not in this list.")
    return left


def entries_of(state: Mapping[str, Json]) -> list[str]:
    """What a list field holds; lines of text separate entries by commas."""
    value = state.get("value")
    entries = value.split(",") if isinstance(value, str) else strings(value)
    return [entry.strip() for entry in entries if entry.strip()]


def exchanged(text: str, state: Mapping[str, Json], to: Sequence[str]) -> str | None:
    """The B of "A to B", A being what the field holds; None where there is no such word.

    Where there are several, A is what is most like the field's value.

    Arguments:
        to: The words between A and B.
    """
    words = text.split()
    now = plain(", ".join(entries_of(state))) if not isinstance(state.get("value"), str) else plain(str(state["value"]))
    places = [at for at in range(1, len(words) - 1) if plain(words[at]) in to]
    if not places:
        return None
    before = max(places, key=lambda at: (nearness(plain(" ".join(words[:at])), now), -at))
    return " ".join(words[before + 1 :])


def item_at(place: int | None, step: int | None, state: Mapping[str, Json]) -> str | None:
    """The item at a place of a list, or that many after the one that is open; None where there is none.

    Arguments:
        place: Counted from 1, or from -1 at the end.
    """
    items = strings(state.get("items"))
    at = place - 1 if place and place > 0 else place
    if step is not None:
        value = state.get("value")
        at = items.index(value) + step if isinstance(value, str) and value in items else None
        if at is not None and at < 0:
            return None
    if at is None or not -len(items) <= at < len(items):
        return None
    return items[at]
