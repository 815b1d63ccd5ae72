"""Records from a microphone while a key is held, in a thread of its own."""

from __future__ import annotations

import queue
import threading
import time
from dataclasses import dataclass
from typing import Protocol

from app.voice.capture import Capture
from app.voice.errors import MicrophoneError
from app.voice.ring import RingBuffer
from app.voice.sound_system import InputStream, OnBlock, SoundSystem
from app.voice.types import NOTHING_RECORDED, Recording

POLL_S = 0.02
"""How often the thread looks into the ring buffer: what the level meter and the end of a recording wait for."""

IDLE_POLL_S = 0.1
"""The same while nothing is recorded; what waits in the ring buffer meanwhile belongs to the pre-roll."""

FIRST_BLOCK_WITHIN_S = 4.0
"""Sound servers may take two seconds to deliver a first block."""

NEXT_BLOCK_WITHIN_S = 1.0
"""A stream that was running and falls silent for so long has gone."""

_LONGEST_LOOK_S = 2 * IDLE_POLL_S
"""Most silence that counts between two looks. What is longer was the machine, suspended or overloaded: the blocks of
that time were held up as well."""

LOOK_FOR_DEVICES_EVERY_S = 2.0
"""How often it asks whether a device has come or gone, while nothing is recorded; it takes some 5 ms."""

_RING_S = 10
_LEVEL_EVERY_S = 0.05
_JOIN_S = 5.0

GONE = "The microphone stopped delivering sound. Check that it is plugged in; what came before was kept."
NOT_READY = "The microphone was still starting. Hold the key until it says that it listens."


class RecorderListener(Protocol):
    """What the recorder tells; called in the recorder's thread, so do little."""

    def recording_started(self) -> None:
        """Samples are being kept from now on (and from shortly before)."""

    def level_measured(self, level: float) -> None:
        """RMS between 0 and 1, about 20 times a second while recording."""

    def recording_finished(self, token: int, recording: Recording, problem: str) -> None:
        """The key is up and the release tail is in; or the device has gone, which `problem` then says.

        `token` is that of the latest `start` that belongs to it.
        """

    def microphone_opened(self) -> None:
        """There is a microphone, and it is open."""

    def microphone_failed(self, message: str) -> None:
        """No recording is possible now; a later `start` tries again, and so does a device that is plugged in."""


@dataclass(slots=True)
class _Session:
    """One open stream."""

    device: str
    stream: InputStream
    ring: RingBuffer
    capture: Capture
    looked_at: float
    silent_s: float = 0.0
    """For how long no block has come, as far as it was watched."""
    heard_anything: bool = False
    outdated: bool = False

    @property
    def late_s(self) -> float:
        """Sound that was made before now and has not reached the capture: in the device, or on its way from there."""
        return self.stream.latency_s + self.ring.unread_frames / self.stream.sample_rate_hz


