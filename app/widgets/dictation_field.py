"""A long text that takes dictation: provisional words while somebody speaks, then text."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QInputMethodEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.agent.snapshot import Example, Preview
from app.agent.tools import ai_tool
from app.widgets.text_fields import TextEditAdapter

_LINE = "\u2028"
"""A line break within a paragraph: provisional words are part of one."""


class DictationField(TextEditAdapter):
    """Many lines of text that can be dictated; its context says who takes the dictation."""

    @ai_tool(name="dictate", policy="confirm", title="Dictate into", examples=(Example("dictate the abstract"),))
    def dictate(self) -> str:
        """Writes what the person says from now on into a long text, until they end it."""
        self.require_available()
        start = self.context.dictate
        if start is None:
            raise ToolError(f"{self.label} can't be dictated here.")
        return start(self)

    def preview_call(self, tool: str, arguments: Mapping[str, Json]) -> Preview:
        """What the call would do. Raises ToolError where it would be refused."""
        if tool != "dictate":
            return super().preview_call(tool, arguments)
        self.require_available()
        return Preview(effect=f"What you say goes into {self.label} until you say “stop dictation” or press Esc.")

    def show_provisional(self, words: str) -> None:
        """Shows words after the text that are not part of it; an empty string takes them away."""
        edit = self.widget
        if words:
            self._go_to_end()
        underlined = QTextCharFormat()
        underlined.setFontUnderline(True)
        look = QInputMethodEvent.Attribute(QInputMethodEvent.AttributeType.TextFormat, 0, len(words), underlined)
        # What input methods do with letters that are still being composed; the value stays what it was.
        QApplication.sendEvent(edit, QInputMethodEvent(words.replace("\n", _LINE), [look]))
        edit.ensureCursorVisible()

    def write(self, text: str) -> None:
        """Makes this the whole text, as typing would."""
        self.show_provisional("")
        self.assign(text)
        self._go_to_end()
        self.widget.ensureCursorVisible()

    def _go_to_end(self) -> None:
        edit = self.widget
        cursor = edit.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        edit.setTextCursor(cursor)
