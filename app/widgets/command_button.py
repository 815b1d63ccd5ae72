"""A button whose command says what it did, or why it can't: the same for a click and for a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.agent.errors import ToolError
from app.agent.json_types import Json
from app.widgets.buttons import ButtonAdapter
from app.widgets.icons import set_icon


class CommandButton(QPushButton):
    """A button that runs a command.

    Args:
        text: With a mnemonic.
        icon_name: A key of `GLYPHS`, or empty.
        command: Does it, and returns what was done, in words. Raises ToolError with the reason where it can't.
            A bound method of something that lives as long as the button.
        effect: Says in one sentence what it would do now.
    """

    done = Signal(str)
    """The command has run; carries what it said."""
    refused = Signal(str)
    """The command could not; carries the reason."""

    def __init__(
        self,
        text: str,
        icon_name: str,
        command: Callable[[], str],
        effect: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._icon_name = icon_name
        self._icon_role = "text"
        self._command = command
        self.effect = effect
        self.setAutoDefault(False)
        self.clicked.connect(self._on_clicked)
        self._recolour()

    def set_icon_role(self, role: str) -> None:
        """Draws the icon in that field of `Colours`."""
        self._icon_role = role
        self._recolour()

    def run(self) -> str:
        """Runs the command, tells of it, and returns what it said.

        Raises:
            ToolError: It could not; `refused` has told why.
        """
        try:
            said = self._command()
        except ToolError as error:
            self.refused.emit(str(error))
            raise
        self.done.emit(said)
        return said

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    def _on_clicked(self) -> None:
        try:
            self.run()
        except ToolError:
            # `refused` has told the person why; with a mouse there is nobody else to tell.
            return

    def _recolour(self) -> None:
        if self._icon_name:
            set_icon(self, self._icon_name, role=self._icon_role)


class CommandAdapter(ButtonAdapter):
    """Presses a command button: a command that can't be done is an error of the call, with its words."""

    def state(self) -> Mapping[str, Json]:
        button = self.widget
        assert isinstance(button, CommandButton)
        return {**super().state(), "effect": button.effect()}

    def _press(self) -> str:
        button = self.widget
        assert isinstance(button, CommandButton)
        return button.run()


class IrreversibleAdapter(CommandAdapter):
    """Presses a command button whose command leaves nothing in the undo log: always asked about first."""

    def state(self) -> Mapping[str, Json]:
        return {**super().state(), "irreversible": True}
