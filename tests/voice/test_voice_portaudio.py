"""What PortAudio's devices refuse, and a machine without PortAudio.

The devices are played by a stand-in for the `sounddevice` module: no test machine has microphones that are busy or take
only stereo at 44.1 kHz. The real module is used in test_voice_microphone.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from app.voice import portaudio as portaudio_module
from app.voice.errors import MicrophoneError, VoiceError
from app.voice.portaudio import PortAudio


class PortAudioError(Exception):
    """As sounddevice has it: a text and PortAudio's number."""


class StandIn:
    """One microphone that takes only certain rates and channels."""

    PortAudioError = PortAudioError
    CallbackStop = StopIteration

    def __init__(self, takes: Callable[[int, int], bool], *, code: int = -9997, inputs: int = 2) -> None:
        self.takes = takes
        self.code = code
        self.default = SimpleNamespace(device=[0, -1])
        self.devices = [
            {"name": "Loudspeaker", "default_samplerate": 48_000.0, "max_input_channels": 0},
            {"name": "Monitor of Loudspeaker", "default_samplerate": 44_100.0, "max_input_channels": 2},
            {"name": "Headset", "default_samplerate": 44_100.0, "max_input_channels": 2},
        ][: 1 + inputs]
        self.starts = 0
        self.tried: list[tuple[int, int, int]] = []

    def _initialize(self) -> None:
        self.starts += 1

    def _terminate(self) -> None:
        """Nothing runs."""

    def query_devices(self) -> list[dict[str, Any]]:
        return self.devices

    def InputStream(self, *, device: int, samplerate: int, channels: int, **_: Any) -> Any:  # noqa: N802 - its name
        self.tried.append((device, samplerate, channels))
        if not self.takes(samplerate, channels):
            raise PortAudioError("Invalid sample rate", self.code)
        stream = SimpleNamespace(samplerate=samplerate, channels=channels, latency=0.01, active=True)
        stream.start = lambda: None
        stream.close = lambda ignore_errors: None  # noqa: ARG005 - its signature
        return stream

    def OutputStream(self, **_: Any) -> Any:  # noqa: N802 - its name
        raise PortAudioError("Error querying device -1")


def use(monkeypatch: pytest.MonkeyPatch, stand_in: StandIn) -> PortAudio:
    monkeypatch.setattr(portaudio_module, "_sounddevice", lambda: stand_in)
    return PortAudio()


def nothing(_rate_hz: int, _channels: int) -> Callable[[np.ndarray[Any, Any]], None]:
    return lambda _block: None


@pytest.mark.parametrize(
    ("takes", "opened"),
    [
        pytest.param(lambda _rate, _channels: True, (44_100, 1), id="native rate, mono"),
        pytest.param(lambda _rate, channels: channels == 2, (44_100, 2), id="stereo only"),
        pytest.param(lambda rate, _channels: rate == 48_000, (48_000, 1), id="48 kHz only"),
        pytest.param(lambda rate, channels: (rate, channels) == (48_000, 2), (48_000, 2), id="48 kHz stereo only"),
    ],
)
def test_refuses_16_khz_mono(
    monkeypatch: pytest.MonkeyPatch, takes: Callable[[int, int], bool], opened: tuple[int, int]
) -> None:
    sound = use(monkeypatch, StandIn(takes))
    stream = sound.open_input("Headset", nothing)
    assert (stream.sample_rate_hz, stream.channels) == opened
    stream.close()
    assert sound.open_streams == 0


def test_busy_is_said_without_trying_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = StandIn(lambda _rate, _channels: False, code=-9985)
    with pytest.raises(MicrophoneError, match="in use by another program"):
        use(monkeypatch, stand_in).open_input("Headset", nothing)
    assert len(stand_in.tried) == 1


def test_refuses_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MicrophoneError, match=r"Headset refuses to record: Invalid sample rate\. Choose another"):
        use(monkeypatch, StandIn(lambda _rate, _channels: False)).open_input("Headset", nothing)


def test_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = use(monkeypatch, StandIn(lambda _rate, _channels: True, inputs=0))
    assert sound.input_devices() == ()
    with pytest.raises(MicrophoneError, match="No microphone was found"):
        sound.open_input("", nothing)


def test_the_sound_system_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = StandIn(lambda _rate, _channels: True)

    def fail() -> None:
        raise PortAudioError("Internal PortAudio error", -9986)

    monkeypatch.setattr(stand_in, "_initialize", fail)
    with pytest.raises(MicrophoneError, match="doesn't answer: Internal PortAudio error"):
        use(monkeypatch, stand_in).open_input("", nothing)


def test_a_device_that_has_gone_is_not_active(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone:
        """A stream whose device was unplugged."""

        samplerate, channels = 48_000, 1

        @property
        def active(self) -> bool:
            raise PortAudioError("Invalid stream pointer", -9988)

        def start(self) -> None:
            """It did start once."""

        def close(self, ignore_errors: bool) -> None:
            assert ignore_errors

    stand_in = StandIn(lambda _rate, _channels: True)
    monkeypatch.setattr(stand_in, "InputStream", lambda **_: Gone())
    stream = use(monkeypatch, stand_in).open_input("", nothing)
    assert not stream.is_active
    stream.close()


def test_no_loudspeaker(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(VoiceError, match="No loudspeaker was found"):
        use(monkeypatch, StandIn(lambda _rate, _channels: True)).play(np.zeros(10, dtype=np.float32), 16_000)


def test_the_list_changes_while_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """PortAudio looks for devices when it starts; it is started again, but never under an open stream."""
    stand_in = StandIn(lambda _rate, _channels: True, inputs=1)
    sound = use(monkeypatch, stand_in)
    assert [device.name for device in sound.input_devices()] == ["Monitor of Loudspeaker"]
    stand_in.devices.append({"name": "New", "default_samplerate": 48_000.0, "max_input_channels": 1})
    assert [device.name for device in sound.input_devices()][1] == "New"
    stream = sound.open_input("New", nothing)
    starts = stand_in.starts
    sound.input_devices()
    assert stand_in.starts == starts
    stream.close()
    sound.input_devices()
    assert stand_in.starts == starts + 1


def test_default_input_is_a_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = StandIn(lambda _rate, _channels: True)
    stand_in.default.device[0] = 1
    devices = use(monkeypatch, stand_in).input_devices()
    assert [(device.name, device.is_default, device.is_loopback) for device in devices] == [
        ("Monitor of Loudspeaker", True, True),
        ("Headset", False, False),
    ]


def test_portaudio_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        """Imports of sounddevice fail as they do where libportaudio isn't installed."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "sounddevice":
                raise OSError("PortAudio library not found")

    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    for attempt in (PortAudio().input_devices, lambda: PortAudio().open_input("", nothing)):
        with pytest.raises(MicrophoneError, match="libportaudio2"):
            attempt()
