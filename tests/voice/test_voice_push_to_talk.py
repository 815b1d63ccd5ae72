"""The push-to-talk key as a table: what the fingers do, and what must follow."""

from __future__ import annotations

import pytest

from app.voice.push_to_talk import TalkAction, TalkKey, TalkMode

# Each step: at which millisecond, what happens, and what must be asked for ("" is nothing).
Steps = list[tuple[int, str, str]]

TABLE: dict[str, tuple[TalkMode, Steps]] = {
    "hold": ("hold", [(0, "down", "press"), (900, "up", "release")]),
    "quick tap": (
        "hold",
        [(0, "down", "press"), (40, "up", "release"), (400, "down", "press"), (900, "up", "release")],
    ),
    "down twice without an up": ("hold", [(0, "down", "press"), (500, "down", ""), (900, "up", "release")]),
    "up that was never down": ("hold", [(0, "up", ""), (100, "down", "press")]),
    "auto-repeat without a mark": (
        "hold",
        [
            (0, "down", "press"),
            (500, "up", "release"),
            (510, "down", "press"),
            (540, "up", "release"),
            (545, "down", "press"),
            (900, "up", "release"),
        ],
    ),
    "ten presses in one second": (
        "hold",
        [step for at in range(0, 1000, 100) for step in ((at, "down", "press"), (at + 40, "up", "release"))],
    ),
    "key-up lost with the window's focus": (
        "hold",
        [
            (0, "down", "press"),
            (500, "lost", "release"),
            (600, "up", ""),
            (900, "down", "press"),
            (1200, "up", "release"),
        ],
    ),
    "focus lost while nothing is held": ("hold", [(0, "lost", ""), (100, "down", "press")]),
    "Esc while held": (
        "hold",
        [
            (0, "down", "press"),
            (500, "escape", "cancel"),
            (700, "up", ""),
            (900, "down", "press"),
            (1200, "up", "release"),
        ],
    ),
    "Esc while idle": ("hold", [(0, "escape", "")]),
    "device gone while held": (
        "hold",
        [(0, "down", "press"), (500, "ended", ""), (700, "up", ""), (900, "down", "press")],
    ),
    "toggle": (
        "toggle",
        [(0, "down", "press"), (80, "up", ""), (2000, "down", "release"), (2080, "up", ""), (3000, "down", "press")],
    ),
    "toggle with auto-repeat without a mark": (
        "toggle",
        [
            (0, "down", "press"),
            (500, "up", ""),
            (510, "down", ""),
            (540, "up", ""),
            (545, "down", ""),
            (580, "up", ""),
            (2000, "down", "release"),
        ],
    ),
    "toggle goes on in another window": (
        "toggle",
        [(0, "down", "press"), (80, "up", ""), (500, "lost", ""), (900, "down", "release")],
    ),
    "Esc while toggled on": (
        "toggle",
        [(0, "down", "press"), (80, "up", ""), (500, "escape", "cancel"), (900, "down", "press")],
    ),
    "hold or tap, held": ("hold_or_tap", [(0, "down", "press"), (900, "up", "release")]),
    "hold or tap, tapped": (
        "hold_or_tap",
        [(0, "down", "press"), (120, "up", ""), (2000, "down", "release"), (2900, "up", ""), (4000, "down", "press")],
    ),
    "hold or tap, focus lost while held": (
        "hold_or_tap",
        [(0, "down", "press"), (900, "lost", "release"), (950, "up", "")],
    ),
    "hold or tap, focus lost after a tap": (
        "hold_or_tap",
        [(0, "down", "press"), (120, "up", ""), (900, "lost", ""), (2000, "down", "release")],
    ),
    "hold or tap, auto-repeat without a mark": (
        "hold_or_tap",
        [(0, "down", "press"), (500, "up", "release"), (510, "down", "press"), (540, "up", "release")],
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_key(name: str) -> None:
    mode, steps = TABLE[name]
    key = TalkKey(mode)
    for at_ms, what, expected in steps:
        asked = do(key, what, at_ms / 1000)
        assert (asked or "") == expected, f"at {at_ms} ms, {what}"


def do(key: TalkKey, what: str, at: float) -> TalkAction:
    match what:
        case "down":
            return key.down(at)
        case "up":
            return key.up(at)
        case "lost":
            return key.lost()
        case "escape":
            return key.escape()
    key.ended()
    return None
