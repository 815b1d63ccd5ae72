"""Whether words are likely to be a value at all: talk about a field, and names that a recogniser made up, are none."""

from __future__ import annotations

from app.agent.commands.grammar import Grammar
from app.agent.commands.vocabulary import value_type_of
from app.agent.json_types import Json
from app.agent.snapshot import InstanceView
from app.agent.values.words import plain

_HEADING, _QUESTION = 4, 3
"""The least number of words of headings that begin as judgements may, and as questions do: "a mess" is none."""

_SEARCHED = 4
"""The most words that are taken for something to look for where they were spoken."""


class Likelihood:
    """Judges values on one screen.

    Arguments:
        page: The page that is shown.
    """

    def __init__(self, grammar: Grammar, page: Json, *, spoken: bool) -> None:
        words = grammar.words
        self._words = words
        self._spoken = spoken
        self._people = isinstance(page, str) and plain(page) in words.get("people", ())
        self._not_values = frozenset(["", *(plain(word) for word in words["not_values"])])
        self._light = frozenset(words["light"])

    def is_talk(self, view: InstanceView, text: str, *, states: bool, lenient: bool) -> bool:
        """Whether "the city is beautiful at night" says something about the field instead of giving its value.

        Arguments:
            states: It was no order.
            lenient: The words before it only sound like those of a command.
        """
        words = plain(text).split()
        if not words or words[0] in self._not_values:
            return lenient or not self._is_heading(view, words)
        # A recogniser writes proper names with capitals; people who type often don't.
        return states and self._spoken and self.is_name(view) and text[:1].islower()

    def begins_small(self, text: str) -> bool:
        """Whether the first word is none that a name begins with: "to the wall", "called ..."."""
        first = plain(text).partition(" ")[0]
        return first in self._not_values or first in self._light or first in self._words.get("naming_joiners", ())

    def is_searched(self, text: str, *, loose: bool) -> bool:
        """Whether this is rather looked for in a list than in the house: no "my keys", no "at the sky".

        Arguments:
            loose: The words before it are common in talk: "find out what happened".
        """
        words = plain(text).split()
        if loose and words and words[0] in self._words.get("not_searched", ()):
            return False
        small = not words or not self._light.isdisjoint((words[0], words[-1])) or words[0] in self._not_values
        return not small and not (self._spoken and len(words) > _SEARCHED)

    def is_name(self, view: InstanceView) -> bool:
        """Whether the field takes a proper name."""
        return plain(view.label) in self._words["proper_names"]

    def is_no_name(self, view: InstanceView, text: str) -> bool:
        """Whether a recogniser wrote no name: "be in it", "the end" have no capital, and a small word at an end.

        Names of people and places have none within, either: "winds to knock after".
        """
        if not (self._spoken and self.is_name(view)) or text != text.lower():
            return False
        words = plain(text).split()
        label = plain(view.label)
        whole = label in self._words["places_and_people"] or (self._people and label in self._words["naming"])
        return not self._light.isdisjoint(words if whole else (words[:1] + words[-1:]))

    def _is_heading(self, view: InstanceView, words: list[str]) -> bool:
        """Whether a text goes on as headings and long texts do: "a short history of tides", no "a bit too long"."""
        takes = value_type_of(view) == "long_text" or plain(view.label) in self._words.get("headings", ())
        if not takes or not words or words[0] not in self._words.get("heading_starts", ()):
            return False
        least = _HEADING if words[0] in self._words["any_articles"] else _QUESTION
        return len(words) >= least and words[1] not in self._words["judgements"]
