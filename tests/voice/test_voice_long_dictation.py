"""Long speech while the key is held: partial transcripts stay quick, and nothing is lost at the joints."""

from __future__ import annotations

from typing import Any

import pytest
from voice_kit import joined, recording, silence

from app.voice.decoding import decode
from app.voice.transcriber import Transcriber
from app.voice.types import Recording


@pytest.mark.speech
def test_only_the_end_of_a_growing_recording_is_decoded_again(
    transcriber: Transcriber, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = joined(recording("passage-rms"), silence(0.6), recording("title-joe"), silence(0.6))
    spoken = joined(once, once, once, once)
    decoded: list[int] = []

    def counted(model: Any, samples: Any, *rest: Any) -> Any:
        decoded.append(len(samples))
        return decode(model, samples, *rest)

    monkeypatch.setattr("app.voice.transcriber.decode", counted)
    partial = transcriber.transcribe(Recording(spoken.samples[: len(spoken.samples) * 3 // 4]))
    first = len(decoded)
    whole = transcriber.transcribe(spoken)
    assert first >= 3
    assert len(decoded) - first <= 2, "what had been decoded was decoded again"
    assert whole.text.count("listen to people") == whole.text.count("for everyone") == 4
    assert partial.text[:100] == whole.text[:100]