class Recorder:
    """Owns the microphone and one thread. All methods return at once, except `close`, which joins the thread."""

    def __init__(
        self, listener: RecorderListener, sound: SoundSystem, *, device: str = "", keep_warm: bool = True
    ) -> None:
        """Starts the thread; opens nothing yet.

        Args:
            listener: Told what happens.
            sound: The sound devices.
            device: Name of the microphone; an empty string takes the default one.
            keep_warm: Leave the stream open between recordings. Without it the first word may be lost, since some
                systems take two seconds to open; with it the system shows the microphone as in use.
        """
        self._listener = listener
        self._sound = sound
        self._device = device
        self._keep_warm = keep_warm
        self._in_use = False
        self._session: _Session | None = None
        self._wanted = False
        self._token = 0
        self._level_at = 0.0
        self._devices_at = 0.0
        self._lock = threading.Lock()
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="greenroom-recorder", daemon=True)
        self._thread.start()

    def warm_up(self) -> None:
        """Opens the stream ahead of the first key press, if it is to be kept open."""
        if self._keep_warm:
            self._commands.put("open")

    def start(self, token: int = 0, *, pre_roll: bool = True) -> None:
        """Records from now on, and from shortly before. Goes on with a recording whose release tail still runs.

        Args:
            token: Comes back with the recording: tells one that is still wanted from one cancelled meanwhile.
            pre_roll: Keep what came just before. Not wanted where the program itself was speaking.
        """
        with self._lock:
            self._token = token
            session = self._session
            self._wanted = session is None
            if session is not None:
                session.capture.start(pre_roll=pre_roll)
        if session is not None:
            self._listener.recording_started()
        self._commands.put("open")

    def stop(self) -> None:
        """The key is up. `recording_finished` follows when the release tail is in."""
        with self._lock:
            missed, self._wanted = self._wanted, False
            if self._session is not None:
                self._session.capture.stop(late_s=self._session.late_s)
        self._commands.put("missed" if missed else "look")

    def cancel(self) -> None:
        """Throws the recording away; nothing follows."""
        with self._lock:
            self._wanted = False
            if self._session is not None:
                self._session.capture.discard()
        self._commands.put("rest")

    def so_far(self) -> Recording:
        """What has been recorded up to now; empty while nothing is."""
        with self._lock:
            session = self._session
        return session.capture.so_far() if session is not None else NOTHING_RECORDED

    def use_device(self, name: str) -> None:
        """Takes another microphone from the next recording on; an empty string takes the default one."""
        self._device = name
        self._commands.put("rest")

    def use_keep_warm(self, *, wanted: bool) -> None:
        """Leaves the stream open between recordings from now on, or closes it after the one under way."""
        self._keep_warm = wanted
        self._commands.put("open" if wanted else "rest")

    def look_for_devices(self) -> None:
        """Lists the devices anew, and takes the one that is wanted if it is there now.

        For systems that don't tell when the default device changes. Waits for the end of a recording.
        """
        self._commands.put("refresh")

    def close(self) -> None:
        """Ends everything; a recording in progress is thrown away."""
        self._commands.put("close")
        self._thread.join(_JOIN_S)

    def _run(self) -> None:
        while (command := self._next_command()) != "close":
            if command == "open":
                self._open()
            elif command == "missed":
                self._listener.recording_finished(self._token, NOTHING_RECORDED, NOT_READY)
            elif command == "rest" and self._session is not None:
                self._rest(self._session)
            elif command == "refresh" and self._session is not None:
                self._session.outdated = True
                self._rest(self._session)
            if self._session is not None:
                self._look(self._session)
            elif command == "look" and self._sound.devices_changed():
                self._open()
        self._shut()

    def _next_command(self) -> str:
        session = self._session
        if session is None:
            wait_s = LOOK_FOR_DEVICES_EVERY_S if self._in_use and self._keep_warm else None
        else:
            wait_s = POLL_S if session.capture.is_recording else IDLE_POLL_S
        try:
            return self._commands.get(timeout=wait_s)
        except queue.Empty:
            return "look"

    def _open(self) -> None:
        if self._session is not None:
            return
        self._in_use = True
        parts: list[tuple[RingBuffer, Capture]] = []

        def on_block(sample_rate_hz: int, channels: int) -> OnBlock:
            ring = RingBuffer(_RING_S * sample_rate_hz, channels)
            parts.append((ring, Capture(sample_rate_hz)))
            return ring.write

        try:
            device = self._device
            stream = self._sound.open_input(device, on_block)
        except MicrophoneError as error:
            self._wanted = False
            self._listener.microphone_failed(str(error))
            return
        ring, capture = parts[-1]
        with self._lock:
            self._session = _Session(device, stream, ring, capture, looked_at=time.monotonic())
            started, self._wanted = self._wanted, False
            if started:
                capture.start()
        self._listener.microphone_opened()
        if started:
            self._listener.recording_started()

    def _look(self, session: _Session) -> None:
        now = time.monotonic()
        session.silent_s += min(now - session.looked_at, _LONGEST_LOOK_S)
        session.looked_at = now
        with self._lock:  # `stop` counts what is on its way: a block is in the ring buffer or in the capture.
            block = session.ring.read()
            if len(block):
                session.capture.feed(block)
        if len(block):
            session.silent_s = 0.0
            session.heard_anything = True
        elif self._has_gone(session):
            self._lose(session)
            return
        with self._lock:
            recording, token = session.capture.take(), self._token
        if recording is not None:
            self._listener.recording_finished(token, recording, "")
            self._rest(session)
        elif session.capture.is_recording:
            if now - self._level_at >= _LEVEL_EVERY_S:
                self._level_at = now
                self._listener.level_measured(session.capture.level)
        elif now - self._devices_at >= LOOK_FOR_DEVICES_EVERY_S:
            self._devices_at = now
            session.outdated = session.outdated or self._sound.devices_changed() is True
            self._rest(session)

    def _rest(self, session: _Session) -> None:
        """After a recording: closes what isn't to be kept open, and takes another device if one is wanted or new."""
        if self._keep_warm and session.device == self._device and not session.outdated:
            return
        with self._lock:
            if not session.capture.is_idle:  # The key went down again meanwhile.
                return
            self._session = None
        session.stream.close()
        if self._keep_warm:
            self._open()

    def _has_gone(self, session: _Session) -> bool:
        patience_s = NEXT_BLOCK_WITHIN_S if session.heard_anything else FIRST_BLOCK_WITHIN_S
        return session.silent_s > patience_s or not session.stream.is_active

    def _lose(self, session: _Session) -> None:
        """The device has gone. Another one takes its place at once, so that it is warm when the key goes down."""
        with self._lock:
            session.capture.cut()
            recording, token = session.capture.take(), self._token
            self._session = None
        session.stream.close()
        if recording is not None:
            self._listener.recording_finished(token, recording, GONE)
        if self._keep_warm:
            self._open()

    def _shut(self) -> None:
        with self._lock:
            session, self._session = self._session, None
        if session is not None:
            session.stream.close()
