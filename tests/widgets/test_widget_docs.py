"""The code in docs/widgets.md runs, and the example is operated by typing."""

from __future__ import annotations

from pathlib import Path

import pytest
from desk_calls import Desk
from doc_blocks import run_blocks
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

ROOT = Path(__file__).parents[2]


class Nothing:
    """A change of nothing."""

    text = "Nothing"

    def undo(self) -> None:
        """Takes nothing back."""

    def redo(self) -> None:
        """Does nothing again."""


def test_the_blocks_of_the_document_run(window: QWidget, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    names = run_blocks(ROOT / "docs" / "widgets.md", {"window": window, "change": Nothing()}, monkeypatch)
    stars, registry, undo = names["stars"], names["registry"], names["undo"]
    assert isinstance(stars, QWidget)
    qtbot.addWidget(stars)
    stars.show()
    desk = Desk(registry, undo)  # type: ignore[arg-type]
    desk.call("fill", "Rating", value="five")
    assert desk.state("Rating")["value"] == 5
    desk.undo.undo()
    assert desk.state("Rating")["value"] == 3
