"""Ours against faster-whisper's defaults on the same clips in one run: time, ratio, word errors.

    python benchmarks/bench_voice.py [FOLDER ...]      (folders with a manifest.json; by default tests/audio)

Both use the same model, int8, and the same number of threads; each clip goes through both before the next one, so that
what else runs on the machine slows both. Times are from the samples to the transcript, of the clips with speech.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import jiwer
from faster_whisper import WhisperModel

from app.voice import audio_file
from app.voice.hypotheses import plain
from app.voice.models import DEFAULT_MODEL, find_model
from app.voice.transcriber import Transcriber
from app.voice.types import Recording

DEFAULT_FOLDER = Path(__file__).parent.parent / "tests" / "audio"
BIAS = ("set the status to accepted", "click save", "undo that", "new speaker", "discard changes", "approve")
TARGET_RATIO = 0.35


@dataclass
class Clip:
    """A recording and what is said in it."""

    recording: Recording
    text: str


@dataclass
class Result:
    """What one way of transcribing made of all clips."""

    name: str
    run: Callable[[Recording], tuple[str, ...]]
    seconds: list[float] = field(default_factory=list)
    errors: int = 0
    words: int = 0
    exact: int = 0
    among: int = 0
    invented: int = 0

    def take(self, clip: Clip) -> None:
        """Transcribes a clip and counts."""
        started = time.perf_counter()
        readings = tuple(plain(text) for text in self.run(clip.recording))
        seconds = time.perf_counter() - started
        said = plain(clip.text)
        best = readings[0] if readings else ""
        if not said:
            self.invented += bool(best)
            return
        self.seconds.append(seconds)
        compared = jiwer.process_words(said, best or "-")
        self.errors += compared.substitutions + compared.deletions + compared.insertions
        self.words += len(said.split())
        self.exact += best == said
        self.among += said in readings

    def line(self, spoken: int) -> str:
        """One line of the table."""
        ordered = sorted(self.seconds)
        p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
        return (
            f"{self.name:<24} {statistics.median(ordered):>7.3f} {p95:>7.3f} {self.errors / max(1, self.words):>8.3f} "
            f"{self.exact:>4}/{spoken:<4} {self.among:>4}/{spoken:<4} {self.invented:>5}"
        )


def main() -> None:
    """Prints the table and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[DEFAULT_FOLDER])
    clips = [clip for folder in parser.parse_args().folders for clip in read(folder)]
    threads = min(4, os.cpu_count() or 1)
    model = find_model(DEFAULT_MODEL)
    ours = Transcriber(model, cpu_threads=threads)
    stock = WhisperModel(str(model), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True)

    def stock_defaults(recording: Recording) -> tuple[str, ...]:
        segments, _ = stock.transcribe(recording.samples)
        return ("".join(segment.text for segment in segments),)

    def hypotheses(bias: tuple[str, ...]) -> Callable[[Recording], tuple[str, ...]]:
        return lambda recording: tuple(each.text for each in ours.transcribe(recording, bias=bias).hypotheses)

    results = [
        Result("faster-whisper defaults", stock_defaults),
        Result("ours", hypotheses(())),
        Result("ours, screen's words", hypotheses(BIAS)),
    ]
    for result in results:
        result.run(clips[0].recording)
    for clip in clips:
        for result in results:
            result.take(clip)
    spoken = sum(bool(clip.text) for clip in clips)
    print(f"{DEFAULT_MODEL}, int8, {threads} threads, {len(clips)} clips ({spoken} with speech)")
    print(f"{'':<24} {'median':>7} {'p95':>7} {'word err':>8} {'best':>9} {'among':>9} {'made up':>7}")
    for result in results:
        print(result.line(spoken))
    for result in results[1:]:
        ratio = statistics.median(result.seconds) / statistics.median(results[0].seconds)
        print(f"{result.name}: {ratio:.2f} x the median of faster-whisper's defaults (wanted: <= {TARGET_RATIO})")


def read(folder: Path) -> list[Clip]:
    """The clips of a folder's manifest."""
    entries = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return [Clip(audio_file.load(folder / entry["file"]), entry["text"]) for entry in entries]


if __name__ == "__main__":
    main()
