"""What the window has to know before it is painted: its choices and defaults, without pydantic."""

from __future__ import annotations

from typing import Literal, TypeAlias

Scheme: TypeAlias = Literal["system", "light", "dark", "high_contrast"]
TextSize: TypeAlias = Literal["normal", "large", "largest"]

PUSH_TO_TALK_KEY = "F9"
"""As long as no other one is chosen."""
