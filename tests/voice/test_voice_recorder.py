"""The recorder with devices that are late, busy, unplugged, muted or dead."""

from __future__ import annotations

import queue
import threading
import tracemalloc
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray
from voice_kit import NO_MICROPHONE, WAIT_S, FakeSound, FakeStream, counted, silence, tone

from app.voice import recorder as recorder_module
from app.voice.capture import Capture
from app.voice.recorder import FIRST_BLOCK_WITHIN_S, GONE, NEXT_BLOCK_WITHIN_S, NOT_READY, POLL_S, Recorder
from app.voice.sound_system import InputDevice
from app.voice.types import Recording


@dataclass
class Told:
    """A listener that keeps what it is told."""

    started: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    opened: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    levels: list[float] = field(default_factory=list)
    finished: queue.Queue[tuple[int, Recording, str]] = field(default_factory=queue.Queue)
    failed: queue.Queue[str] = field(default_factory=queue.Queue)

    def recording_started(self) -> None:
        self.started.release()

    def microphone_opened(self) -> None:
        self.opened.release()

    def level_measured(self, level: float) -> None:
        self.levels.append(level)

    def recording_finished(self, token: int, recording: Recording, problem: str) -> None:
        self.finished.put((token, recording, problem))

    def microphone_failed(self, message: str) -> None:
        self.failed.put(message)

    def next_recording(self) -> tuple[int, Recording, str]:
        return self.finished.get(timeout=WAIT_S)


@pytest.fixture
def sound() -> FakeSound:
    return FakeSound()


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def recorder(sound: FakeSound, told: Told) -> Iterator[Recorder]:
    recorder = Recorder(told, sound)
    yield recorder
    recorder.close()
    assert all(stream.closed.is_set() for stream in sound.streams)


def ready(sound: FakeSound, told: Told) -> FakeStream:
    """Waits until one more stream is open and the recorder says so: a key that comes up before is too early."""
    stream = sound.wait_open()
    assert told.opened.acquire(timeout=WAIT_S)
    return stream


def opened(recorder: Recorder, sound: FakeSound, told: Told) -> FakeStream:
    """A recorder that is warm, with its stream."""
    recorder.warm_up()
    return ready(sound, told)


def record(recorder: Recorder, stream: FakeStream, token: int = 1) -> None:
    """Presses, speaks for half a second, lets go, and delivers the release tail."""
    recorder.start(token)
    stream.deliver(tone(0.5, 48_000))
    recorder.stop()
    stream.deliver(tone(0.5, 48_000))


def test_a_warm_stream_keeps_the_first_sample_at_once(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound, told)
    stream.deliver(silence(1.0))
    record(recorder, stream, token=7)
    token, recording, problem = told.next_recording()
    assert (token, problem) == (7, "")
    assert 0.5 + 0.2 <= recording.duration_s + 0.02 <= 0.5 + 0.2 + 1.0
    assert told.started.acquire(timeout=WAIT_S)
    assert len(sound.streams) == 1


def test_a_cold_stream_is_opened_and_closed_around_each_recording(sound: FakeSound, told: Told) -> None:
    recorder = Recorder(told, sound, keep_warm=False)
    recorder.warm_up()
    for token in (1, 2):
        recorder.start(token)
        stream = ready(sound, told)
        assert told.started.acquire(timeout=WAIT_S)
        record(recorder, stream, token)
        assert told.next_recording()[0] == token
        assert stream.closed.wait(WAIT_S)
    recorder.close()
    assert len(sound.streams) == 2


class Clock:
    """The recorder's clock. It stands, but for the steps that a test gives it, one at each look."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.steps: deque[float] = deque()
        self.looked = threading.Semaphore(0)

    def monotonic(self) -> float:
        if self.steps:
            self.now += self.steps.popleft()
        self.looked.release()
        return self.now

    def wait_for_looks(self, count: int) -> None:
        """Waits until the recorder has looked so often from now on."""
        while self.looked.acquire(blocking=False):
            pass
        for _ in range(count):
            assert self.looked.acquire(timeout=WAIT_S), "the recorder does not look"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A test asks for it before the recorder, whose thread reads it. The recorder looks without delay."""
    clock = Clock()
    monkeypatch.setattr(recorder_module, "time", clock)
    monkeypatch.setattr(recorder_module, "IDLE_POLL_S", 0.001)
    monkeypatch.setattr(recorder_module, "POLL_S", 0.001)
    return clock


