"""The models of a machine: listed, got, measured once, removed; through the command line too, with a real model."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import FILES, WAIT_S, ModelServer, cut, model_of
from voice_kit import recording

from app.desk import models_command
from app.settings import Settings, SettingsFile, VoiceSettings
from app.voice import model_manager
from app.voice.download import Cancellation, DownloadCancelledError, Progress
from app.voice.errors import ModelMissingError
from app.voice.fetch import DownloadError
from app.voice.model_manager import ModelInfo, ModelKeptError, ModelManager
from app.voice.models import find_model, models_folder

REAL = "copy.en"
"""Listed under a name of its own, with the files of the bundled model."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with ModelServer() as server:
        monkeypatch.setenv("GREENROOM_MODEL_HUB", server.address)
        yield server


@pytest.fixture
def manager(tmp_path: Path) -> ModelManager:
    catalogue = {"small": model_of(), "tiny.en": model_of(name="tiny.en")}
    return ModelManager(lambda: recording("save-joe"), folder=tmp_path / "models", catalogue=catalogue)


def info(manager: ModelManager, name: str, in_use: str = "") -> ModelInfo:
    return next(each for each in manager.models(in_use) if each.name == name)


def test_what_is_here_and_what_can_be_had(manager: ModelManager, server: ModelServer) -> None:
    absent = info(manager, "small")
    assert (absent.place, absent.path, absent.can_get) == ("absent", None, True)
    assert absent.size_bytes == sum(map(len, FILES.values()))
    bundled = info(manager, "tiny.en", in_use="tiny.en")
    assert (bundled.place, bundled.languages, bundled.in_use, bundled.can_get) == ("bundled", "English", True, False)
    path = manager.get("small")
    own = info(manager, "small", in_use="tiny.en")
    assert (own.place, own.path, own.in_use, own.kept_because) == ("own", path, False, "")
    asked = len(server.requests)
    assert manager.get("small") == path
    assert len(server.requests) == asked


