"""Where speech models are looked for, and what is said where there is none; and what `doctor` makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from multilingual import multilingual_model
from voice_kit import FakeSound

from app.voice import doctor, models
from app.voice.doctor import check_voice
from app.voice.errors import ModelMissingError, VoiceError
from app.voice.models import available_models, find_model, knows_english_only, model_size_bytes, models_folder
from app.voice.sound_system import InputDevice


def make_model(folder: Path, *, without: str = "") -> Path:
    folder.mkdir(parents=True)
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        if name != without:
            (folder / name).write_bytes(b"1234")
    return folder


def test_explicit_path_then_own_folder_then_bundled_package(tmp_path: Path) -> None:
    bundled = find_model("tiny.en", folder=tmp_path)
    assert bundled.is_dir()
    own = make_model(tmp_path / "tiny.en")
    assert find_model("tiny.en", folder=tmp_path) == own
    explicit = make_model(tmp_path / "elsewhere" / "mine")
    assert find_model(str(explicit), folder=tmp_path) == explicit


def test_own_folder_follows_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GREENROOM_DATA_DIR", str(tmp_path))
    assert models_folder() == tmp_path / "models"
    monkeypatch.delenv("GREENROOM_DATA_DIR")
    assert models_folder().name == "models"


def test_a_model_that_is_not_there_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelMissingError, match=r'"base" is not on this machine.*choose "tiny\.en"'):
        find_model("base", folder=tmp_path)
    with pytest.raises(ModelMissingError, match="There is no speech model in"):
        find_model(str(tmp_path / "no" / "such"), folder=tmp_path)
    monkeypatch.setattr(models, "_BUNDLED", {"tiny.en": "no_such_package"})
    with pytest.raises(ModelMissingError, match=r"bundled-model"):
        find_model("tiny.en", folder=tmp_path)


@pytest.mark.parametrize("without", ["model.bin", "config.json", "tokenizer.json", "vocabulary.txt"])
def test_half_a_model_names_what_is_missing(tmp_path: Path, without: str) -> None:
    make_model(tmp_path / "half", without=without)
    with pytest.raises(ModelMissingError, match=without):
        find_model("half", folder=tmp_path)
    assert "half" not in available_models(folder=tmp_path)


def test_whether_a_model_knows_english_only_is_in_its_files(tmp_path: Path) -> None:
    assert knows_english_only(find_model("tiny.en"))
    assert not knows_english_only(multilingual_model())
    assert not knows_english_only(make_model(tmp_path / "half", without="vocabulary.txt")), "it can't be told"


def test_models_on_this_machine(tmp_path: Path) -> None:
    assert set(available_models(folder=tmp_path / "none")) == {"tiny.en"}
    mine = make_model(tmp_path / "base")
    assert available_models(folder=tmp_path)["base"] == mine
    assert model_size_bytes(mine) == 16


def test_doctor_says_what_works() -> None:
    checks = check_voice(FakeSound())
    names = ["Sound library", "Microphone", "Speech model", "Second speech model", "Speech output"]
    assert [check.name for check in checks] == names
    assert all(check.ok and not check.fix for check in checks)


def test_doctor_says_what_is_missing_and_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_engine() -> tuple[tuple[str, str], ...]:
        raise VoiceError("Install espeak-ng.")

    monkeypatch.setattr(doctor, "engine_voices", no_engine)
    sound = FakeSound()
    sound.devices = ()
    checks = {check.name: check for check in check_voice(sound, model="large")}
    assert {name for name, check in checks.items() if not check.ok} == {"Microphone", "Speech model", "Speech output"}
    assert all(check.fix for check in checks.values() if not check.ok)
    sound.refusal = "PortAudio is missing. Install libportaudio2."
    assert check_voice(sound)[0].fix == "PortAudio is missing. Install libportaudio2."


def test_doctor_warns_of_a_loopback() -> None:
    sound = FakeSound()
    sound.devices = (InputDevice("Monitor of Built-in Audio", 48_000, 2, is_default=True),)
    microphone = check_voice(sound)[1]
    assert microphone.ok
    assert "records what this machine plays" in microphone.fix


def test_doctor_says_where_the_second_model_is_or_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (check,) = (each for each in check_voice(FakeSound()) if each.name == "Second speech model")
    assert "Moonshine base, 64 MB" in check.detail
    monkeypatch.setattr(doctor, "find_moonshine", lambda: None)
    (check,) = (each for each in check_voice(FakeSound()) if each.name == "Second speech model")
    assert check.ok, "everything works without it"
    assert "pip install" in check.fix
