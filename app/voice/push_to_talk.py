"""What pressing and letting go of the push-to-talk key means: a state machine without a clock or a toolkit."""

from __future__ import annotations

from typing import Literal, TypeAlias

TalkMode: TypeAlias = Literal["hold", "toggle", "hold_or_tap"]
"""`hold`: listens while the key is down. `toggle`: one press starts, the next ends. `hold_or_tap`: both on one key."""

TalkAction: TypeAlias = Literal["press", "release", "cancel"] | None
"""What the listening controller is to do now."""

TAP_S = 0.3
"""A key that is up again within this time was tapped, not held."""

REPEAT_S = 0.05
"""Auto-repeat without a mark (remote desktops) lets the key go for some 30 ms; fingers take longer."""


class TalkKey:
    """Give it what the key does, with a time in seconds that only rises; it answers what to do.

    Marked auto-repeat must not be given to it.
    """

    def __init__(self, mode: TalkMode = "hold") -> None:
        self.mode: TalkMode = mode
        self._talking = False
        self._down = False
        self._down_at = 0.0
        self._up_at = -1.0

    @property
    def is_talking(self) -> bool:
        """Whether it has asked for a press that it has not ended yet."""
        return self._talking

    @property
    def is_down(self) -> bool:
        """Whether the key is held now, as far as is known."""
        return self._down

    def down(self, at: float) -> TalkAction:
        """The key went down."""
        if self._down:
            return None
        self._down = True
        if at - self._up_at < REPEAT_S:
            # The same press, repeated: only a hold that was ended by it has to be taken up again.
            return self._begin() if self.mode != "toggle" and not self._talking else None
        self._down_at = at
        return self._end() if self._talking else self._begin()

    def up(self, at: float) -> TalkAction:
        """The key came up."""
        if not self._down:
            return None
        self._down = False
        self._up_at = at
        held = self.mode == "hold" or (self.mode == "hold_or_tap" and at - self._down_at >= TAP_S)
        return self._end() if self._talking and held else None

    def lost(self) -> TalkAction:
        """The window lost the keyboard: a key that is held will come up unseen. What was tapped or toggled goes on."""
        was_down, self._down = self._down, False
        if not was_down or not self._talking or self.mode == "toggle":
            return None
        return self._end()

    def escape(self) -> TalkAction:
        """Esc was pressed while talking."""
        if not self._talking:
            return None
        self._talking = False
        return "cancel"

    def ended(self) -> None:
        """The recording has ended for another reason (the device went, the button was clicked)."""
        self._talking = False

    def _begin(self) -> TalkAction:
        self._talking = True
        return "press"

    def _end(self) -> TalkAction:
        self._talking = False
        return "release"
