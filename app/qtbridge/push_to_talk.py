"""The push-to-talk key of the program's windows: key events in, presses and releases of the controller out."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QWindow
from PySide6.QtWidgets import QWidget

from app.qtbridge.listening import ListeningController, ListeningState
from app.voice.push_to_talk import TalkAction, TalkKey, TalkMode

DEFAULT_KEY = "F9"
"""Types nothing, has no meaning in text fields, and no desktop takes it for itself."""

_KEY_EVENTS = (QEvent.Type.KeyPress, QEvent.Type.KeyRelease, QEvent.Type.ShortcutOverride)


class PushToTalk(QObject):
    """Listens while the key is down in any window of the program, dialogs included.

    Signals:
        escaped: Esc threw away what was being recorded or transcribed.

    It filters the events of the window that has the keyboard, not those of the whole application: that would cost a
    Python call for every event there is.
    """

    escaped = Signal()

    def __init__(
        self,
        controller: ListeningController,
        window: QWidget,
        *,
        key: str = DEFAULT_KEY,
        mode: TalkMode = "hold",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Starts filtering.

        Args:
            controller: Told to listen and to stop.
            window: The main window; owns this object. Key events sent to it or to its widgets count too.
            key: One key, as `QKeySequence` writes it.
            mode: Hold, toggle, or both on one key.
            clock: Seconds that only rise; a tap is told from a hold by it.

        Raises:
            ValueError: `key` isn't one key without modifiers.
        """
        super().__init__(window)
        self._controller = controller
        self._talk = TalkKey(mode)
        self._clock = clock
        self._key = _single_key(key)
        self._filtered: QWindow | None = None
        window.installEventFilter(self)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.focusWindowChanged.connect(self._on_focus_window)
            self._on_focus_window(application.focusWindow())
        controller.state_changed.connect(self._on_state)

    @property
    def key_name(self) -> str:
        """The key as this system writes it, for the button."""
        return QKeySequence(self._key).toString(QKeySequence.SequenceFormat.NativeText)

    def use_key(self, key: str) -> None:
        """Takes another key.

        Raises:
            ValueError: `key` isn't one key without modifiers.
        """
        self._key = _single_key(key)

    def use_mode(self, mode: TalkMode) -> None:
        """Takes another mode; what is being recorded ends."""
        if self._talk.is_talking:
            self._controller.release()
        self._talk = TalkKey(mode)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Takes the key, and Esc while listening; lets everything else pass."""
        if event.type() not in _KEY_EVENTS or not isinstance(event, QKeyEvent):
            return False
        if event.key() == self._key:
            return self._on_key(event)
        if event.key() == Qt.Key.Key_Escape and self._is_busy():
            return self._on_escape(event)
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        # Part of a larger chord: somebody means another command. A key that is down already still has to come up.
        chord = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if chord != Qt.KeyboardModifier.NoModifier and not self._talk.is_down:
            return False
        event.accept()
        if event.isAutoRepeat() or event.type() == QEvent.Type.ShortcutOverride:
            return True
        now = self._clock()
        self._do(self._talk.down(now) if event.type() == QEvent.Type.KeyPress else self._talk.up(now))
        return True

    def _on_escape(self, event: QKeyEvent) -> bool:
        # Accepting the override keeps a dialog's own Esc from closing it.
        event.accept()
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._talk.escape()
            self._controller.cancel()
            self.escaped.emit()
        return True

    def _is_busy(self) -> bool:
        return self._controller.state.activity in ("listening", "transcribing")

    def _do(self, action: TalkAction) -> None:
        if action == "press":
            self._controller.press()
        elif action == "release":
            self._controller.release()

    @Slot(object)
    def _on_state(self, state: ListeningState) -> None:
        if state.activity != "listening":
            self._talk.ended()

    @Slot(QWindow)
    def _on_focus_window(self, window: QWindow | None) -> None:
        if self._filtered is not None:
            self._filtered.removeEventFilter(self)
            self._filtered.destroyed.disconnect(self._on_window_gone)
        self._filtered = window
        if window is None:
            self._do(self._talk.lost())
        else:
            window.installEventFilter(self)
            window.destroyed.connect(self._on_window_gone)

    @Slot()
    def _on_window_gone(self) -> None:
        self._filtered = None


def _single_key(key: str) -> Qt.Key:
    sequence = QKeySequence(key)
    if sequence.count() != 1:
        raise ValueError(f"Push-to-talk takes one key, not {key!r}.")
    combination: QKeyCombination = sequence[0]  # type: ignore[index] # PySide6's stubs leave the operator out
    found = combination.key()
    if combination.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        raise ValueError(f"Push-to-talk takes a key without modifiers, not {key!r}.")
    if found in (Qt.Key.Key_unknown, Qt.Key.Key_Escape):
        raise ValueError(f"{key!r} can't be the push-to-talk key.")
    return found
