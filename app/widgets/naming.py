"""What a widget is called: the words a person sees, or could see, on it."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QGroupBox, QWidget

from app.widgets.labels import label_of

_SECRET = re.compile(r"\b(pass ?(word|phrase|code)|secret|token|api key|private key|pin|credential)s?\b", re.IGNORECASE)
_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+|-+")
_TYPE_WORDS = re.compile(
    r"\s(line edit|text edit|edit|field|button|btn|combo box|combo|check box|spin box|box|list view|list|view|widget)$"
)


def name_of(target: QWidget | QAction) -> str:
    """The name of a widget or action.

    Taken from its accessible name, the label that has it as buddy, its text, its placeholder, its object name or,
    if all else is empty, its tool tip, in that order. Empty where nothing tells.
    """
    if isinstance(target, QAction):
        return tidy(target.text()) or object_name(target) or tidy(target.toolTip())
    return (
        tidy(target.accessibleName())
        or _buddy_text(target)
        or tidy(_text(target))
        or tidy(_placeholder(target))
        or object_name(target)
        or tidy(target.toolTip())
    )


def tidy(text: str) -> str:
    """Without mnemonic marks, a trailing colon or dots, and line breaks."""
    text = text.replace("&&", "\0").replace("&", "").replace("\0", "&")
    return " ".join(text.split()).rstrip(":….*").strip()


def object_name(target: QObject) -> str:
    """The object name as words: "titleEdit" and "title_edit" are "title". Qt's own names are none."""
    name = target.objectName()
    if not name or name.startswith("qt_"):
        return ""
    words = " ".join(_WORD_STARTS.sub(" ", name).lower().split())
    return _TYPE_WORDS.sub("", words)


def is_secret_name(name: str) -> bool:
    """Whether a field of this name holds something that must not leave the program."""
    return bool(_SECRET.search(name.replace("_", " ").replace("-", " ")))


def _buddy_text(widget: QWidget) -> str:
    label = label_of(widget)
    return tidy(label.text()) if label is not None else ""


def _text(widget: QWidget) -> str:
    if isinstance(widget, QAbstractButton):
        return widget.text()
    if isinstance(widget, QGroupBox):
        return widget.title()
    return ""


def _placeholder(widget: QWidget) -> str:
    text = widget.property("placeholderText")
    return text if isinstance(text, str) else ""
