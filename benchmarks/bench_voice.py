"""From the end of a recording to the proposal: ours, faster-whisper's defaults, and whisper.cpp, in one run.

    python benchmarks/bench_voice.py [FOLDER ...]      (folders with a manifest.json; by default tests/audio)

All recognise with tiny.en on the same number of threads, and all feed the same command backend with the screens of the
real window. Each clip goes through each of them before the next one, so that what else runs on the machine slows all.
Times are of the clips with speech. whisper.cpp needs the package pywhispercpp, and its weights (GREENROOM_GGML_MODEL,
the path of a file ggml-tiny.en.bin): without them its column is left out, and that is said.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jiwer
from faster_whisper import WhisperModel
from voice_proposals import Action, Proposer, expected, real_screens

from app.desk.expecting import ScreenExpectation
from app.desk.heard import utterance_of
from app.desk.recogniser import hearing_twice
from app.voice import audio_file
from app.voice.hypotheses import plain
from app.voice.models import DEFAULT_MODEL, SpeechModels, find_model
from app.voice.moonshine.files import find_moonshine
from app.voice.remote_recogniser import RemoteRecogniser
from app.voice.types import HeardHypothesis, Recording, Transcript

DEFAULT_FOLDER = Path(__file__).parent.parent / "tests" / "audio"
TARGET_RATIO = 0.35


@dataclass
class Clip:
    """A recording, what is said in it, and what it must propose."""

    name: str
    recording: Recording
    text: str
    page: str
    wanted: list[Action]


@dataclass
class Result:
    """What one recogniser came to with all clips."""

    name: str
    hear: Callable[[Clip], Transcript]
    seconds: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    errors: int = 0
    words: int = 0

    def take(self, clip: Clip, proposer: Proposer, *, verbose: bool) -> None:
        """Hears a clip, proposes, and counts."""
        started = time.perf_counter()
        transcript = self.hear(clip)
        utterance = utterance_of(transcript)
        proposed = proposer.propose(clip.page, utterance) if utterance is not None else []
        seconds = time.perf_counter() - started
        outcome = _outcome(proposed, clip.wanted)
        self.outcomes[outcome] += 1
        if verbose and outcome not in ("right", "quiet"):
            print(
                f"{self.name:<24} {outcome:<7} {clip.name:<32} {clip.text!r} heard {transcript.text!r} got {proposed}"
            )
        if clip.text:
            self.seconds.append(seconds)
            compared = jiwer.process_words(plain(clip.text), plain(transcript.text) or "-")
            self.errors += compared.substitutions + compared.deletions + compared.insertions
            self.words += len(plain(clip.text).split())

    def line(self) -> str:
        """One line of the table."""
        ordered = sorted(self.seconds)
        p95 = ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]
        counts = " ".join(f"{self.outcomes[name]:>7}" for name in ("right", "wrong", "missed", "false"))
        errors = self.errors / max(1, self.words)
        return f"{self.name:<24} {statistics.median(ordered):>7.3f} {p95:>7.3f} {counts} {errors:>8.3f}"


def main() -> None:
    """Prints the table and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[DEFAULT_FOLDER])
    parser.add_argument("--verbose", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    clips = [clip for folder in options.folders for clip in read(folder)]
    threads = min(4, os.cpu_count() or 1)
    screens = real_screens()
    proposer = Proposer(screens)
    results = [
        Result("faster-whisper defaults", _stock(threads)),
        Result("ours, heard once", _ours_once()),
        Result("ours", _ours(screens)),
    ]
    whisper_cpp = _whisper_cpp(threads)
    if callable(whisper_cpp):
        results.append(Result("whisper.cpp", whisper_cpp))
    for result in results:
        result.hear(clips[0])
    for clip in clips:
        for result in results:
            result.take(clip, proposer, verbose=options.verbose)
    asked = sum(bool(clip.wanted) for clip in clips)
    print(f"{DEFAULT_MODEL}, int8, {threads} threads; {asked} clips of commands, {len(clips) - asked} of anything else")
    print(f"{'seconds to the proposal':<24} {'median':>7} {'p95':>7} ", end="")
    print(" ".join(f"{name:>7}" for name in ("right", "wrong", "missed", "false")), f"{'word err':>8}")
    for result in results:
        print(result.line())
    if isinstance(whisper_cpp, str):
        print(f"whisper.cpp is left out: {whisper_cpp}")
    stock = results[0]
    for result in results[1:]:
        ratio = statistics.median(result.seconds) / statistics.median(stock.seconds)
        print(f"{result.name}: {ratio:.2f} x the median of {stock.name} (wanted: <= {TARGET_RATIO})")
    more = results[2].outcomes["wrong"] - stock.outcomes["wrong"]
    print(f"wrong proposals, ours against {stock.name}: {more:+d} (wanted: not one more)")


def read(folder: Path) -> list[Clip]:
    """The clips of a folder's manifest."""
    entries: list[dict[str, Any]] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return [
        Clip(
            entry["file"],
            audio_file.load(folder / entry["file"]),
            entry["text"],
            entry["page"],
            expected(entry["expect"]),
        )
        for entry in entries
    ]


def _stock(threads: int) -> Callable[[Clip], Transcript]:
    model = WhisperModel(
        str(find_model()), device="cpu", compute_type="int8", cpu_threads=threads, local_files_only=True
    )

    def hear(clip: Clip) -> Transcript:
        parts = list(model.transcribe(clip.recording.samples)[0])
        likely = sum(part.avg_logprob for part in parts) / len(parts) if parts else 0.0
        return _transcript("".join(part.text for part in parts), likely, clip)

    return hear


def _ours_once() -> Callable[[Clip], Transcript]:
    recogniser = RemoteRecogniser(SpeechModels(find_model()))
    recogniser.rehearse()
    return lambda clip: recogniser.transcribe(clip.recording)


def _ours(screens: dict[str, Any]) -> Callable[[Clip], Transcript]:
    """As the window does it: what can't be done on the screen is heard a second time."""
    shown = next(iter(screens))
    expectation = ScreenExpectation(lambda: screens[shown], lambda: True)
    recogniser = hearing_twice(RemoteRecogniser(SpeechModels(find_model(), second=find_moonshine())), expectation)
    recogniser.rehearse()
    for page in screens:
        shown = page
        expectation.look()
        expectation.understands(_transcript("no such command", -1.0, None))  # makes the tables of this screen

    def hear(clip: Clip) -> Transcript:
        nonlocal shown
        shown = clip.page
        return recogniser.transcribe(clip.recording, bias=expectation.look())

    return hear


def _whisper_cpp(threads: int) -> Callable[[Clip], Transcript] | str:
    weights = os.environ.get("GREENROOM_GGML_MODEL", "")
    if importlib.util.find_spec("pywhispercpp") is None:
        return "the package pywhispercpp is not installed."
    if not Path(weights).is_file():
        return "it has no weights; set GREENROOM_GGML_MODEL to a file ggml-tiny.en.bin."
    from pywhispercpp.model import Model  # type: ignore[import-not-found] # not among the dependencies

    model = Model(weights, n_threads=threads, print_progress=False)

    def hear(clip: Clip) -> Transcript:
        parts = model.transcribe(clip.recording.samples)
        return _transcript(" ".join(part.text for part in parts), -0.5, clip)

    return hear


def _transcript(text: str, likely: float, clip: Clip | None) -> Transcript:
    readings = (HeardHypothesis(text.strip(), likely),) if text.strip() else ()
    duration_s = clip.recording.duration_s if clip is not None else 0.0
    return Transcript(text.strip(), readings, "en", "speech" if readings else "silent", duration_s, 0.0)


def _outcome(proposed: list[Action], wanted: list[Action]) -> str:
    if proposed == wanted:
        return "right" if wanted else "quiet"
    if not wanted:
        return "false"
    return "wrong" if proposed else "missed"


if __name__ == "__main__":
    main()
