"""The speech model, loaded once: it takes half a second. And a recorder that waits for tests that are held up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.voice import recorder
from app.voice.models import find_model
from app.voice.transcriber import Transcriber


@pytest.fixture(scope="session")
def transcriber() -> Iterator[Transcriber]:
    """The real recogniser with the bundled model."""
    transcriber = Transcriber(find_model(), cpu_threads=2)
    yield transcriber
    transcriber.close()


@pytest.fixture(autouse=True)
def no_watchdog(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that is held up delivers no sound meanwhile: its stream has not gone."""
    monkeypatch.setattr(recorder, "FIRST_BLOCK_WITHIN_S", float("inf"))
    monkeypatch.setattr(recorder, "NEXT_BLOCK_WITHIN_S", float("inf"))
