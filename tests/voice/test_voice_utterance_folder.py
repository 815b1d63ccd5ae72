"""The folder of utterances: what is written is read, it stays within its bounds, and nothing else is touched."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import numpy as np
import pytest
from voice_kit import recording, tone

from app.voice.errors import AudioFileError
from app.voice.keeping import HeardRecording, KeepingRecogniser, RecentRecordings
from app.voice.types import HeardHypothesis, Recording, Transcript
from app.voice.utterance_folder import UtteranceFolder


def name(number: int) -> str:
    return f"20260503-0915{number:02}-000000-0123456789ab"


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    folder = UtteranceFolder(tmp_path / "kept")
    assert folder.names() == []
    said = recording("save-joe")
    folder.write(name(2), '{"b": "ü"}', said)
    folder.write(name(1), '{"a": 1}', None)
    assert folder.names() == [name(1), name(2)]
    assert folder.record(name(2)) == '{"b": "ü"}'
    assert folder.recording(name(1)) is None
    heard = folder.recording(name(2))
    assert heard is not None
    assert heard.sample_rate_hz == said.sample_rate_hz
    np.testing.assert_allclose(heard.samples, said.samples, atol=2**-22)


def test_too_loud_a_sound_is_clipped_not_wrapped(tmp_path: Path) -> None:
    folder = UtteranceFolder(tmp_path)
    folder.write(name(1), "{}", Recording(tone(0.1, level=1.5)))
    heard = folder.recording(name(1))
    assert heard is not None
    assert np.abs(heard.samples).max() <= 1.0
    assert np.sign(heard.samples[10]) == np.sign(tone(0.1)[10])


def test_the_oldest_go_when_there_is_too_much(tmp_path: Path) -> None:
    (tmp_path / "letter.json").write_text("mine")
    (tmp_path / "20260503-music.flac").write_bytes(bytes(90_000))
    folder = UtteranceFolder(tmp_path, limit_bytes=60_000)
    noise = Recording(np.random.default_rng(1).normal(0, 0.1, 5_000).astype(np.float32))  # Some 15 kB as FLAC.
    for number in range(8):
        folder.write(name(number), '{"x": 1}', noise)
    names = folder.names()
    assert names[-1] == name(7)
    assert 2 <= len(names) <= 4
    assert names == [name(number) for number in range(8 - len(names), 8)]
    assert {path.name for path in tmp_path.glob("*.flac")} == {
        "20260503-music.flac",
        *(f"{each}.flac" for each in names),
    }
    assert (tmp_path / "letter.json").read_text() == "mine"


def test_one_larger_than_all_is_not_kept(tmp_path: Path) -> None:
    folder = UtteranceFolder(tmp_path, limit_bytes=1_000)
    folder.write(name(1), "x" * 2_000, None)
    assert folder.names() == []


@pytest.mark.skipif(sys.platform == "win32", reason="other rights there")
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    folder = UtteranceFolder(tmp_path / "kept")
    folder.write(name(1), "{}", recording("save-joe"))
    assert stat.S_IMODE(folder.folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.folder.iterdir()} == {0o600}


def test_a_folder_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        UtteranceFolder(tmp_path / "file").write(name(1), "{}", None)


def test_a_damaged_sound_is_told(tmp_path: Path) -> None:
    folder = UtteranceFolder(tmp_path)
    folder.write(name(1), "{}", None)
    (tmp_path / f"{name(1)}.flac").write_bytes(b"no sound")
    with pytest.raises(AudioFileError):
        folder.recording(name(1))


class Parrot:
    """A recogniser that gives what it is told: how the sound behind a transcript is found is the matter here."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.said = "one"

    def rehearse(self) -> None:
        pass

    def load(self) -> None:
        self.calls.append("load")

    def transcribe(self, recording: Recording, *, bias: tuple[str, ...] = ()) -> Transcript:
        self.calls.append(" ".join(bias))
        return Transcript(self.said, (HeardHypothesis(self.said, -0.25),), "en", "speech", recording.duration_s, 1.0)

    def interrupt(self) -> None:
        self.calls.append("interrupt")

    def close(self) -> None:
        self.calls.append("close")


def test_the_sound_behind_the_last_transcripts_is_at_hand() -> None:
    recordings, parrot = RecentRecordings(wanted=True), Parrot()
    recogniser = KeepingRecogniser(parrot, recordings)
    recogniser.load()
    sounds = [Recording(tone(0.1 * (number + 1))) for number in range(6)]
    for number, sound in enumerate(sounds):
        parrot.said = f"number {number}"
        assert recogniser.transcribe(sound, bias=("save",)).text == f"number {number}"
    found = recordings.of([HeardHypothesis("number 5", -0.25)])
    assert found is not None
    assert (found.recording, found.bias) == (sounds[5], ("save",))
    assert recordings.of([HeardHypothesis("number 0", -0.25)]) is None  # Too long ago.
    assert recordings.of([HeardHypothesis("number 5", -0.5)]) is None
    recogniser.interrupt()
    recogniser.close()
    assert parrot.calls == ["load", *["save"] * 6, "interrupt", "close"]


def test_no_sound_is_remembered_where_nobody_wants_it() -> None:
    recordings = RecentRecordings(wanted=True)
    heard = HeardRecording(
        Recording(tone(0.1)), (), Transcript("a", (HeardHypothesis("a", 0.0),), "en", "speech", 0.1, 1.0)
    )
    recordings.remember(heard)
    recordings.wanted = False
    recordings.remember(heard)
    assert recordings.of(heard.transcript.hypotheses) is None
