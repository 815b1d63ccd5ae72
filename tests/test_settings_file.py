"""The settings file: round trip, damage, newer versions, unknown keys, crash safety, environment."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from app.settings import (
    AppearanceSettings,
    Settings,
    SettingsError,
    SettingsFile,
    VoiceSettings,
    overridden,
    with_environment,
)


@pytest.fixture
def file() -> SettingsFile:
    return SettingsFile()


def test_without_a_file_there_are_the_defaults_and_nothing_is_written(file: SettingsFile) -> None:
    loaded = file.load()

    assert loaded.settings == Settings()
    assert loaded.notice == ""
    assert not file.path.exists()


def test_the_folder_comes_from_the_environment(file: SettingsFile) -> None:
    assert file.path == Path(os.environ["GREENROOM_CONFIG_DIR"]).resolve() / "settings.json"


def test_what_is_saved_is_loaded(file: SettingsFile) -> None:
    changed = Settings(voice=VoiceSettings(rate=220, speech="errors"), appearance=AppearanceSettings(scheme="dark"))

    file.save(changed)

    assert SettingsFile().load().settings == changed


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    device=st.text(alphabet=st.characters(codec="utf-8")),
    rate=st.integers(80, 400),
    volume=st.floats(0, 1),
    language=st.from_regex(r"\A[a-z]{2,3}\Z"),
    keep_warm=st.booleans(),
)
def test_any_accepted_value_survives_the_file(
    file: SettingsFile, device: str, rate: int, volume: float, language: str, keep_warm: bool
) -> None:
    voice = VoiceSettings(device=device, rate=rate, volume=volume, language=language, keep_warm=keep_warm)

    file.save(Settings(voice=voice))

    assert file.load().settings.voice == voice


def test_unknown_keys_are_kept(file: SettingsFile) -> None:
    write(file, {"version": 1, "plugin": {"a": [1]}, "voice": {"rate": 200, "pitch": 3}})

    loaded = file.load()
    file.save(loaded.settings.model_copy(update={"appearance": AppearanceSettings(scheme="light")}))

    written = json.loads(file.path.read_text("utf-8"))
    assert written["plugin"] == {"a": [1]}
    assert written["voice"]["pitch"] == 3
    assert written["appearance"]["scheme"] == "light"
    assert loaded.notice == ""


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"null", b"\xff\xfe\x00", b"[" * 100_000], ids=range(6))
def test_a_damaged_file_is_set_aside_and_said(file: SettingsFile, content: bytes) -> None:
    file.path.parent.mkdir(parents=True)
    file.path.write_bytes(content)

    loaded = file.load()

    (kept,) = file.path.parent.iterdir()
    assert kept.read_bytes() == content
    assert kept.name in loaded.notice
    assert loaded.settings == Settings()


ODD = st.text(st.characters())  # with lone surrogates, which JSON can carry and UTF-8 can not
KEY = st.sampled_from(["version", "voice", "rate", "volume", "assistant", "base_url", "data", "other"]) | ODD
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.binary(max_size=40) | JSON.map(lambda value: json.dumps(value).encode()))
@example(content=b'{"version": 2.0}')
@example(content=b'{"":{"\\ud800":null}}')
def test_whatever_the_file_holds_it_loads_and_what_was_loaded_can_be_saved(file: SettingsFile, content: bytes) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_bytes(content)

    loaded = file.load()

    if "newer version" not in loaded.notice:
        file.save(loaded.settings)
        again = file.load()
        assert again.notice == ""
        assert json.dumps(again.settings.model_dump()) == json.dumps(loaded.settings.model_dump())


def test_a_second_damaged_file_does_not_replace_the_first(file: SettingsFile) -> None:
    for content in ("first", "second"):
        file.path.parent.mkdir(parents=True, exist_ok=True)
        file.path.write_text(content, "utf-8")
        file.load()

    assert sorted(each.read_text("utf-8") for each in file.path.parent.iterdir()) == ["first", "second"]


def test_a_newer_file_is_left_alone(file: SettingsFile) -> None:
    newer = {"version": 2, "voice": {"rate": "brisk"}}
    write(file, newer)

    loaded = file.load()

    assert "newer version" in loaded.notice
    assert loaded.settings == Settings()
    with pytest.raises(SettingsError, match="newer version"):
        file.save(Settings())
    assert json.loads(file.path.read_text("utf-8")) == newer


@pytest.mark.parametrize(
    ("raw", "named"),
    [
        ({"voice": {"rate": "fast", "volume": 0.5}}, "voice.rate"),
        ({"voice": "loud", "policies": {"ask": "everything"}}, "voice"),
        ({"assistant": {"base_url": "example.com"}}, "assistant.base_url"),
        ({"policies": {"ask": "nothing"}}, "policies.ask"),
        ({"version": "one"}, "version"),
    ],
)
def test_a_value_that_does_not_fit_is_named_and_the_others_count(
    file: SettingsFile, raw: dict[str, object], named: str
) -> None:
    write(file, raw)

    loaded = file.load()

    assert loaded.notice.endswith(f": {named}.")
    if named == "voice.rate":
        assert (loaded.settings.voice.rate, loaded.settings.voice.volume) == (180, 0.5)
    if named == "voice":
        assert loaded.settings.policies.ask == "everything"


def test_a_failed_write_leaves_the_old_file_and_no_other(file: SettingsFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.save(Settings())
    before = file.path.read_bytes()

    def full_disk(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    # A full disk can't be made here without a mount; everything before and after this call is real.
    monkeypatch.setattr("app.settings.file.os.fsync", full_disk)
    with pytest.raises(SettingsError, match="no space left"):
        file.save(Settings(voice=VoiceSettings(rate=300)))

    assert file.path.read_bytes() == before
    assert list(file.path.parent.iterdir()) == [file.path]


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "occupied").write_text("a file", "utf-8")

    with pytest.raises(SettingsError, match="can't be saved"):
        SettingsFile(tmp_path / "occupied" / "settings.json").save(Settings())


@pytest.mark.skipif(os.name != "posix", reason="links and modes of POSIX systems")
def test_a_linked_file_stays_a_link_and_only_the_owner_reads_it(tmp_path: Path) -> None:
    target = tmp_path / "shared" / "settings.json"
    target.parent.mkdir()
    link = tmp_path / "settings.json"
    link.symlink_to(target)

    SettingsFile(link).save(Settings())

    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600


def test_the_environment_stands_above_the_file() -> None:
    environment = {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "GREENROOM_MODEL": " small ",
        "GREENROOM_DATABASE_URL": "",
    }
    stored = Settings()

    effective = with_environment(stored, environment)

    assert effective.assistant.base_url == "http://127.0.0.1:9/v1"
    assert effective.assistant.model == "small"
    assert effective.data == stored.data
    assert overridden(environment) == {
        ("assistant", "base_url"): "OPENAI_BASE_URL",
        ("assistant", "model"): "GREENROOM_MODEL",
    }
    assert stored == Settings()


def test_the_address_of_the_database_is_not_in_the_representation() -> None:
    secret = with_environment(Settings(), {"GREENROOM_DATABASE_URL": "postgresql://me:hunter2@db.example.com/x"})

    assert "hunter2" not in repr(secret)


def write(file: SettingsFile, raw: dict[str, object]) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_text(json.dumps(raw), "utf-8")
