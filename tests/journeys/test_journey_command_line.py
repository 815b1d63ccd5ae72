"""The `greenroom` command: JSON, exit status, and what is stored afterwards.

What several programs see of each other, and each way in, runs as another process; the rest in this one, since a process
takes seconds to import the program.
"""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication
from typer.testing import CliRunner, Result

from app.desk.command_line import application
from app.store.database import Database

RECORDINGS = Path(__file__).resolve().parent.parent / "audio"


def greenroom(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "app", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
        timeout=100,
    )


def here(*arguments: str) -> Result:
    """The same in this process."""
    assert QApplication.instance(), "or it would be made with the hooks of a program"
    result = CliRunner().invoke(application, arguments)
    assert isinstance(result.exception, SystemExit | None), result.exception
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return result


def records(run: subprocess.CompletedProcess[str] | Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.usefixtures("qapp")
def test_ask_proposes_and_applies_nothing_and_with_approve_another_process_sees_the_row() -> None:
    sentence = "set the status to accepted and save"
    shown = here("ask", sentence, "--sample-data", "--json")
    assert shown.exit_code == 0, shown.stderr
    (record,) = records(shown)
    assert [(p["tool"], p["target"], p.get("value"), p["policy"]) for p in record["proposals"]] == [
        ("choose", "Status", "Accepted", "confirm"),
        ("click", "Save", None, "confirm"),
    ]
    assert (record["applied"], record["backend"], record["error"]) == ([], "commands", None)
    assert record["screen"]["page"] == "Contributions"
    assert record["screen"]["fields"]["Status"] == "Draft"
    assert set(record["timings_ms"]) == {"transcribe", "propose", "apply"}

    run = greenroom("ask", sentence, "--sample-data", "--json", "--approve")
    (record,) = records(run)
    assert [(a["tool"], a["before"], a["after"], a["ok"]) for a in record["applied"]] == [
        ("choose", "Draft", "Accepted", True),
        ("click", None, None, True),
    ]
    (seen,) = records(here("ask", "what can I say", "--json"))
    assert seen["screen"]["fields"]["Status"] == "Accepted"


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("please order a large pizza for the whole team", 3),
        ("set the duration to banana", 4),
        ("undo that", 4),
        ("go to speakers", 0),
    ],
)
def test_the_exit_status_says_how_it_went(text: str, status: int) -> None:
    run = here("ask", text, "--sample-data", "--json")
    assert run.exit_code == status, run.stdout
    assert bool(records(run)[0]["error"]) == (status == 4)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("arguments", [["ask"], ["ask", "  "], ["hear"], ["ask", "save", "--page", "Nowhere"], ["fly"]])
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    run = here(*arguments)
    assert run.exit_code == 2
    assert run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.usefixtures("qapp")
def test_an_unreachable_server_is_5_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-0123456789")
    run = here(
        "ask", "write me something nice", "--sample-data", "--json", "--backend", "openai",
        "--base-url", "http://127.0.0.1:9/v1", "--timeout", "20",
    )  # fmt: skip
    assert run.exit_code == 5
    assert run.stderr.strip()
    assert "sk-secret" not in run.stderr + run.stdout
    assert "Traceback" not in run.stderr


@pytest.mark.speech
def test_hear_gives_each_file_a_record_and_starts_each_afresh() -> None:
    names = ("title-joe.flac", "accept-and-save-slt.flac", "silence.flac", "new-speaker-joe.flac")
    run = greenroom("hear", "--sample-data", "--json", *(str(RECORDINGS / name) for name in names))
    first, second, third, chain = records(run)
    assert run.returncode == 3, "the worst of them: silence proposes nothing"
    assert [p["target"] for p in first["proposals"]] == ["Title"]
    assert [p["target"] for p in second["proposals"]] == ["Status", "Save"]
    assert (third["proposals"], third["transcript"]) == ([], "")
    assert second["screen"]["fields"]["Title"] == "Fine-grained voice control for your app"
    assert first["hypotheses"][0] == first["transcript"]
    # Navigation runs, so that a chain goes on.
    assert [p["tool"] for p in chain["proposals"]] == ["navigate", "click"]
    assert chain["proposals"][0]["page"] == "Speakers"
    assert chain["screen"]["page"] == "Speakers"


def _sound(folder: Path, name: str, seconds: float, rate: int = 16_000, channels: int = 1, kind: str = "PCM_16") -> str:
    file = folder / name
    noise = np.random.default_rng(1).normal(0, 0.001, (int(seconds * rate), channels))
    soundfile.write(file, noise, rate, subtype=kind)
    return str(file)


@pytest.mark.speech
def test_bad_sound_files_are_said_in_words_and_the_others_are_heard(tmp_path: Path) -> None:
    text = tmp_path / "text.wav"
    text.write_text("this is no sound")
    empty = tmp_path / "empty.wav"
    empty.touch()
    missing = tmp_path / "missing.wav"
    files = [
        str(text),
        str(empty),
        str(missing),
        _sound(tmp_path, "zero.wav", 0),
        _sound(tmp_path, "odd.wav", 1, rate=11_025),
        _sound(tmp_path, "stereo.wav", 1, rate=48_000, channels=2, kind="PCM_24"),
        _sound(tmp_path, "one-minute.wav", 60),
        str(RECORDINGS / "new-speaker-48k-stereo-24bit.flac"),
    ]
    run = greenroom("hear", "--sample-data", "--json", *files)
    heard = records(run)
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert len(heard) == len(files)
    assert [bool(record["error"]) for record in heard] == [True, True, True, *([False] * 5)]
    assert [bool(record["proposals"]) for record in heard] == [*([False] * 7), True]


@pytest.mark.usefixtures("qapp")
def test_a_picture_of_the_window_is_saved(tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    assert here("ask", "go to conferences", "--sample-data", "--screenshot", str(picture)).exit_code == 0
    assert picture.stat().st_size > 10_000


def test_doctor_says_what_there_is(tmp_path: Path) -> None:
    run = greenroom("doctor", "--json", GREENROOM_DATA_DIR=str(tmp_path))
    assert run.returncode == 0, run.stdout
    checks = {check["name"]: check for check in json.loads(run.stdout)}
    assert checks["Speech model"]["ok"]
    assert checks["Database"]["ok"]
    assert all(check["ok"] or check["fix"] for check in checks.values())


@pytest.mark.speech
def test_the_spoken_tour_comes_out_as_it_should(tmp_path: Path) -> None:
    run = greenroom("tour", "--folder", str(tmp_path))
    assert run.returncode == 0, run.stdout
    assert len(list(tmp_path.glob("*.png"))) == 5
    assert "5 of 5 steps" in run.stdout


@pytest.mark.usefixtures("qapp")
def test_a_damaged_database_is_set_aside_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREENROOM_DATA_DIR", str(tmp_path))
    file = tmp_path / "greenroom.db"
    file.write_bytes(b"this was a database once" * 500)
    run = here("ask", "go to speakers", "--sample-data", "--json")
    assert run.exit_code == 0
    assert "damaged" in run.stderr
    aside = [each for each in tmp_path.iterdir() if each.name != "greenroom.db" and each.read_bytes()[:4] == b"this"]
    assert len(aside) == 1


def test_a_database_of_a_newer_version_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "greenroom.db"
    Database.open(f"sqlite:///{file}").database.close()
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = 'from the future'")
    before = file.read_bytes()
    run = greenroom("ask", "go to speakers", "--json", GREENROOM_DATA_DIR=str(tmp_path))
    assert run.returncode == 5
    assert "newer" in run.stderr
    assert "Traceback" not in run.stderr
    assert file.read_bytes() == before
