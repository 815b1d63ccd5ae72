"""Dictation into one field: where speech goes while it lasts, and when it ends."""

from __future__ import annotations

from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QObject, Signal, Slot

from app.agent.dictation.passages import Passages
from app.agent.dictation.reading import Dictated, read_dictated
from app.agent.dictation.writing import addition
from app.agent.errors import ToolError
from app.agent.messages import Utterance
from app.agent.tools import ai_tool
from app.qtbridge.undo import UndoLog
from app.widgets.dictation_field import DictationField

_TITLE_CHARACTERS = 40


class Dictation(QObject):
    """Takes what is heard into a field, from `begin` until `end`, or until another record or page is shown.

    Args:
        undo: Each passage is an entry of its own.
        place: The page and the record shown; a field stands for another text where that differs.
        language: What is likely to be spoken, ISO 639-1; asked at each use. An utterance knows its own.
    """

    changed = Signal(str)
    """Dictation has begun into the field of this label, or ended: then it is empty."""
    told = Signal(str)
    """What was done, or why it was not, in a sentence."""

    def __init__(
        self, undo: UndoLog, place: Callable[[], object], language: Callable[[], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._undo = undo
        self._place_now = place
        self._language = language
        self._field: DictationField | None = None
        self._place: object = None
        self._passages = Passages("en")

    @property
    def active(self) -> bool:
        """Whether what is heard goes into a field. Ends it where that field is not the one on screen any more."""
        self.check()
        return self._field is not None

    def begin(self, field: DictationField) -> str:
        """Dictates into a field from now on; returns what to do next, in words."""
        self.end()
        self._field, self._place = field, self._place_now()
        self._passages = Passages(self._language())
        field.destroyed.connect(self.end)
        self.changed.emit(field.label)
        return f"Dictating into {field.label}. Hold the key and speak; “stop dictation” or Esc ends it."

    @Slot()
    def end(self) -> None:
        """Ends dictation; what was written stays. Ending what has not begun does nothing."""
        field, self._field = self._field, None
        if field is None:
            return
        if shiboken6.isValid(field):
            field.destroyed.disconnect(self.end)
            field.show_provisional("")
        self.changed.emit("")

    @Slot()
    def check(self) -> None:
        """Ends it where the field can't be used, or stands for another record, now."""
        field = self._field
        if field is not None and (field.available() or self._place_now() != self._place):
            self.end()

    @Slot(str)
    def show_partial(self, heard: str) -> None:
        """Shows in the field what has been heard so far; an empty string takes it away."""
        if not self.active or self._field is None:
            return
        text = str(self._field.value())
        self._field.show_provisional(addition(heard, text, self._language()) if heard else "")

    def take(self, utterance: Utterance) -> None:
        """Does what was said: writes it, or corrects what is written, or ends dictation."""
        field = self._field
        if field is None:
            return
        field.show_provisional("")
        # Where the language is detected, it may be another one each time.
        self._passages.language = utterance.language
        said = read_dictated([reading.text for reading in utterance.readings()], utterance.language)
        try:
            self._carry_out(said, field)
        except ToolError as error:
            self.told.emit(str(error))
        if said.kind == "stop":
            self.end()

    @ai_tool(name="stop_dictation", policy="auto", title="Stop dictation")
    def stop(self) -> str:
        """Ends dictation; what was written stays."""
        # Offered all the time: where it were not, "stop dictation" would be taken for "start dictation", which sounds
        # nearly the same and can be carried out.
        if self._field is None:
            return "Nothing is being dictated."
        self.end()
        return "Dictation has ended."

    def _carry_out(self, said: Dictated, field: DictationField) -> None:
        field.require_available()
        text = str(field.value())
        match said.kind:
            case "write" | "stop" if said.text:
                self._write(field, self._passages.add(text, said.text), f"Dictated “{_short(said.text)}”")
            case "spell":
                self._write(field, self._passages.add_letters(text, said.text), f"Dictated “{_short(said.text)}”")
            case "scratch":
                self._write(field, self._passages.scratch(text), "Took back a dictated passage")
                self.told.emit("The last passage was taken back.")
            case "correct":
                corrected, wrong, right = self._passages.correct(text, said.corrections)
                self._write(field, corrected, f"Corrected “{wrong}” to “{right}”")
                self.told.emit(f"“{wrong}” is now “{right}”.")
            case _:
                pass

    def _write(self, field: DictationField, text: str, title: str) -> None:
        with self._undo.as_one(title):
            field.write(text)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_CHARACTERS else f"{line[: _TITLE_CHARACTERS - 1].rstrip()}…"
