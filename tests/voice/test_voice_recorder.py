"""The recorder with devices that are late, busy, unplugged, muted or dead."""

from __future__ import annotations

import queue
import threading
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray
from voice_kit import NO_MICROPHONE, WAIT_S, FakeSound, FakeStream, counted, silence, tone

from app.voice import recorder as recorder_module
from app.voice.capture import Capture
from app.voice.recorder import GONE, NOT_READY, Recorder
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


def opened(recorder: Recorder, sound: FakeSound) -> FakeStream:
    """A recorder that is warm, with its stream."""
    recorder.warm_up()
    return sound.wait_open()


def record(recorder: Recorder, stream: FakeStream, token: int = 1) -> None:
    """Presses, speaks for half a second, lets go, and delivers the release tail."""
    recorder.start(token)
    stream.deliver(tone(0.5, 48_000))
    recorder.stop()
    stream.deliver(tone(0.5, 48_000))


def test_a_warm_stream_keeps_the_first_sample_at_once(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound)
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
        stream = sound.wait_open()
        assert told.started.acquire(timeout=WAIT_S)
        record(recorder, stream, token)
        assert told.next_recording()[0] == token
        assert stream.closed.wait(WAIT_S)
    recorder.close()
    assert len(sound.streams) == 2


def test_first_callback_comes_late(
    recorder: Recorder, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream may take longer for its first block than the watchdog allows between blocks."""
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", 0.0)
    recorder.start(1)
    stream = sound.wait_open()
    with pytest.raises(queue.Empty):
        told.finished.get(timeout=0.2)
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", 1.0)
    record(recorder, stream)
    assert told.next_recording()[2] == ""


def test_unplugged_while_recording_gives_what_was_recorded(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound)
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
    assert recorder_module.NEXT_BLOCK_WITHIN_S <= 1.0
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", 0.1)
    stream = opened(recorder, sound)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    _, recording, problem = told.next_recording()
    assert problem == GONE
    assert recording.duration_s == pytest.approx(0.5, abs=0.05)


def test_stalled_between_release_and_the_last_buffer(
    recorder: Recorder, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "NEXT_BLOCK_WITHIN_S", 0.1)
    stream = opened(recorder, sound)
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
    first = opened(recorder, sound)
    first.deliver(silence(0.1))
    first.is_active = False
    assert first.closed.wait(WAIT_S)
    second = sound.wait_open()
    record(recorder, second, token=2)
    assert told.next_recording()[2] == ""
    assert told.failed.empty(), "nobody had asked for anything"


@pytest.mark.usefixtures("looks_at_once")
def test_the_only_one_unplugged_while_idle_and_replugged(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    first = opened(recorder, sound)
    plugged_in(sound)
    first.is_active = False
    assert told.failed.get(timeout=WAIT_S) == NO_MICROPHONE
    plugged_in(sound, DESK)
    record(recorder, sound.wait_open(), token=2)
    assert told.next_recording()[2] == ""


@pytest.mark.usefixtures("looks_at_once")
def test_unplugged_while_recording_and_replugged_before_the_next_press(
    recorder: Recorder, sound: FakeSound, told: Told
) -> None:
    first = opened(recorder, sound)
    recorder.start(1)
    first.deliver(tone(0.5, 48_000))
    plugged_in(sound)
    first.is_active = False
    assert told.next_recording()[2] == GONE
    assert told.failed.get(timeout=WAIT_S) == NO_MICROPHONE
    plugged_in(sound, DESK)
    record(recorder, sound.wait_open(), token=2)
    assert told.next_recording()[:1] == (2,)


@pytest.mark.usefixtures("looks_at_once")
def test_the_remembered_microphone_is_taken_again_when_it_is_back(sound: FakeSound, told: Told) -> None:
    """By name: unplugged, replugged, its place in the list another one."""
    plugged_in(sound, DESK, HEADSET)
    recorder = Recorder(told, sound, device="Headset")
    headset = opened(recorder, sound)
    plugged_in(sound, DESK)
    headset.is_active = False
    desk = sound.wait_open()
    plugged_in(sound, HEADSET, DESK)
    assert desk.closed.wait(WAIT_S)
    record(recorder, sound.wait_open())
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
    first = opened(recorder, sound)
    plugged_in(sound, HEADSET, DESK)
    if not told_by_system:
        recorder.look_for_devices()
    assert first.closed.wait(WAIT_S)
    record(recorder, sound.wait_open())
    assert told.next_recording()[0] == 1
    assert sound.opened_names[-1] == "Headset"


@pytest.mark.usefixtures("looks_at_once")
@pytest.mark.parametrize("told_by_system", [True, False])
def test_the_default_changes_while_recording(
    recorder: Recorder, sound: FakeSound, told: Told, *, told_by_system: bool
) -> None:
    """The recording is not cut; the new one is taken after it."""
    sound.tells_changes = told_by_system
    first = opened(recorder, sound)
    recorder.start(1)
    first.deliver(tone(0.5, 48_000))
    plugged_in(sound, HEADSET, DESK)
    recorder.look_for_devices()
    first.deliver(tone(0.5, 48_000))
    recorder.stop()
    first.deliver(tone(0.5, 48_000))
    _, recording, problem = told.next_recording()
    assert (recording.duration_s >= 1.0, problem) == (True, "")
    sound.wait_open()
    assert sound.opened_names == ["Desk microphone", "Headset"]


@pytest.mark.usefixtures("looks_at_once")
def test_the_default_changes_between_two_recordings(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    first = opened(recorder, sound)
    record(recorder, first, token=1)
    told.next_recording()
    plugged_in(sound, HEADSET, DESK)
    record(recorder, sound.wait_open(), token=2)
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
    record(recorder, sound.wait_open(), token=2)
    assert told.next_recording()[0] == 2


def test_key_up_before_a_slow_device_has_opened(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    sound.may_open.clear()
    recorder.start(1)
    recorder.stop()
    sound.may_open.set()
    token, recording, problem = told.next_recording()
    assert (token, recording.duration_s, problem) == (1, 0, NOT_READY)
    stream = sound.wait_open()
    record(recorder, stream, token=2)
    assert told.next_recording()[0] == 2


def test_another_microphone_is_taken_by_name(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    sound.devices = (*sound.devices, InputDevice("Headset", 44_100, 2))
    first = opened(recorder, sound)
    recorder.use_device("Headset")
    assert first.closed.wait(WAIT_S)
    record(recorder, sound.wait_open())
    assert told.next_recording()[1].duration_s > 0.4
    recorder.use_device("Gone since")
    sound.wait_open()
    assert sound.opened_names == ["Desk microphone", "Headset", "Desk microphone"]


def test_another_microphone_chosen_while_recording_waits_for_the_end(
    recorder: Recorder, sound: FakeSound, told: Told
) -> None:
    sound.devices = (*sound.devices, InputDevice("Headset", 44_100, 2))
    first = opened(recorder, sound)
    recorder.start(1)
    first.deliver(tone(0.5, 48_000))
    recorder.use_device("Headset")
    first.deliver(tone(0.5, 48_000))
    recorder.stop()
    first.deliver(tone(0.5, 48_000))
    assert told.next_recording()[1].duration_s >= 1.0
    sound.wait_open()
    assert sound.opened_names == ["Desk microphone", "Headset"]
    assert first.closed.is_set()


def test_another_microphone_chosen_just_after_the_key_came_up(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    """The recording that waits for its release tail is not lost."""
    sound.devices = (*sound.devices, InputDevice("Headset", 44_100, 2))
    stream = opened(recorder, sound)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    recorder.stop()
    recorder.use_device("Headset")
    stream.deliver(tone(0.5, 48_000))
    assert told.next_recording()[0] == 1
    sound.wait_open()


def test_cancel_gives_nothing_and_the_next_press_works(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    recorder.cancel()
    record(recorder, stream, token=2)
    assert told.next_recording()[0] == 2
    assert told.finished.empty()


def test_key_up_while_the_last_block_is_on_its_way_to_the_capture(
    recorder: Recorder, sound: FakeSound, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has left the ring buffer and isn't in the capture yet belongs to the recording as well."""
    feeding, may_feed = threading.Event(), threading.Event()
    feed = Capture.feed

    def slowly(capture: Capture, block: NDArray[np.float32]) -> None:
        feeding.set()
        may_feed.wait(WAIT_S)
        feed(capture, block)

    monkeypatch.setattr(Capture, "feed", slowly)
    stream = opened(recorder, sound)
    recorder.start(1)
    stream.deliver(tone(1.0, 48_000))
    assert feeding.wait(WAIT_S)
    recorder.stop()
    may_feed.set()
    stream.deliver(tone(0.5, 48_000))
    assert told.next_recording()[1].duration_s >= 1.0 + 0.2


def test_ten_presses_in_one_second(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    stream = opened(recorder, sound)
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
    stream = opened(recorder, sound)
    stream.deliver(tone(0.1, 48_000))
    record(recorder, stream, token=1)
    told.next_recording()
    assert all(level == pytest.approx(0.3 / np.sqrt(2), rel=0.05) for level in told.levels)


def test_shutdown_while_recording(sound: FakeSound, told: Told) -> None:
    recorder = Recorder(told, sound)
    stream = opened(recorder, sound)
    recorder.start(1)
    stream.deliver(tone(0.5, 48_000))
    recorder.close()
    assert stream.closed.is_set()
    assert told.finished.empty()


def test_an_hour_of_use_grows_nothing(recorder: Recorder, sound: FakeSound, told: Told) -> None:
    """Accelerated: 300 utterances of a second, with silence between them."""
    stream = opened(recorder, sound)
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
