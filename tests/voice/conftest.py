"""The speech model, loaded once: it takes half a second."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.voice.models import find_model
from app.voice.transcriber import Transcriber


@pytest.fixture(scope="session")
def transcriber() -> Iterator[Transcriber]:
    """The real recogniser with the bundled model."""
    transcriber = Transcriber(find_model(), cpu_threads=2)
    yield transcriber
    transcriber.close()
