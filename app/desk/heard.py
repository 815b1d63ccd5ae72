"""From a transcript to an utterance. Knows no Qt."""

from __future__ import annotations

import secrets

from app.agent.messages import Hypothesis, Utterance
from app.voice.types import Transcript


def utterance_of(transcript: Transcript) -> Utterance | None:
    """The utterance of a transcript, or None where nobody spoke."""
    if transcript.heard != "speech" or not transcript.text.strip():
        return None
    return spoken(transcript, secrets.token_hex(8))


def spoken(transcript: Transcript, identity: str) -> Utterance:
    """The utterance of a transcript, whatever was heard, under an id."""
    hypotheses = tuple(Hypothesis(each.text, each.log_probability) for each in transcript.hypotheses)
    return Utterance(identity, transcript.text, hypotheses, "voice", transcript.language, transcript.recognisers)
