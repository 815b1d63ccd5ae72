"""Recordings, and sound devices that do what a test tells them.

`FakeSound` stands for PortAudio where a test needs a device that is unplugged, busy or dead: no machine that runs the
tests has such hardware. What works without hardware is tested on PortAudio itself (test_voice_microphone.py).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.voice import audio_file
from app.voice.errors import MicrophoneError
from app.voice.sound_system import InputDevice, InputStream, OnBlock, OutputStream
from app.voice.types import SAMPLE_RATE_HZ, HeardHypothesis, Recording, Samples, Transcript

AUDIO = Path(__file__).parent.parent / "audio"
WAIT_S = 60.0
"""Only a failing test waits that long: a busy machine stands for seconds."""
NO_MICROPHONE = "No microphone was found."


def recording(name: str) -> Recording:
    """A recording of tests/audio."""
    return audio_file.load(AUDIO / f"{name}.flac")


def silence(seconds: float) -> Samples:
    """Zeros."""
    return np.zeros(round(seconds * SAMPLE_RATE_HZ), dtype=np.float32)


def tone(seconds: float, rate_hz: int = SAMPLE_RATE_HZ, level: float = 0.3) -> Samples:
    """A sine of 440 Hz."""
    time_s = np.arange(round(seconds * rate_hz)) / rate_hz
    return (level * np.sin(2 * np.pi * 440 * time_s)).astype(np.float32)


def counted(start: int, count: int) -> Samples:
    """Samples that can be told from each other: sample i holds i / 2^20."""
    return (np.arange(start, start + count) / 2**20).astype(np.float32)


def joined(*parts: Samples | Recording) -> Recording:
    """One recording of several."""
    return Recording(np.concatenate([part.samples if isinstance(part, Recording) else part for part in parts]))


def transcript(text: str, heard: str = "speech", duration_s: float = 1.0) -> Transcript:
    """A transcript as a recogniser would give it."""
    readings = (HeardHypothesis(text, -0.2),) if text else ()
    return Transcript(text, readings, "en", heard, duration_s, 1.0)  # type: ignore[arg-type]


class FakeStream:
    """An open device: the test calls `deliver`."""

    def __init__(self, on_block: OnBlock, rate_hz: int, channels: int, latency_s: float) -> None:
        self.sample_rate_hz = rate_hz
        self.channels = channels
        self.latency_s = latency_s
        self.is_active = True
        self.closed = threading.Event()
        self._on_block = on_block

    def deliver(self, samples: Samples) -> None:
        """Calls back with these samples on each channel."""
        block: NDArray[np.float32] = np.repeat(samples[:, None], self.channels, axis=1)
        self._on_block(block)

    def close(self) -> None:
        self.closed.set()


class FakePlayback:
    """A sound being played that ends only when it is closed."""

    def __init__(self, samples: Samples, rate_hz: int) -> None:
        self.samples = samples
        self.rate_hz = rate_hz
        self.closed = threading.Event()

    def wait(self, timeout_s: float) -> bool:
        return self.closed.wait(timeout_s)

    def close(self) -> None:
        self.closed.set()


class FakeSound:
    """Devices as the test wants them."""

    def __init__(self, rate_hz: int = 48_000, channels: int = 1, latency_s: float = 0.0) -> None:
        self.devices: tuple[InputDevice, ...] = (InputDevice("Desk microphone", rate_hz, channels, is_default=True),)
        self.refusal = ""
        self.streams: list[FakeStream] = []
        self.opened_names: list[str] = []
        self.opened = threading.Semaphore(0)
        self.may_open = threading.Event()
        self.may_open.set()
        self.playbacks: list[FakePlayback] = []
        self.played = threading.Semaphore(0)
        self._latency_s = latency_s
        self._listed: tuple[InputDevice, ...] = self.devices
        self.tells_changes = True

    def devices_changed(self) -> bool | None:
        return self.devices != self._listed if self.tells_changes else None

    def input_devices(self) -> tuple[InputDevice, ...]:
        if self.refusal:
            raise MicrophoneError(self.refusal)
        return self.devices

    def open_input(self, device: str, on_block: Callable[[int, int], OnBlock]) -> InputStream:
        self.may_open.wait(WAIT_S)
        if self.refusal:
            raise MicrophoneError(self.refusal)
        self._listed = self.devices
        if not self.devices:
            raise MicrophoneError(NO_MICROPHONE)
        chosen = next((each for each in self.devices if each.name == device), self.devices[0])
        callback = on_block(chosen.sample_rate_hz, chosen.channels)
        stream = FakeStream(callback, chosen.sample_rate_hz, chosen.channels, self._latency_s)
        self.opened_names.append(chosen.name)
        self.streams.append(stream)
        self.opened.release()
        return stream

    def play(self, samples: Samples, sample_rate_hz: int) -> OutputStream:
        playback = FakePlayback(samples, sample_rate_hz)
        self.playbacks.append(playback)
        self.played.release()
        return playback

    def wait_open(self) -> FakeStream:
        """Waits until one more stream is open and returns it."""
        assert self.opened.acquire(timeout=WAIT_S), "no stream was opened"
        return self.streams[-1]