def test_first_callback_comes_late(
    clock: Clock, recorder: Recorder, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream may take longer for its first block than the watchdog allows between blocks."""
    monkeypatch.setattr(recorder_module, "FIRST_BLOCK_WITHIN_S", FIRST_BLOCK_WITHIN_S)
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", NEXT_BLOCK_WITHIN_S)
    recorder.start(1)
    stream = ready(sound, told)
    clock.steps.extend([0.1] * 20)
    clock.wait_for_looks(25)
    record(recorder, stream)
    assert told.next_recording()[2] == ""


@pytest.mark.parametrize("recording", [False, True])
def test_a_machine_that_was_suspended_has_its_microphone_still(
    clock: Clock,
    recorder: Recorder,
    sound: FakeSound,
    told: Told,
    monkeypatch: pytest.MonkeyPatch,
    *,
    recording: bool,
) -> None:
    """An hour passes between two looks, several times, and the device needs a moment before it delivers again."""
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", NEXT_BLOCK_WITHIN_S)
    stream = opened(recorder, sound, told)
    if recording:
        recorder.start(1)
    for _ in range(10):
        stream.deliver(tone(0.1, 48_000))
        clock.wait_for_looks(3)
        clock.steps.append(3600.0)
        clock.wait_for_looks(3)
    record(recorder, stream)
    assert told.next_recording()[2] == ""
    assert sound.streams == [stream]
    assert not stream.closed.is_set()


def test_a_stream_that_stops_calling_back_is_ended_within_a_second(
    clock: Clock, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", NEXT_BLOCK_WITHIN_S)
    recorder = Recorder(told, sound, keep_warm=False)  # It doesn't look once the stream has gone.
    recorder.start(1)
    ready(sound, told).deliver(tone(0.5, 48_000))
    clock.wait_for_looks(3)
    began = clock.now
    clock.steps.extend([POLL_S] * 100)
    assert told.next_recording()[2] == GONE
    assert clock.now - began <= 1.0 + 2 * POLL_S
    recorder.close()


def test_unplugged_while_recording_gives_what_was_recorded(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound, told)
    recorder.start(3)
    stream.deliver(tone(0.7, 48_000))
    stream.is_active = False
    token, recording, problem = told.next_recording()
    assert (token, problem) == (3, GONE)
    assert recording.duration_s == pytest.approx(0.7, abs=0.05)
    assert stream.closed.wait(WAIT_S)


def test_a_stream_that_stops_calling_back_is_ended_by_the_watchdog(
    recorder: Recorder, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", 0.1)
    stream = opened(recorder, sound, told)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    _, recording, problem = told.next_recording()
    assert problem == GONE
    assert recording.duration_s == pytest.approx(0.5, abs=0.05)


def test_stalled_between_release_and_the_last_buffer(
    recorder: Recorder, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", 0.1)
    stream = opened(recorder, sound, told)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    recorder.stop()
    assert told.next_recording()[1].duration_s == pytest.approx(0.5, abs=0.05)


def plugged_in(sound: FakeSound, *devices: InputDevice) -> None:
    """What is there from now on, the default first."""
    sound.devices = devices


DESK = InputDevice("Desk microphone", 48_000, 1, is_default=True)
HEADSET = InputDevice("Headset", 44_100, 2)


@pytest.fixture
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Devices that come or go are looked for each time, not every second."""
    monkeypatch.setattr(recorder_module, "LOOK_FOR_DEVICES_EVERY_S", 0.01)
    monkeypatch.setattr(recorder_module, "IDLE_POLL_S", 0.01)


def test_unplugged_while_idle_another_one_is_warm_at_once(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    first = opened(recorder, sound, told)
    first.deliver(silence(0.1))
    first.is_active = False
    assert first.closed.wait(WAIT_S)
    second = ready(sound, told)
    record(recorder, second, token=2)
    assert told.next_recording()[2] == ""
    assert told.failed.empty(), "nobody had asked for anything"


@pytest.mark.usefixtures("looks_at_once")
def test_the_only_one_unplugged_while_idle_and_replugged(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    first = opened(recorder, sound, told)
    plugged_in(sound)
    first.is_active = False
    assert told.failed.get(timeout=WAIT_S) == NO_MICROPHONE
    plugged_in(sound, DESK)
    record(recorder, ready(sound, told), token=2)
    assert told.next_recording()[2] == ""


@pytest.mark.usefixtures("looks_at_once")
def test_unplugged_while_recording_and_replugged_before_the_next_press(
    recorder: Recorder, sound: FakeSound, told: Told
) -> None:
    first = opened(recorder, sound, told)
    recorder.start(1)
    first.deliver(tone(0.5, 48_000))
    plugged_in(sound)
    first.is_active = False
    assert told.next_recording()[2] == GONE
    assert told.failed.get(timeout=WAIT_S) == NO_MICROPHONE
    plugged_in(sound, DESK)
    record(recorder, ready(sound, told), token=2)
    assert told.next_recording()[:1] == (2,)


@pytest.mark.usefixtures("looks_at_once")
def test_the_remembered_microphone_is_taken_again_when_it_is_back(sound: FakeSound, told: Told) -> None:
    """By name: unplugged, replugged, its place in the list another one."""
    plugged_in(sound, DESK, HEADSET)
    recorder = Recorder(told, sound, device="Headset")
    headset = opened(recorder, sound, told)
    plugged_in(sound, DESK)
    headset.is_active = False
    desk = ready(sound, told)
    plugged_in(sound, HEADSET, DESK)
    assert desk.closed.wait(WAIT_S)
    record(recorder, ready(sound, told))
    assert told.next_recording()[0] == 1
    assert sound.opened_names == ["Headset", "Desk microphone", "Headset"]
    recorder.close()


@pytest.mark.usefixtures("looks_at_once")
@pytest.mark.parametrize("told_by_system", [True, False])
def test_the_default_changes_while_idle(
    recorder: Recorder, sound: FakeSound, told: Told, *, told_by_system: bool
) -> None:
    """Where the system doesn't tell, coming back to the window looks again."""
    sound.tells_changes = told_by_system
    first = opened(recorder, sound, told)
    plugged_in(sound, HEADSET, DESK)
    if not told_by_system:
        recorder.look_for_devices()
    assert first.closed.wait(WAIT_S)
    record(recorder, ready(sound, told))
    assert told.next_recording()[0] == 1
    assert sound.opened_names[-1] == "Headset"


@pytest.mark.usefixtures("looks_at_once")
@pytest.mark.parametrize("told_by_system", [True, False])
def test_the_default_changes_while_recording(
    recorder: Recorder, sound: FakeSound, told: Told, *, told_by_system: bool
) -> None:
    """The recording is not cut; the new one is taken after it."""
    sound.tells_changes = told_by_system
    first = opened(recorder, sound, told)
    recorder.start(1)
    first.deliver(tone(0.5, 48_000))
    plugged_in(sound, HEADSET, DESK)
    recorder.look_for_devices()
    first.deliver(tone(0.5, 48_000))
    recorder.stop()
    first.deliver(tone(0.5, 48_000))
    _, recording, problem = told.next_recording()
    assert (recording.duration_s >= 1.0, problem) == (True, "")
    ready(sound, told)
    assert sound.opened_names == ["Desk microphone", "Headset"]


@pytest.mark.usefixtures("looks_at_once")
def test_the_default_changes_between_two_recordings(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    first = opened(recorder, sound, told)
    record(recorder, first, token=1)
    told.next_recording()
    plugged_in(sound, HEADSET, DESK)
    record(recorder, ready(sound, told), token=2)
    assert told.next_recording()[0] == 2
    assert sound.opened_names == ["Desk microphone", "Headset"]


@pytest.mark.parametrize(
    "refusal",
    ["No microphone was found.", "The microphone is in use by another program.", "PortAudio is missing."],
)
def test_no_device_busy_or_no_portaudio_then_there_again(
    recorder: Recorder, sound: FakeSound, told: Told, refusal: str
) -> None:
    sound.refusal = refusal
    recorder.start(1)
    assert told.failed.get(timeout=WAIT_S) == refusal
    recorder.stop()
    sound.refusal = ""
    recorder.start(2)
    record(recorder, ready(sound, told), token=2)
    assert told.next_recording()[0] == 2


def test_key_up_before_a_slow_device_has_opened(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    sound.may_open.clear()
    recorder.start(1)
    recorder.stop()
    sound.may_open.set()
    token, recording, problem = told.next_recording()
    assert (token, recording.duration_s, problem) == (1, 0, NOT_READY)
    stream = ready(sound, told)
    record(recorder, stream, token=2)
    assert told.next_recording()[0] == 2


def test_another_microphone_is_taken_by_name(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    sound.devices = (*sound.devices, InputDevice("Headset", 44_100, 2))
    first = opened(recorder, sound, told)
    recorder.use_device("Headset")
    assert first.closed.wait(WAIT_S)
    record(recorder, ready(sound, told))
    assert told.next_recording()[1].duration_s > 0.4
    recorder.use_device("Gone since")
    ready(sound, told)
    assert sound.opened_names == ["Desk microphone", "Headset", "Desk microphone"]


def test_another_microphone_chosen_while_recording_waits_for_the_end(
    recorder: Recorder, sound: FakeSound, told: Told
) -> None:
    sound.devices = (*sound.devices, InputDevice("Headset", 44_100, 2))
    first = opened(recorder, sound, told)
    recorder.start(1)
    first.deliver(tone(0.5, 48_000))
    recorder.use_device("Headset")
    first.deliver(tone(0.5, 48_000))
    recorder.stop()
    first.deliver(tone(0.5, 48_000))
    assert told.next_recording()[1].duration_s >= 1.0
    ready(sound, told)
    assert sound.opened_names == ["Desk microphone", "Headset"]
    assert first.closed.is_set()


def test_another_microphone_chosen_just_after_the_key_came_up(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    """The recording that waits for its release tail is not lost."""
    sound.devices = (*sound.devices, InputDevice("Headset", 44_100, 2))
    stream = opened(recorder, sound, told)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    recorder.stop()
    recorder.use_device("Headset")
    stream.deliver(tone(0.5, 48_000))
    assert told.next_recording()[0] == 1
    ready(sound, told)


def test_cancel_gives_nothing_and_the_next_press_works(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound, told)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    recorder.cancel()
    record(recorder, stream, token=2)
    assert told.next_recording()[0] == 2
    assert told.finished.empty()


@pytest.mark.parametrize("when", ["before", "after"])
def test_key_up_while_the_last_block_is_on_its_way_to_the_capture(
    recorder: Recorder, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """What has left the ring buffer belongs to the recording, once: counted twice, it would wait for as much again."""
    released = threading.Event()
    key_up = threading.Thread(target=recorder.stop)
    feed = Capture.feed

    def key_comes_up(capture: Capture, block: NDArray[np.float32]) -> None:
        if when == "after":
            feed(capture, block)
        if not released.is_set():
            key_up.start()
            released.set()
            key_up.join(0.1)  # It may have to wait for what happens here.
        if when == "before":
            feed(capture, block)

    stream = opened(recorder, sound, told)
    recorder.start(1)
    monkeypatch.setattr(Capture, "feed", key_comes_up)
    stream.deliver(tone(1.0, 48_000))
    assert released.wait(WAIT_S)
    key_up.join()
    stream.deliver(tone(0.5, 48_000))
    assert 1.0 + 0.2 <= told.next_recording()[1].duration_s <= 1.0 + 0.2 + 0.05


def test_ten_presses_in_one_second(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound, told)
    for press in range(10):
        recorder.start(press)
        stream.deliver(tone(0.05, 48_000))
        recorder.stop()
        stream.deliver(tone(0.05, 48_000))
    stream.deliver(tone(0.5, 48_000))
    token, recording, _ = told.next_recording()
    assert token == 9
    assert recording.duration_s > 0.2
    record(recorder, stream, token=10)
    assert told.next_recording()[0] == 10


def test_levels_are_told_while_recording_only(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound, told)
    stream.deliver(tone(0.1, 48_000))
    record(recorder, stream, token=1)
    told.next_recording()
    assert all(level == pytest.approx(0.3 / np.sqrt(2), rel=0.05) for level in told.levels)


def test_shutdown_while_recording(sound: FakeSound, told: Told) -> None:
    recorder = Recorder(told, sound)
    stream = opened(recorder, sound, told)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    recorder.close()
    assert stream.closed.is_set()
    assert told.finished.empty()


def test_an_hour_of_use_grows_nothing(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    """Accelerated: 300 utterances of a second, with silence between them."""
    stream = opened(recorder, sound, told)
    second, pause = counted(0, 48_000), silence(3.0)

    def use(times: int) -> None:
        for press in range(times):
            recorder.start(press)
            stream.deliver(second)
            recorder.stop()
            stream.deliver(pause)
            assert told.next_recording()[0] == press

    use(20)
    told.levels.clear()
    threads = threading.active_count()
    tracemalloc.start()
    try:
        use(20)
        before, _ = tracemalloc.get_traced_memory()
        use(300)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 200_000, "bytes; one second of sound alone is 64,000"
    assert threading.active_count() == threads
    assert len(sound.streams) == 1
