"""Ring buffer and capture: not one sample is lost or heard twice between the device and the recogniser."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from voice_kit import counted, silence, tone

from app.voice.capture import Capture
from app.voice.resample import MonoResampler
from app.voice.ring import RingBuffer
from app.voice.types import SAMPLE_RATE_HZ, Recording

LEVEL = 1 / 2**20


def taken(capture: Capture) -> Recording:
    recording = capture.take()
    assert recording is not None
    return recording


@given(st.lists(st.tuples(st.integers(0, 60), st.booleans()), max_size=30))
def test_ring_gives_back_what_was_written(steps: list[tuple[int, bool]]) -> None:
    ring = RingBuffer(100, 1)
    written = read = 0
    for frames, reads in steps:
        ring.write(counted(written, frames)[:, None])
        written += frames
        if reads:
            expected_start = max(read, written - 100)
            assert np.array_equal(ring.read()[:, 0], counted(expected_start, written - expected_start))
            read = written
    assert ring.written_frames == written


def test_ring_keeps_the_newest_and_counts_what_was_lost() -> None:
    ring = RingBuffer(100, 2)
    ring.write(np.repeat(counted(0, 250)[:, None], 2, axis=1))
    assert ring.unread_frames == 100, "what is lost will never come"
    assert np.array_equal(ring.read()[:, 1], counted(150, 100))
    assert ring.lost_frames == 150


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=20))
def test_resampling_in_pieces_is_resampling_whole(sizes: list[int]) -> None:
    sound = tone(sum(sizes) / 48_000, 48_000)[: sum(sizes)]
    whole = MonoResampler(48_000)
    expected = np.concatenate((whole.feed(sound), whole.finish()))
    pieces = MonoResampler(48_000)
    cuts = np.cumsum(sizes)[:-1]
    heard = np.concatenate((*(pieces.feed(part) for part in np.split(sound, cuts)), pieces.finish()))
    assert np.allclose(heard, expected, atol=1e-6)


def test_speech_that_begins_before_the_key_is_kept() -> None:
    capture = Capture(SAMPLE_RATE_HZ, pre_roll_s=0.3, release_tail_s=0.2)
    for block in np.split(counted(0, 16_000), 50):
        capture.feed(block)
    capture.start()
    capture.feed(counted(16_000, 320))
    capture.stop()
    for block in np.split(counted(16_320, 6400), 20):
        capture.feed(block)
    heard = taken(capture).samples
    assert heard[0] <= (16_000 - 4800) * LEVEL, "0.3 s before the key went down"
    assert heard[0] >= (16_000 - 4800 - 320) * LEVEL, "and hardly more"
    assert np.allclose(np.diff(heard), LEVEL), "no gap, nothing twice"
    assert round(heard[-1] / LEVEL) == 16_320 + 3200 - 1, "0.2 s after it came up"


def test_the_program_s_own_voice_before_the_key_is_not_kept() -> None:
    capture = Capture(SAMPLE_RATE_HZ)
    capture.feed(tone(1.0))
    capture.start(pre_roll=False)
    capture.feed(silence(0.5))
    capture.cut()
    assert not np.any(taken(capture).samples)


def test_the_last_buffer_is_waited_for() -> None:
    """At key-up the device still holds back what it heard; that comes in later, and is kept."""
    capture = Capture(SAMPLE_RATE_HZ, pre_roll_s=0, release_tail_s=0.2)
    capture.start()
    capture.feed(counted(0, 1600))
    capture.stop(late_s=0.1)
    assert capture.take() is None
    capture.feed(counted(1600, 3200))
    assert capture.take() is None
    assert capture.is_recording
    capture.feed(counted(4800, 3200))
    assert len(taken(capture).samples) == 1600 + 4800
    assert not capture.is_recording


def test_a_press_within_the_release_tail_goes_on_with_the_recording() -> None:
    """Auto-repeat as press and release every 30 ms: one recording, without a gap."""
    capture = Capture(SAMPLE_RATE_HZ, pre_roll_s=0)
    capture.start()
    for position in range(0, 16_000, 480):
        capture.feed(counted(position, 480))
        capture.stop()
        capture.start()
    capture.stop()
    capture.feed(counted(16_320, 4000))
    heard = taken(capture).samples
    assert np.allclose(np.diff(heard), LEVEL)
    assert len(heard) == 16_320 + 3200


def test_discard_leaves_nothing_for_the_next_recording() -> None:
    capture = Capture(SAMPLE_RATE_HZ, pre_roll_s=0)
    capture.start()
    capture.feed(tone(1.0))
    capture.discard()
    assert capture.take() is None
    capture.start()
    capture.feed(silence(0.2))
    capture.cut()
    assert not np.any(taken(capture).samples)


def test_a_stuck_key_ends_by_itself() -> None:
    capture = Capture(SAMPLE_RATE_HZ, pre_roll_s=0, longest_s=2)
    capture.start()
    for _ in range(50):
        capture.feed(silence(0.1))
    assert taken(capture).duration_s == 2


@pytest.mark.parametrize("rate_hz", [44_100, 48_000, 192_000])
def test_native_rates_and_stereo(rate_hz: int) -> None:
    capture = Capture(rate_hz, pre_roll_s=0)
    capture.start()
    sound = tone(1.0, rate_hz)
    capture.feed(np.repeat(sound[:, None], 2, axis=1))
    assert capture.level == pytest.approx(0.3 / np.sqrt(2), rel=0.05)
    capture.cut()
    heard = taken(capture)
    assert heard.duration_s == pytest.approx(1.0, abs=0.001)
    assert np.max(np.abs(heard.samples[1000:-1000] - tone(1.0)[1000:-1000])) < 0.01


def test_partials_see_what_was_recorded_so_far() -> None:
    capture = Capture(SAMPLE_RATE_HZ, pre_roll_s=0)
    assert capture.so_far().duration_s == 0
    capture.start()
    capture.feed(tone(0.5))
    assert capture.so_far().duration_s == 0.5
