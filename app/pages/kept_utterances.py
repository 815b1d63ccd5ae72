"""Whether what is said is kept, and where: chosen by hand, off by default."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton, QSizePolicy, QWidget

from app.agent.errors import ToolError
from app.pages.heading import ElidedLabel
from app.pages.live_settings import LiveSettings
from app.pages.note import Note
from app.pages.settings_layout import lay_out
from app.widgets.adoption import leave_out

_OFF = "Nothing that you say is kept."
_ABOUT = (
    "For each request, the sound, how it was heard, what was on the screen and what you decided are kept there, up to "
    "200 MB; the oldest go first. Nothing leaves this machine, and no passwords or keys are kept. "
    "“greenroom replay” with the folder shows what would be understood otherwise now."
)
_STOPPED = "Nothing more is kept. What was kept is still in {folder}."
_NOT_WRITABLE = "This folder can't be written to. Choose another one."


class KeptUtterances(QWidget):
    """The folder, two buttons, and what is kept in it, in words. By hand only: a microphone must not turn this on.

    Args:
        live: The settings.
    """

    def __init__(self, live: LiveSettings) -> None:
        super().__init__()
        leave_out(self)
        self._live = live
        self.folder = ElidedLabel()
        self.folder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.choose_button = QPushButton("Choose folder …")
        self.choose_button.setAccessibleName("Choose a folder for recordings")
        self.choose_button.clicked.connect(self.choose)
        self.stop_button = QPushButton("Keep nothing")
        self.stop_button.clicked.connect(self.stop)
        self.about = Note(_OFF)
        lay_out(self, (self.folder, self.choose_button, self.stop_button), self.about)
        live.changed.connect(self._show)
        self._show()

    def choose(self) -> None:
        """Asks for a folder."""
        dialog = QFileDialog(self, "Keep recordings in")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setDirectory(str(Path(self._folder()).expanduser() if self._folder() else Path.home()))
        dialog.fileSelected.connect(self.keep_in)
        dialog.open()

    def keep_in(self, folder: str) -> None:
        """Keeps what is said from now on in that folder."""
        if os.access(folder, os.W_OK):
            self._set(folder)
        else:
            self.about.say(_NOT_WRITABLE, "danger")

    def stop(self) -> None:
        """Keeps nothing more."""
        folder = self._folder()
        if self._set(""):
            self.about.say(_STOPPED.format(folder=folder))
            self.choose_button.setFocus()

    def _folder(self) -> str:
        return self._live.settings.voice.keep_utterances

    def _set(self, folder: str) -> bool:
        try:
            # Not recorded: a spoken "undo" must not turn it on again.
            self._live.put("voice", "keep_utterances", folder)
        except ToolError as error:
            self.about.say(str(error), "danger")
            return False
        return True

    def _show(self, *_settings: object) -> None:
        folder = self._folder()
        self.folder.set_text(folder or "Off")
        self.stop_button.setVisible(bool(folder))
        self.about.say(_ABOUT if folder else _OFF)
