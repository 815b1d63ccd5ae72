"""The sound devices through PortAudio (sounddevice)."""

from __future__ import annotations

import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.voice.errors import MicrophoneError, VoiceError
from app.voice.sound_system import InputDevice, InputStream, OnBlock, OutputStream
from app.voice.types import Samples

_NO_PORTAUDIO = (
    "The sound library PortAudio is missing. On Debian and Ubuntu: sudo apt install libportaudio2. Then start again."
)
_NO_DEVICE = "No microphone was found. Plug one in, or switch it on in the system's sound settings."
_NO_OUTPUT = "No loudspeaker was found, so nothing is spoken. Check the system's sound settings."
_BUSY_CODES = (-9985,)  # paDeviceUnavailable
_LINUX_DEVICES = Path("/dev/snd")
_SERVER_CONTROL = "pactl"
_ANSWER_S = 1.0
_USUAL_RATES_HZ = (48_000, 44_100, 16_000)
_BLOCK_S = 0.02
"""Smaller blocks bring nothing: the reader looks every 20 ms; hundreds of callbacks a second cost 8 % of a core."""

_BUFFER_S = 0.1
"""What the device may hold while Python is busy elsewhere: one long call into a library keeps callbacks waiting."""


class PortAudio:
    """One for the whole program: opening, closing and listing are not safe side by side inside PortAudio."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.open_streams = 0
        """Inputs and outputs in use now."""
        self._sign: tuple[str, ...] = ()

    def devices_changed(self) -> bool | None:
        """See `SoundSystem.devices_changed`. On Linux the device files and the sound server tell.

        False while something is played besides: the list can't be made anew then.
        """
        sign = _device_sign()
        if not sign:
            return None
        return sign != self._sign and self.open_streams <= 1

    def input_devices(self) -> tuple[InputDevice, ...]:
        """See `SoundSystem.input_devices`. Finds devices plugged in since, unless a stream is open."""
        with self._lock:
            return tuple(device for device, _ in self._inputs())

    def open_input(self, device: str, on_block: Callable[[int, int], OnBlock]) -> InputStream:
        """See `SoundSystem.open_input`."""
        with self._lock:
            inputs = self._inputs()
            if not inputs:
                raise MicrophoneError(_NO_DEVICE)
            chosen, index = next((entry for entry in inputs if entry[0].name == device), inputs[0])
            sounddevice = _sounddevice()
            stream = _open_somehow(sounddevice, chosen, index, on_block)
            self.open_streams += 1
        return _Input(stream, self._close, sounddevice.PortAudioError)

    def play(self, samples: Samples, sample_rate_hz: int) -> OutputStream:
        """See `SoundSystem.play`."""
        with self._lock:
            sounddevice = _sounddevice()
            ended = threading.Event()
            try:
                stream = sounddevice.OutputStream(
                    samplerate=sample_rate_hz,
                    channels=1,
                    dtype="float32",
                    callback=_player(sounddevice, samples),
                    finished_callback=ended.set,
                )
                stream.start()
            except (sounddevice.PortAudioError, ValueError) as error:
                raise VoiceError(f"{_NO_OUTPUT} ({_words(error)})") from error
            self.open_streams += 1
        return _Output(stream, ended, self._close)

    def _close(self, stream: Any) -> None:
        with self._lock:
            self.open_streams -= 1
            # A device that was unplugged can't be stopped any more; there is nothing left to free then.
            stream.close(ignore_errors=True)

    def _inputs(self) -> list[tuple[InputDevice, int]]:
        sounddevice = _sounddevice()
        try:
            return self._listed(sounddevice)
        except sounddevice.PortAudioError as error:
            raise MicrophoneError(f"The sound system doesn't answer: {_words(error)}. Start again.") from error

    def _listed(self, sounddevice: ModuleType) -> list[tuple[InputDevice, int]]:
        if self.open_streams == 0:
            # PortAudio looks for devices only when it starts; there is no public call to look again.
            self._sign = _device_sign()
            sounddevice._terminate()
            sounddevice._initialize()
        default = sounddevice.default.device[0]
        found = [
            (
                InputDevice(
                    name=str(entry["name"]),
                    sample_rate_hz=round(entry["default_samplerate"]),
                    channels=int(entry["max_input_channels"]),
                    is_default=index == default,
                ),
                index,
            )
            for index, entry in enumerate(sounddevice.query_devices())
            if entry["max_input_channels"] > 0
        ]
        return sorted(found, key=lambda entry: not entry[0].is_default)


class _Input:
    def __init__(self, stream: Any, close: Callable[[Any], None], failure: type[Exception]) -> None:
        self._stream = stream
        self._close = close
        self._failure = failure
        self.sample_rate_hz = round(stream.samplerate)
        self.channels = int(stream.channels)
        # PortAudio's own figure is the size of the buffer, which is nearly empty as a rule.
        self.latency_s = 2 * _BLOCK_S

    @property
    def is_active(self) -> bool:
        try:
            return bool(self._stream.active)
        except self._failure:  # asked after a device that has gone
            return False

    def close(self) -> None:
        self._close(self._stream)


class _Output:
    def __init__(self, stream: Any, ended: threading.Event, close: Callable[[Any], None]) -> None:
        self._stream = stream
        self._ended = ended
        self._close = close

    def wait(self, timeout_s: float) -> bool:
        return self._ended.wait(timeout_s)

    def close(self) -> None:
        self._stream.abort(ignore_errors=True)
        self._close(self._stream)


def _device_sign() -> tuple[str, ...]:
    """Differs when sound cards have come or gone, or another one is the default; empty where nothing tells."""
    try:
        cards = sorted(file.name for file in _LINUX_DEVICES.iterdir())
    except OSError:
        cards = []
    return (*cards, *_default_source())


def _default_source() -> tuple[str, ...]:
    """The default of a PulseAudio or PipeWire server: it leaves streams where they are when the default changes."""
    if shutil.which(_SERVER_CONTROL) is None:
        return ()
    try:
        answer = subprocess.run(
            [_SERVER_CONTROL, "get-default-source"], capture_output=True, text=True, timeout=_ANSWER_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return (answer.stdout.strip(),) if answer.returncode == 0 else ()


def _sounddevice() -> ModuleType:
    try:
        import sounddevice
    except OSError as error:
        raise MicrophoneError(_NO_PORTAUDIO) from error
    module: ModuleType = sounddevice
    return module


def _open_somehow(
    sounddevice: ModuleType, device: InputDevice, index: int, on_block: Callable[[int, int], OnBlock]
) -> Any:
    """Tries the native rate first, then usual ones; mono first, then stereo, then all channels."""
    rates = dict.fromkeys((device.sample_rate_hz, *_USUAL_RATES_HZ))
    channel_counts = dict.fromkeys((1, min(2, device.channels), device.channels))
    refusal: Exception | None = None
    for rate in rates:
        for channels in channel_counts:
            try:
                stream = sounddevice.InputStream(
                    device=index,
                    samplerate=rate,
                    channels=channels,
                    dtype="float32",
                    blocksize=round(_BLOCK_S * rate),
                    latency=_BUFFER_S,
                    callback=_copier(on_block(rate, channels)),
                )
                stream.start()
            except (sounddevice.PortAudioError, ValueError) as error:
                if _code(error) in _BUSY_CODES:
                    raise MicrophoneError(
                        f"The microphone {device.name} is in use by another program. Close that one, or choose another."
                    ) from error
                refusal = error
            else:
                return stream
    raise MicrophoneError(
        f"The microphone {device.name} refuses to record: {_words(refusal)}. Choose another in Settings, page Voice."
    ) from refusal


def _copier(on_block: OnBlock) -> Callable[[NDArray[np.float32], int, object, object], None]:
    def callback(block: NDArray[np.float32], _frames: int, _time: object, _status: object) -> None:
        on_block(block)

    return callback


def _player(sounddevice: ModuleType, samples: Samples) -> Callable[[NDArray[np.float32], int, object, object], None]:
    position = 0

    def callback(out: NDArray[np.float32], frames: int, _time: object, _status: object) -> None:
        nonlocal position
        part = samples[position : position + frames]
        position += frames
        out[: len(part), 0] = part
        out[len(part) :] = 0
        if len(part) < frames:
            raise sounddevice.CallbackStop

    return callback


def _code(error: Exception) -> int | None:
    return error.args[1] if len(error.args) > 1 and isinstance(error.args[1], int) else None


def _words(error: Exception | None) -> str:
    return str(error.args[0]).strip().rstrip(".") if error is not None and error.args else "no reason given"
