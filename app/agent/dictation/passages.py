"""The passages of one dictation in the text they are part of: added, taken back, corrected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.dictation.reading import Correction
from app.agent.dictation.writing import addition, gap
from app.agent.errors import ToolError
from app.agent.values.likeness import last_like
from app.agent.values.spelling import spelled


@dataclass
class _Passage:
    start: int
    text: str


class Passages:
    """What was dictated, in order. The text itself is the field's: it may have been changed by hand meanwhile.

    Attributes:
        language: What is spoken, ISO 639-1; it may be another one for each passage.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._passages: list[_Passage] = []

    def add(self, text: str, heard: str) -> str:
        """The text with a passage at its end."""
        return self._added(text, addition(heard, text, self.language))

    def add_letters(self, text: str, letters: str) -> str:
        """The text with spelled letters at its end, as they are."""
        return self._added(text, gap(text, letters) + letters)

    def scratch(self, text: str) -> str:
        """The text without the last passage that still stands in it.

        Raises:
            ToolError: None does.
        """
        while self._passages:
            last = self._passages.pop()
            end = last.start + len(last.text)
            if text[last.start : end] == last.text:
                return text[: last.start] + text[end:]
        raise ToolError("There is no dictated passage to take back.")

    def correct(self, text: str, corrections: Sequence[Correction]) -> tuple[str, str, str]:
        """The text with the last words that are, or sound like, the wrong ones replaced; those words; and the new ones.

        Raises:
            ToolError: There are no such words.
        """
        found = [(place, each) for each in corrections if (place := last_like(text, each.wrong))]
        if not found:
            raise ToolError(f"“{corrections[0].wrong}” is not in the text. Nothing was changed.")
        place, correction = max(found, key=lambda one: one[0].fit)
        letters = spelled(correction.right, self.language)
        right = correction.right if letters is None else letters
        wrong = text[place.start : place.end]
        if letters is None and wrong[:1].isupper() and _begins_sentence(text, place.start):
            right = right[:1].upper() + right[1:]
        self._moved(place.start, wrong, right)
        return text[: place.start] + right + text[place.end :], wrong, right

    def _added(self, text: str, added: str) -> str:
        self._passages.append(_Passage(len(text), added))
        return text + added

    def _moved(self, at: int, wrong: str, right: str) -> None:
        """Follows a replacement: the passage it is in holds the new words, later ones begin elsewhere."""
        for passage in self._passages:
            if passage.start > at:
                passage.start += len(right) - len(wrong)
            elif at + len(wrong) <= passage.start + len(passage.text):
                inside = at - passage.start
                passage.text = passage.text[:inside] + right + passage.text[inside + len(wrong) :]


def _begins_sentence(text: str, at: int) -> bool:
    before = text[:at].rstrip(" ")
    return not before or before[-1] in ".?!\n"
