"""What was learned about a server is still known at the next start."""

from __future__ import annotations

from pathlib import Path

import pytest
from sse_server import SseServer, error_reply, text_reply
from wire_helpers import QUICK, turn_request

from app.agent.backends.model_settings import ModelSettings
from app.agent.backends.openai_backend import OpenAIBackend
from app.agent.backends.wire.profile_file import FileProfiles


async def test_the_next_start_knows_what_this_one_learned(server: SseServer, tmp_path: Path) -> None:
    server.script(error_reply(400, "this model does not support tools"))
    server.always(text_reply("Hello"))
    for _ in range(2):
        store = FileProfiles(tmp_path / "new folder" / "servers.json")
        backend = OpenAIBackend(ModelSettings("m", server.base_url), store, retry=QUICK)
        async for _part in backend.stream(turn_request()):
            pass
        await backend.aclose()
    assert [bool(request.tool_names) for request in server.requests] == [True, False, False]


def test_each_key_has_its_own(tmp_path: Path) -> None:
    store = FileProfiles(tmp_path / "servers.json")
    store.save("a", {"tools": False})
    store.save("b", {"tools": True})
    again = FileProfiles(tmp_path / "servers.json")
    assert (again.load("a"), again.load("b"), again.load("c")) == ({"tools": False}, {"tools": True}, None)
    assert [path.name for path in tmp_path.iterdir()] == ["servers.json"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        '{"version": 2, "profiles": {"a": {}}}',
        '{"version": 1}',
        '{"version": 1, "profiles": {"a": 3}}',
        "\0\xff",
    ],
)
def test_a_damaged_file_counts_as_empty_and_is_written_over(tmp_path: Path, content: str) -> None:
    path = tmp_path / "servers.json"
    path.write_text(content, "latin-1")
    store = FileProfiles(path)
    assert store.load("a") is None
    store.save("a", {"tools": False})
    assert FileProfiles(path).load("a") == {"tools": False}


def test_a_folder_that_can_not_be_written_is_no_failure(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    store = FileProfiles(blocked / "servers.json")
    store.save("a", {"tools": False})
    assert store.load("a") == {"tools": False}
    assert "could not be saved" in caplog.text


def test_what_is_removed_stays_so(tmp_path: Path) -> None:
    store = FileProfiles(tmp_path / "servers.json")
    store.save("a", {"tools": False})
    store.save("b", {"tools": True})
    store.remove("a")
    store.remove("never there")
    assert store.saved_under() == FileProfiles(tmp_path / "servers.json").saved_under() == ("b",)


def test_what_another_program_writes_or_removes_counts_at_once(tmp_path: Path) -> None:
    path = tmp_path / "servers.json"
    store, other = FileProfiles(path), FileProfiles(path)
    store.save("a", {"tools": False})
    other.save("b", {"tools": True})
    assert store.load("b") == {"tools": True}
    store.save("c", {})
    assert other.saved_under() == ("a", "b", "c")
    path.unlink()
    assert store.saved_under() == ()
    store.save("d", {})
    assert other.saved_under() == ("d",)
