"""Uses the microphone for a long time, faster than time passes: for the soak test and for `make bench-soak`."""

from __future__ import annotations

import gc
import resource
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np
import soxr
from PySide6.QtCore import QEventLoop, QTimer
from voice_kit import FakeSound, recording, silence, transcript

from app.qtbridge.listening import ListeningController
from app.voice.models import find_model
from app.voice.second_look import SecondLook
from app.voice.sound_system import InputStream, OnBlock
from app.voice.transcriber import Transcriber
from app.voice.types import SAMPLE_RATE_HZ, Recording, Samples, Transcript

RATE_HZ = 48_000
GIVE_UP_MS = 60_000


@dataclass(frozen=True)
class Gauge:
    """What must not grow."""

    utterances: int
    memory_mb: float
    threads: int
    open_streams: int


class SoakSound(FakeSound):
    """Remembers no stream that was closed: that would be what grows."""

    def open_input(self, device: str, on_block: Callable[[int, int], OnBlock]) -> InputStream:
        self.streams = [stream for stream in self.streams if not stream.closed.is_set()]
        self.opened_names.clear()
        return super().open_input(device, on_block)


class SometimesReal:
    """The real model for one recording in so many; the others are said to be silent, since an hour has 600."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._count = 0
        transcriber = Transcriber(find_model())
        self._real = SecondLook(transcriber, lambda _heard: False)

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        self._real.load()

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        self._count += 1
        if self._every and self._count % self._every == 0:
            return self._real.transcribe(recording, bias=bias)
        return transcript("", "silent", recording.duration_s)

    def interrupt(self) -> None:
        self._real.interrupt()

    def close(self) -> None:
        self._real.close()


class Screen:
    """What is expected: never understood, so that each clip is heard twice."""

    def look(self) -> tuple[str, ...]:
        return ("undo that", "click save")

    def understands(self, heard: Transcript) -> bool:  # noqa: ARG002
        return False

    def is_clear(self, heard: Transcript) -> bool:  # noqa: ARG002
        return False


class Soak:
    """One controller and its device."""

    def __init__(self, *, model_every: int) -> None:
        self.sound = SoakSound(RATE_HZ)
        self.controller = ListeningController(
            self.sound, lambda: SometimesReal(model_every), partials=False, expectation=Screen()
        )
        self.ended: Counter[str] = Counter()
        self._loop = QEventLoop()
        for name in ("utterance_transcribed", "nothing_heard", "failed"):
            getattr(self.controller, name).connect(lambda _what, name=name: self._end(name))
        self.controller.warm_up()
        self._sounds = cycle([_at_rate(recording(name).samples) for name in ("save-joe", "train-slt", "fan")])
        self._acts = cycle(["speak", "speak", "cancel", "speak", "unplug", "speak"])
        self._stream = self.sound.wait_open()

    def run(self, seconds: float) -> Gauge:
        """Uses it for so many seconds of sound."""
        left = seconds
        while left > 0:
            left -= self._pause(4.0)
            left -= self._act(next(self._acts), next(self._sounds))
        gc.collect()
        return Gauge(
            sum(self.ended.values()),
            memory_mb(),
            threading.active_count(),
            sum(not stream.closed.is_set() for stream in self.sound.streams),
        )

    def close(self) -> None:
        """Ends the threads."""
        self.controller.shutdown()

    def _act(self, act: str, sound: Samples) -> float:
        self.controller.press()
        self._deliver(sound)
        if act == "cancel":
            self.controller.cancel()
        elif act == "unplug":
            self._stream.is_active = False
            self._wait()
            self._stream = self.sound.wait_open()
            self.controller.release()
        else:
            self.controller.release()
            self._deliver(silence(1.5))
            self._wait()
        return len(sound) / RATE_HZ + 0.5

    def _pause(self, seconds: float) -> float:
        for _ in range(round(seconds)):
            self._deliver(np.zeros(RATE_HZ, dtype=np.float32))
        return seconds

    def _deliver(self, samples: Samples) -> None:
        if self._stream.is_active:
            self._stream.deliver(samples)

    def _wait(self) -> None:
        """Until the controller has told what came of the press, and is idle."""
        timer = QTimer()
        timer.setSingleShot(True)
        timer.timeout.connect(lambda: self._loop.exit(1))
        timer.start(GIVE_UP_MS)
        device = QTimer()  # One that falls silent would be taken for one that has gone.
        device.timeout.connect(lambda: self._deliver(silence(0.02)))
        device.start(20)
        if self._loop.exec():
            raise TimeoutError(f"nothing came of a press: {self.controller.state}, {dict(self.ended)}")

    def _end(self, name: str) -> None:
        self.ended[name] += 1
        # Told in the middle of the controller's own work: leave once that is done.
        QTimer.singleShot(0, self._leave_if_idle)

    def _leave_if_idle(self) -> None:
        if self.controller.state.activity == "idle":
            self._loop.exit(0)


def memory_mb() -> float:
    """Resident memory now, or where the system doesn't tell, the most there ever was."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1e6 if sys.platform == "darwin" else 1e3)


def _at_rate(samples: Samples) -> Samples:
    at_rate: Samples = soxr.resample(samples, SAMPLE_RATE_HZ, RATE_HZ)
    return at_rate
