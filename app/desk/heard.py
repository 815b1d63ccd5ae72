"""From a transcript to an utterance. Knows no Qt."""

from __future__ import annotations

import secrets

from app.agent.messages import Hypothesis, Utterance
from app.voice.types import Transcript


def utterance_of(transcript: Transcript) -> Utterance | None:
    """The utterance of a transcript, or None where nobody spoke."""
    if transcript.heard != "speech" or not transcript.text.strip():
        return None
    hypotheses = tuple(Hypothesis(each.text, each.log_probability) for each in transcript.hypotheses)
    identity = secrets.token_hex(8)
    return Utterance(identity, transcript.text, hypotheses, "voice", transcript.language, transcript.recognisers)
