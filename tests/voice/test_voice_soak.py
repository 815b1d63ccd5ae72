"""The short form of `make bench-soak`: minutes at a microphone in seconds, and nothing grows."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot
from soak_kit import Soak


@pytest.mark.speech
def test_minutes_of_use_leave_no_memory_thread_or_stream_behind(qtbot: QtBot) -> None:  # noqa: ARG001 - an application
    soak = Soak(model_every=3)
    try:
        before = soak.run(30)  # until each sound has been through the model
        after = soak.run(40)
    finally:
        soak.close()
    assert set(soak.ended) == {"utterance_transcribed", "nothing_heard", "failed"}, soak.ended
    assert after.threads <= before.threads
    assert after.open_streams == 1
    assert after.memory_mb - before.memory_mb < 24, "MB: what the allocator keeps back varies"
