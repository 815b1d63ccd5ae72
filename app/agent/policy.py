"""Policies: how much is asked before a call runs. Data, never code inside a tool."""

from __future__ import annotations

from typing import Literal, TypeAlias

Policy: TypeAlias = Literal["auto", "confirm", "never"]
"""`auto`: reading and navigation. `confirm`: changes a form or data. `never`: not offered at all."""

ConfidenceLevel: TypeAlias = Literal["low", "medium", "high"]

MEDIUM_CONFIDENCE = 0.55
HIGH_CONFIDENCE = 0.80


def confidence_level(confidence: float) -> ConfidenceLevel:
    """Names a confidence between 0 and 1; `low` is asked about even where the policy says `auto`."""
    if confidence >= HIGH_CONFIDENCE:
        return "high"
    return "medium" if confidence >= MEDIUM_CONFIDENCE else "low"
