"""The tools of the program itself: going to a page, undo, redo, help, numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated

from app.agent.choices import Choices
from app.agent.json_types import Json
from app.agent.snapshot import Example, Preview
from app.agent.tools import ai_tool
from app.qtbridge.undo import UndoLog


class AppTools:
    """Register one with `registry.register_instance(tools, label="Greenroom", state=tools.state)`.

    Args:
        pages: The names of the pages there are.
        open_page: Brings the page of that name to the front.
        undo: Whose entries are undone and redone.
        help_text: What can be said now, in words.
        show_numbers: Numbers what is on the screen, and returns how many there are.
    """

    def __init__(
        self,
        *,
        pages: Callable[[], Sequence[str]],
        open_page: Callable[[str], None],
        undo: UndoLog,
        help_text: Callable[[], str],
        show_numbers: Callable[[], int],
    ) -> None:
        self._pages = pages
        self._open_page = open_page
        self._undo = undo
        self._help_text = help_text
        self._show_numbers = show_numbers

    def state(self) -> Mapping[str, Json]:
        """The pages one can go to."""
        return {"pages": list(self._pages())}

    @ai_tool(
        name="navigate",
        policy="auto",
        title="Go to",
        examples=(Example("go to conferences", {"page": "Conferences"}),),
    )
    def navigate(self, page: Annotated[str, Choices("pages")]) -> str:
        """Goes to a page of the program.

        Args:
            page: The name of the page.
        """
        self._open_page(page)
        return f"{page} is open."

    @ai_tool(name="undo", policy="auto", title="Undo", examples=(Example("undo that"),))
    def undo(self) -> str:
        """Takes back the last change, with everything that was changed by the same request."""
        return f"Undone: {_quoted(self._undo.undo())}."

    @ai_tool(name="redo", policy="auto", title="Redo", examples=(Example("redo"),))
    def redo(self) -> str:
        """Does again what was undone last."""
        return f"Done again: {_quoted(self._undo.redo())}."

    @ai_tool(name="help", policy="auto", title="Help", examples=(Example("what can I say"),))
    def help(self) -> str:
        """Says what can be said on the screen that is shown."""
        return self._help_text()

    @ai_tool(name="show_numbers", policy="auto", title="Show numbers", examples=(Example("show numbers"),))
    def show_numbers(self) -> str:
        """Puts a number on everything that can be operated, so that it can be pressed by its number."""
        count = self._show_numbers()
        return f"Say a number from 1 to {count}." if count else "There is nothing to number here."

    def preview_call(self, tool: str, arguments: Mapping[str, Json]) -> Preview:
        """What the call would do now, in a sentence."""
        undo, redo = self._undo.undo_text, self._undo.redo_text
        effects = {
            "navigate": f"Opens {arguments.get('page')}.",
            "undo": f"Takes back {_quoted(undo)}." if undo else "There is nothing to undo.",
            "redo": f"Does {_quoted(redo)} again." if redo else "There is nothing to redo.",
            "help": "Says what can be said here.",
            "show_numbers": "Numbers what can be operated here.",
        }
        return Preview(effect=effects[tool])


def _quoted(text: str) -> str:
    """What a person said, in quotes, without the full stop a recogniser gave it."""
    return f"“{text.rstrip(' .')}”"
