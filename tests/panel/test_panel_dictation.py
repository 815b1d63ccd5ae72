"""The panel while a field takes dictation: it says where speech goes, and Cancel ends it."""

from __future__ import annotations

import pytest

from app.agent.events import EngineState
from app.panel.status import ListeningState, StatusLine, status_of


@pytest.mark.parametrize(
    ("engine", "listening", "words", "busy"),
    [
        ("idle", "idle", "Dictating into Abstract", False),
        ("idle", "listening", "Dictating into Abstract", False),
        ("thinking", "idle", "Dictating into Abstract", True),
        ("idle", "transcribing", "Transcribing", True),
    ],
)
def test_the_status_names_the_field(engine: EngineState, listening: ListeningState, words: str, busy: bool) -> None:
    assert status_of(engine, listening, "", "Abstract") == (words, busy)


def test_dictation_can_be_cancelled_although_nothing_else_is_under_way(qtbot: object) -> None:
    assert qtbot
    line = StatusLine()
    assert not line.can_cancel
    line.set_dictating("Abstract")
    assert line.can_cancel
    assert line.words == "Dictating into Abstract"
    line.set_dictating("")
    assert (line.words, line.can_cancel) == ("Ready", False)
    line.deleteLater()
