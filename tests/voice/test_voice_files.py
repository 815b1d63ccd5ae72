"""Sound files of every usual kind, and files that are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soundfile
from voice_kit import AUDIO, tone

from app.voice import audio_file
from app.voice.errors import AudioFileError
from app.voice.file_microphone import record_file
from app.voice.types import SAMPLE_RATE_HZ


@pytest.mark.parametrize("rate_hz", [8_000, 16_000, 22_050, 44_100, 48_000, 192_000])
@pytest.mark.parametrize("channels", [1, 2, 6])
def test_any_rate_and_channels_become_mono_16_khz(tmp_path: Path, rate_hz: int, channels: int) -> None:
    file = tmp_path / "tone.wav"
    soundfile.write(file, np.repeat(tone(0.5, rate_hz)[:, None], channels, axis=1), rate_hz, subtype="PCM_24")
    heard = audio_file.load(file).samples
    assert heard.dtype == np.float32
    assert len(heard) == pytest.approx(0.5 * SAMPLE_RATE_HZ, abs=2)
    middle = heard[2000:6000]
    assert np.max(np.abs(middle - tone(0.5)[2000:6000])) < 0.01


@pytest.mark.parametrize(
    ("suffix", "subtype"),
    [
        ("wav", "PCM_U8"),
        ("wav", "PCM_16"),
        ("wav", "PCM_24"),
        ("wav", "PCM_32"),
        ("wav", "FLOAT"),
        ("wav", "DOUBLE"),
        ("flac", "PCM_24"),
        ("ogg", "VORBIS"),
        ("mp3", "MPEG_LAYER_III"),
    ],
)
def test_any_width_and_format(tmp_path: Path, suffix: str, subtype: str) -> None:
    file = tmp_path / f"tone.{suffix}"
    soundfile.write(file, tone(1.0, 44_100), 44_100, subtype=subtype)
    heard = audio_file.load(file)
    assert heard.duration_s == pytest.approx(1.0, abs=0.1)
    assert np.sqrt(np.mean(heard.samples[3000:12000] ** 2)) == pytest.approx(0.3 / np.sqrt(2), rel=0.05)


def test_zero_seconds_give_an_empty_recording(tmp_path: Path) -> None:
    file = tmp_path / "nothing.wav"
    soundfile.write(file, np.zeros((0, 2), dtype=np.float32), 48_000)
    assert audio_file.load(file).duration_s == 0
    assert record_file(file).duration_s == 0


def test_samples_that_are_no_numbers_do_not_spread(tmp_path: Path) -> None:
    file = tmp_path / "broken.wav"
    samples = tone(0.5)
    samples[100], samples[200], samples[300] = np.nan, np.inf, 7.0
    soundfile.write(file, samples, SAMPLE_RATE_HZ, subtype="FLOAT")
    heard = audio_file.load(file).samples
    assert np.all(np.isfinite(heard))
    assert np.max(np.abs(heard)) <= 1.0


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("missing.wav", None, "There is no file"),
        ("empty.wav", b"", "is empty"),
        ("letter.wav", b"Dear sir or madam, this is not a sound.", "not a sound file"),
        ("cut.flac", b"fLaC\x00\x00", "not a sound file"),
    ],
)
def test_unreadable_file_is_said_in_words(tmp_path: Path, name: str, content: bytes | None, said: str) -> None:
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    for read in (audio_file.load, record_file):
        with pytest.raises(AudioFileError, match=said):
            read(file)


def test_folder_is_no_sound_file(tmp_path: Path) -> None:
    with pytest.raises(AudioFileError, match="is a folder"):
        audio_file.load(tmp_path)


def test_the_microphone_path_hears_what_the_file_holds() -> None:
    """Ring buffer, pre-roll and capture add and lose nothing."""
    for file in sorted(AUDIO.glob("new-speaker-*.flac")):
        assert np.array_equal(record_file(file).samples, audio_file.load(file).samples)


def test_ten_minutes_are_read_in_pieces(tmp_path: Path) -> None:
    file = tmp_path / "long.wav"
    with soundfile.SoundFile(file, "w", 44_100, 2, subtype="PCM_16") as sound:
        for _ in range(60):
            sound.write(np.zeros((441_000, 2), dtype=np.float32))
    assert audio_file.load(file).duration_s == pytest.approx(600, abs=0.01)
