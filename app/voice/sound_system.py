"""What the recorder and the speech output need of the machine's sound devices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.voice.types import Samples

OnBlock: TypeAlias = Callable[[NDArray[np.float32]], None]
"""Called in the audio callback with a block (frames, channels) that is only valid during the call."""

_LOOPBACK_WORDS = ("monitor", "loopback", "stereo mix", "what u hear")


@dataclass(frozen=True, slots=True)
class InputDevice:
    """A device that records.

    Attributes:
        name: What the picker shows, and what settings remember; unique among those present.
        sample_rate_hz: Its native rate.
        channels: How many it has at most.
        is_default: What is used when no device is named.
    """

    name: str
    sample_rate_hz: int
    channels: int
    is_default: bool = False

    @property
    def is_loopback(self) -> bool:
        """Whether it records what the machine plays, going by its name."""
        return any(word in self.name.lower() for word in _LOOPBACK_WORDS)


class InputStream(Protocol):
    """An open input; `latency_s` is how late it delivers as a rule."""

    sample_rate_hz: int
    channels: int
    latency_s: float

    @property
    def is_active(self) -> bool:
        """False once the device has gone."""

    def close(self) -> None:
        """Stops calling back and frees the device."""


class OutputStream(Protocol):
    """A sound being played."""

    def wait(self, timeout_s: float) -> bool:
        """Waits for its end; returns whether it has ended."""

    def close(self) -> None:
        """Falls silent at once and frees the device."""


class SoundSystem(Protocol):
    """The sound devices. All methods may be called from any thread, and take as long as the system takes."""

    def devices_changed(self) -> bool | None:
        """Whether devices may have come or gone since they were listed; None where only listing them again tells.

        Quick enough to be asked every second.
        """

    def input_devices(self) -> tuple[InputDevice, ...]:
        """The devices that can record now, the default one first.

        Raises:
            MicrophoneError: The sound system is missing.
        """

    def open_input(self, device: str, on_block: Callable[[int, int], OnBlock]) -> InputStream:
        """Opens a device at its native rate and starts it.

        Args:
            device: Name, or an empty string for the default. One that isn't there any more gives the default.
            on_block: Called once before the start with the rate (Hz) and the channels; returns the audio callback.

        Raises:
            MicrophoneError: No device, busy, refused, or the sound system is missing.
        """

    def play(self, samples: Samples, sample_rate_hz: int) -> OutputStream:
        """Starts playing mono samples on the default output.

        Raises:
            VoiceError: There is nothing to play on.
        """
