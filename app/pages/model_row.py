"""One speech model in the list of the Settings page: what it is, what can be done to it, and what is being done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QProgressBar, QSizePolicy, QVBoxLayout, QWidget

from app.pages.note import Note
from app.widgets.command_button import CommandAdapter, CommandButton, IrreversibleAdapter
from app.widgets.context import VoiceContext
from app.widgets.theme import GRID, Colours, set_text_size

if TYPE_CHECKING:
    from app.qtbridge.model_work import ModelWorkEnded, Work
    from app.voice.download import Progress
    from app.voice.model_manager import ModelInfo

_STEPS = 1000
_PLACES = {"own": "downloaded", "bundled": "came with a package"}
_DOING: Mapping[str, str] = {
    "getting": "Downloading",
    "measuring": "Measuring, which takes some seconds",
    "removing": "Removing",
}


@dataclass(frozen=True, slots=True)
class ModelCommands:
    """What can be done to a model, by its name; each says in words what it began."""

    use: Callable[[str], str]
    get: Callable[[str], str]
    cancel: Callable[[str], str]
    measure: Callable[[str], str]
    remove: Callable[[str], str]


class ModelRow(QWidget):
    """Name, what is known, and buttons; while a model is being downloaded, how far that is.

    Args:
        name: The model's name.
        commands: What the buttons do.
        context: Where the buttons register.
    """

    def __init__(self, name: str, commands: ModelCommands, context: VoiceContext) -> None:
        super().__init__()
        self.name = name
        self._ended: ModelWorkEnded | None = None
        title = QLabel(name)
        set_text_size(title, "normal", bold=True)
        self.mark = Note(tone="accent_text")
        self.facts = Note()
        self.words = Note()
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setMaximumHeight(GRID)
        self.bar.setAccessibleName(f"Download of {name}")
        self.bar.hide()
        spoken = name.replace(".", " dot ").replace("-", " ")
        self.buttons: dict[str, CommandButton] = {}
        for verb, command, effect, kind in (
            ("Use", commands.use, f"Hears with {name} from now on.", CommandAdapter),
            ("Get", commands.get, f"Downloads {name} from the model hub.", CommandAdapter),
            ("Measure", commands.measure, f"Measures how quick {name} is on this machine.", CommandAdapter),
            ("Cancel", commands.cancel, f"Stops what is being done to {name}.", CommandAdapter),
            ("Remove", commands.remove, f"Removes {name} from this machine.", IrreversibleAdapter),
        ):
            button = CommandButton(
                "Measure speed" if verb == "Measure" else verb, "", partial(command, name), partial(str, effect)
            )
            button.setAccessibleName(f"{verb} {name}")
            button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
            button.refused.connect(self._on_refused)
            button.hide()
            kind(button, context, label=f"{verb} {name}", aliases=(f"{verb} {spoken}",))
            self.buttons[verb] = button
        self._lay_out(title)

    def show_info(self, info: ModelInfo, work: Work | None) -> None:
        """Shows what is known of the model, and what is being done to it; None: nothing."""
        had_focus = self._has_focus()
        if info.in_use and info.path is None:
            self.mark.say("Chosen, but not on this machine", "caution")
        else:
            self.mark.say("In use" if info.in_use else "", "accent_text")
        self.facts.say(_facts(info))
        wanted = _buttons(info, work)
        for verb, button in self.buttons.items():
            button.setEnabled(wanted.get(verb, False))
            button.setVisible(verb in wanted)
        self.buttons["Remove"].setToolTip(info.kept_because if work is None else "")
        self.bar.setVisible(work == "getting")
        if work is not None:
            self._ended = None
            if work != "getting" or not self.bar.value():
                self.words.say(f"{_DOING[work]} …")
        else:
            self._say_how_it_stands(info)
        if had_focus and not self._has_focus():
            self._focus_first()

    def show_progress(self, progress: Progress) -> None:
        """Shows how far the download is."""
        self.bar.setValue(int(progress.share * _STEPS))
        self.words.say(f"{_megabytes(progress.received_bytes)} of {_megabytes(progress.total_bytes)}")

    def show_end(self, ended: ModelWorkEnded) -> None:
        """Says what came of it, until something else is done."""
        self._ended = ended
        self.bar.setValue(0)
        self.words.say(ended.words, "muted" if ended.ok else "danger")

    def paintEvent(self, event: QPaintEvent, /) -> None:
        """Draws a line below."""
        super().paintEvent(event)
        QPainter(self).fillRect(0, self.height() - 1, self.width(), 1, Colours.of(self.palette()).line)

    def _say_how_it_stands(self, info: ModelInfo) -> None:
        ended = self._ended
        if ended is not None and (not ended.ok or info.path is None):
            self.words.say(ended.words, "muted" if ended.ok else "danger")
        else:
            # A disabled button can't be asked why, with the keyboard or by a screen reader: so it stands here.
            self.words.say(info.kept_because if info.path is not None else "")

    def _has_focus(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _on_refused(self, reason: str) -> None:
        self.words.say(reason, "danger")

    def _focus_first(self) -> None:
        first = next((each for each in self.buttons.values() if not each.isHidden() and each.isEnabled()), None)
        if first is not None:
            first.setFocus()

    def _lay_out(self, title: QLabel) -> None:
        heading = QHBoxLayout()
        heading.setSpacing(GRID)
        heading.addWidget(title)
        heading.addWidget(self.mark, 1)
        texts = QVBoxLayout()
        texts.setSpacing(GRID // 4)
        texts.addLayout(heading)
        for widget in (self.facts, self.words, self.bar):
            texts.addWidget(widget)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, GRID, 0, GRID)
        row.setSpacing(GRID)
        row.addLayout(texts, 1)
        for button in self.buttons.values():
            row.addWidget(button)


def _buttons(info: ModelInfo, work: Work | None) -> dict[str, bool]:
    """The buttons to show, and whether each can be pressed."""
    if work is not None:
        return {"Cancel": True} if work in ("getting", "measuring") else {"Remove": False}
    shown: dict[str, bool] = {}
    if info.path is None:
        if info.can_get:
            shown["Get"] = True
        if info.partial_bytes:
            shown["Remove"] = True
        return shown
    if not info.in_use:
        shown["Use"] = True
    if info.speed is None:
        shown["Measure"] = True
    return {**shown, "Remove": not info.kept_because}


def _facts(info: ModelInfo) -> str:
    facts = [info.languages] if info.languages else []
    if info.path is not None:
        facts += [_megabytes(info.size_bytes), _PLACES[info.place]]
        facts.append(str(info.speed) if info.speed else "speed not measured")
    elif info.partial_bytes:
        facts.append(f"{_megabytes(info.partial_bytes)} of {_megabytes(info.size_bytes)} have come")
    else:
        facts.append(f"{_megabytes(info.size_bytes)} to download")
    return "  ·  ".join(facts)


def _megabytes(size_bytes: int) -> str:
    return f"{size_bytes / 1e6:,.0f} MB"