def test_a_model_that_goes_while_they_are_listed_hides_no_other(
    manager: ModelManager, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "models" / "mine"
    shutil.copytree(find_model("tiny.en"), own)
    before = [info.name for info in manager.models()]

    def removed_meanwhile(model: Path) -> bool:  # by another program, at the worst moment
        shutil.rmtree(model)
        return True

    monkeypatch.setattr(model_manager, "knows_english_only", removed_meanwhile)
    assert [info.name for info in manager.models()] == [name for name in before if name != "mine"]


def test_nothing_is_downloaded_without_being_asked(manager: ModelManager, server: ModelServer) -> None:
    manager.models()
    with pytest.raises(ModelMissingError):
        manager.speed("small")
    assert server.requests == []


def test_a_cancelled_download_shows_what_has_come(manager: ModelManager, server: ModelServer) -> None:
    server.script = [cut(1_000_000, server.held)]
    cancellation = Cancellation()

    def cancel_in_the_middle() -> None:
        server.sending.wait(WAIT_S)
        cancellation.cancel()

    thread = threading.Thread(target=cancel_in_the_middle)
    thread.start()
    with pytest.raises(DownloadCancelledError):
        manager.get("small", cancellation=cancellation)
    thread.join()
    left = info(manager, "small")
    assert left.place == "absent"
    assert left.partial_bytes > 0
    told: list[Progress] = []
    manager.get("small", told.append)
    assert told[-1].share == 1.0
    assert info(manager, "small").partial_bytes == 0


def test_own_models_are_removed_and_nothing_else(manager: ModelManager, server: ModelServer, tmp_path: Path) -> None:
    path = manager.get("small")
    with pytest.raises(ModelKeptError, match=r"small is in use\. Choose another model in Settings"):
        manager.remove("small", in_use="small")
    with pytest.raises(ModelKeptError, match="in use"):
        manager.remove("small", in_use=str(path))
    assert manager.remove("small", in_use="tiny.en") == sum(map(len, FILES.values()))
    assert not path.exists()
    with pytest.raises(ModelMissingError, match='no speech model "small"'):
        manager.remove("small")
    with pytest.raises(ModelKeptError, match="came with a package"):
        manager.remove("tiny.en")
    assert find_model("tiny.en", folder=tmp_path / "models").is_dir()
    assert server.requests


@pytest.mark.parametrize("name", ["..", ".", ".partial", "a/b", "/etc", ""])
def test_only_a_name_removes_a_model(manager: ModelManager, tmp_path: Path, name: str) -> None:
    (tmp_path / "models" / ".partial").mkdir(parents=True)
    with pytest.raises(ModelMissingError):
        manager.remove(name)
    assert (tmp_path / "models" / ".partial").is_dir()


def test_of_a_link_only_the_link_is_removed(manager: ModelManager, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name, data in FILES.items():
        (elsewhere / name).write_bytes(data)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "mine").symlink_to(elsewhere, target_is_directory=True)
    assert info(manager, "mine").place == "own"
    manager.remove("mine")
    assert (elsewhere / "model.bin").is_file()
    assert not (tmp_path / "models" / "mine").exists()


def test_a_model_of_no_name_is_not_to_be_had(manager: ModelManager) -> None:
    with pytest.raises(ModelMissingError, match=r'"huge" to get\. There are: small, tiny\.en'):
        manager.get("huge")


def test_no_hub_is_told(manager: ModelManager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREENROOM_MODEL_HUB", "nowhere")
    with pytest.raises(DownloadError, match="must be a web address"):
        manager.get("small")


@pytest.mark.speech
def test_the_speed_is_measured_once_and_kept(manager: ModelManager, tmp_path: Path) -> None:
    assert info(manager, "tiny.en").speed is None
    speed = manager.speed("tiny.en")
    assert 0 < speed.seconds < 20
    assert speed.sample_s == pytest.approx(recording("save-joe").duration_s, abs=0.01)

    def unwanted() -> None:
        raise AssertionError("measured again")

    again = ModelManager(unwanted, folder=tmp_path / "models")  # type: ignore[arg-type]
    assert again.speed("tiny.en") == info(again, "tiny.en").speed == speed
    # Of other files, or of another machine, it says nothing.
    book = tmp_path / "models" / "speeds.json"
    book.write_text(book.read_text().replace('"model_bytes":', '"model_bytes": 1, "was":'))
    assert info(again, "tiny.en").speed is None
    book.write_text("damaged")
    assert info(again, "tiny.en").speed is None


@pytest.mark.speech
def test_the_command_line_gets_lists_and_removes_a_real_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {path.name: path.read_bytes() for path in find_model("tiny.en").iterdir() if path.is_file()}
    catalogue = {REAL: model_of(files, REAL)}
    sample = models_command.model_manager()._sample
    monkeypatch.setattr(models_command, "model_manager", lambda: ModelManager(sample, catalogue=catalogue))
    with ModelServer(files) as server:
        monkeypatch.setenv("GREENROOM_MODEL_HUB", server.address)
        assert models_command.get_model(REAL) == 0
        told = capsys.readouterr()
        assert f"{REAL} is in {models_folder() / REAL}. Choose it in Settings, page Voice." in told.out
        assert "Speed on this machine: 0." in told.out
        assert "100%  78 MB of 78 MB" in told.err
        assert models_command.get_model(REAL) == 0
        assert "is here already" in capsys.readouterr().out
    use(REAL)
    assert models_command.list_models(as_json=True) == 0
    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert (listed[REAL]["in_use"], listed[REAL]["place"]) == (True, "own")
    assert listed[REAL]["speed_s"] > 0
    assert models_command.list_models(as_json=False) == 0
    line = next(each for each in capsys.readouterr().out.splitlines() if REAL in each)
    assert line.startswith("*")
    assert all(part in line for part in ("78 MB", "s of speech", "in the models folder"))
    assert models_command.remove_model(REAL) == 4
    assert "in use" in capsys.readouterr().err
    use("tiny.en")
    assert models_command.remove_model(REAL) == 0
    assert f"{REAL} was removed. 78 MB are free again." in capsys.readouterr().out
    assert models_command.remove_model(REAL) == 2
    assert models_command.get_model("huge") == 2


IN_ANOTHER_PROCESS = """
import sys
sys.path.insert(0, sys.argv[1])
from model_server import model_of
from app.desk import models_command
from app.voice.model_manager import ModelManager
models_command.model_manager = lambda: ModelManager(lambda: None, catalogue={"small": model_of()})
sys.exit(models_command.get_model("small"))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a process is interrupted in another way there")
def test_ctrl_c_stops_a_download_and_the_same_command_goes_on(server: ModelServer) -> None:
    server.script = [cut(1_000_000, server.held)]
    here = Path(__file__).parent
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, str(here)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=here.parent.parent)
    assert server.sending.wait(WAIT_S)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=WAIT_S)
    assert process.returncode == 130
    assert told.endswith("Stopped. The same command goes on where it was.\n")
    own = ModelManager(lambda: recording("save-joe"), catalogue={"small": model_of()})
    assert info(own, "small").partial_bytes > 0
    assert own.get("small").is_dir()


def use(model: str) -> None:
    SettingsFile().save(Settings(voice=VoiceSettings(model=model)))
