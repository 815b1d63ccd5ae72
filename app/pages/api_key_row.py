"""The key for the model server: typed by hand, kept by the system's secret service, never shown again."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import SecretStr
from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from app.pages.background import Background
from app.pages.settings_layout import lay_out
from app.settings import KeyStore
from app.widgets.adoption import leave_out
from app.widgets.theme import Colours, set_text_size
from app.widgets.theme.paint import set_label_colour

_WORK = "key"
_SOURCES = {
    "environment": "The key in OPENAI_API_KEY is used.",
    "secret_service": "A key is kept by the secret service of this system.",
    "this_run": "A key is kept until Greenroom is closed.",
}


class ApiKeyRow(QWidget):
    """A hidden field, Keep and Forget, and a line that says what there is."""

    key_changed = Signal()
    """There is another key now, or none."""

    def __init__(self, keys: KeyStore, base_url: Callable[[], str], background: Background) -> None:
        super().__init__()
        leave_out(self)
        self._keys = keys
        self._base_url = base_url
        self.edit = QLineEdit()
        self.edit.setAccessibleName("API key")
        self.edit.setEchoMode(QLineEdit.EchoMode.Password)
        self.edit.setPlaceholderText("Paste a key to keep it")
        self.edit.returnPressed.connect(self.keep)
        self.keep_button = QPushButton("Keep key")
        self.keep_button.clicked.connect(self.keep)
        self.forget_button = QPushButton("Forget key")
        self.forget_button.clicked.connect(self.forget)
        self.status = QLabel()
        self.status.setWordWrap(True)
        set_text_size(self.status, "small")
        lay_out(self, (self.edit, self.keep_button, self.forget_button), self.status)
        self._background = background
        background.done.connect(self._show)
        self._recolour()

    def refresh(self) -> None:
        """Looks for a key, without showing it."""
        base_url = self._base_url()
        self._background.start(_WORK, lambda: self._found(base_url))

    def keep(self) -> None:
        """Keeps what was typed, and empties the field."""
        text, base_url = self.edit.text(), self._base_url()
        self.edit.clear()
        self._background.start(_WORK, lambda: self._kept(text, base_url))

    def forget(self) -> None:
        """Removes the kept key."""
        base_url = self._base_url()
        self._background.start(_WORK, lambda: self._forgotten(base_url))

    def changeEvent(self, event: QEvent, /) -> None:
        """Follows the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._recolour()

    # Each runs in a thread of its own, because the secret service may ask the person first.

    def _found(self, base_url: str) -> tuple[str, bool]:
        key = self._keys.key(base_url)
        return (_SOURCES[key.source] if key is not None else "There is no key."), False

    def _kept(self, text: str, base_url: str) -> tuple[str, bool]:
        try:
            return self._keys.remember(SecretStr(text), base_url), True
        except ValueError as error:
            return str(error), False

    def _forgotten(self, base_url: str) -> tuple[str, bool]:
        self._keys.forget(base_url)
        return self._found(base_url)[0], True

    def _show(self, name: str, result: object) -> None:
        if name != _WORK:
            return
        assert isinstance(result, tuple)
        words, changed = result
        self.status.setText(words)
        if changed:
            self.key_changed.emit()

    def _recolour(self) -> None:
        set_label_colour(self.status, Colours.of(self.palette()).muted)
