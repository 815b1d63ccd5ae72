"""Getting a model from servers that misbehave: what arrives is right, or there is a sentence that says what to do."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from model_server import FILES, WAIT_S, Answer, ModelServer, cut, model_of, part

from app.voice.catalogue import KNOWN_MODELS, known_model
from app.voice.download import (
    Cancellation,
    DownloadCancelledError,
    Progress,
    download_model,
    hub_address,
    partial_folder,
)
from app.voice.errors import ModelMissingError
from app.voice.fetch import DownloadError, Patience
from app.voice.models import available_models, find_model

QUICK = Patience(stall_s=0.3, attempts=3, wait_s=0.01)
MODEL = model_of()
WHOLE = FILES["model.bin"]
HALF = len(WHOLE) // 2


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


def get(server: ModelServer, folder: Path, patience: Patience = QUICK, **more: object) -> Path:
    return download_model(MODEL, folder, hub=server.address, patience=patience, **more)  # type: ignore[arg-type]


def is_whole(path: Path) -> bool:
    return {file.name: file.read_bytes() for file in path.iterdir()} == dict(FILES)


def leave_part(folder: Path, data: bytes) -> Path:
    """As if an earlier download had been interrupted."""
    left = partial_folder(folder, MODEL.name) / "model.bin.part"
    left.parent.mkdir(parents=True)
    left.write_bytes(data)
    return left


def test_all_files_come_and_the_model_is_found(server: ModelServer, folder: Path) -> None:
    told: list[Progress] = []
    path = get(server, folder, on_progress=told.append)
    assert is_whole(path)
    assert find_model("small", folder=folder) == path
    assert [asked for asked, _ in server.requests][-1] == "/maker/faster-small/resolve/0123abc/model.bin"
    received = [progress.received_bytes for progress in told]
    assert received == sorted(received)
    assert (told[-1].share, told[-1].total_bytes) == (1.0, MODEL.size_bytes)
    assert not list((folder / ".partial").glob("small"))


def test_an_interrupted_file_goes_on_where_it_was(server: ModelServer, folder: Path) -> None:
    server.script = [cut(HALF)]
    assert is_whole(get(server, folder))
    assert server.ranges == ["", f"bytes={HALF}-"]


def test_a_download_goes_on_in_another_process_and_asks_for_no_file_twice(server: ModelServer, folder: Path) -> None:
    leave_part(folder, WHOLE[:HALF])
    (partial_folder(folder, "small") / "config.json").write_bytes(FILES["config.json"])
    assert is_whole(get(server, folder))
    assert server.ranges == [f"bytes={HALF}-"]
    assert not any(path.endswith("config.json") for path, _ in server.requests)


def test_a_part_that_is_all_there_is_not_asked_for_again(server: ModelServer, folder: Path) -> None:
    leave_part(folder, WHOLE)
    assert is_whole(get(server, folder))
    assert server.ranges == []


def test_a_part_longer_than_the_file_is_thrown_away(server: ModelServer, folder: Path) -> None:
    leave_part(folder, WHOLE + b"more")
    assert is_whole(get(server, folder))
    assert server.ranges == [""]


def test_a_server_that_ignores_the_range_starts_over(server: ModelServer, folder: Path) -> None:
    leave_part(folder, WHOLE[:HALF])
    server.script = [lambda data, _start: Answer(200, data)]
    assert is_whole(get(server, folder))
    assert server.ranges == [f"bytes={HALF}-"]


def test_416_starts_over(server: ModelServer, folder: Path) -> None:
    leave_part(folder, WHOLE[:HALF])
    server.script = [lambda data, _start: Answer(416, b"", {"Content-Range": f"bytes */{len(data)}"})]
    assert is_whole(get(server, folder))
    assert server.ranges == [f"bytes={HALF}-", ""]


def test_416_for_ever_ends(server: ModelServer, folder: Path) -> None:
    leave_part(folder, WHOLE[:HALF])
    server.script = [lambda _data, _start: Answer(416, b"")] * 9
    with pytest.raises(DownloadError, match=r"no such part of the file\. Try again later"):
        get(server, folder)
    assert len(server.ranges) == QUICK.attempts


WRONG_RANGES = {
    "another start": "bytes 0-{last}/{size}",
    "another size": "bytes {start}-{last}/99",
    "no numbers": "bytes somewhere",
    "none": "",
}


@pytest.mark.parametrize("name", WRONG_RANGES)
def test_a_wrong_content_range_starts_over(server: ModelServer, folder: Path, name: str) -> None:
    said = WRONG_RANGES[name].format(start=HALF, last=len(WHOLE) - 1, size=len(WHOLE))
    leave_part(folder, WHOLE[:HALF])
    server.script = [lambda data, start: Answer(206, data[start:], {"Content-Range": said})]
    assert is_whole(get(server, folder))
    assert server.ranges == [f"bytes={HALF}-", ""]


def test_wrong_content_ranges_for_ever_end(server: ModelServer, folder: Path) -> None:
    server.script = [lambda data, _start: part(data, 7)] * 9
    with pytest.raises(DownloadError, match="another part of the file than was asked for"):
        get(server, folder)


def test_a_server_that_cuts_and_refuses_to_go_on_is_given_up(server: ModelServer, folder: Path) -> None:
    """Each attempt brings something, but never anything new."""
    server.script = [cut(HALF), lambda _data, _start: Answer(416, b"")] * 9
    with pytest.raises(DownloadError, match="Try again later"):
        get(server, folder)
    assert len(server.ranges) < 9


@pytest.mark.parametrize("length", ["right", "none"])
def test_an_oversize_file_is_refused(server: ModelServer, folder: Path, length: str) -> None:
    # Without a Content-Length only the bytes themselves show it.
    headers = {} if length == "right" else {"Content-Length": ""}
    server.script = [lambda data, _start: Answer(200, data * 2, headers)]
    with pytest.raises(DownloadError, match=r"another file than model\.bin.*3,000,000 bytes"):
        get(server, folder)
    assert "small" not in available_models(folder=folder)
    assert len(server.ranges) == 1
    written = partial_folder(folder, "small") / "model.bin.part"
    assert not written.exists() or written.stat().st_size <= len(WHOLE)


def test_a_wrong_checksum_is_thrown_away(server: ModelServer, folder: Path) -> None:
    damaged = WHOLE[:-1] + bytes([WHOLE[-1] ^ 1])
    server.script = [lambda _data, _start: Answer(200, damaged)]
    with pytest.raises(DownloadError, match=r"model\.bin is damaged.*Try again"):
        get(server, folder)
    assert not (partial_folder(folder, "small") / "model.bin.part").exists()
    assert "small" not in available_models(folder=folder)
    assert is_whole(get(server, folder))


def test_a_damaged_part_is_found_out_and_the_next_try_is_clean(server: ModelServer, folder: Path) -> None:
    leave_part(folder, bytes(HALF))
    with pytest.raises(DownloadError, match="checksum"):
        get(server, folder)
    assert is_whole(get(server, folder))


def test_a_server_that_stalls_is_asked_again_and_given_up(server: ModelServer, folder: Path) -> None:
    server.script = [cut(HALF, server.held)]
    assert is_whole(get(server, folder))
    assert server.ranges == ["", f"bytes={HALF}-"]


def test_a_server_that_stalls_for_ever_is_given_up_and_the_part_kept(server: ModelServer, folder: Path) -> None:
    server.script = [cut(HALF, server.held), *[cut(0, server.held)] * 9]
    with pytest.raises(DownloadError, match=r"sends nothing\. Try again later: what has come so far is kept"):
        get(server, folder)
    assert (partial_folder(folder, "small") / "model.bin.part").stat().st_size == HALF
    server.script = []
    assert is_whole(get(server, folder))


def test_a_busy_server_is_asked_again(server: ModelServer, folder: Path) -> None:
    server.script = [lambda _data, _start: Answer(503, b"later"), lambda _data, _start: Answer(429, b"slower")]
    assert is_whole(get(server, folder))


@pytest.mark.parametrize(
    ("status", "sentence"),
    [(404, "doesn't have model.bin"), (403, "doesn't give model.bin to everybody"), (400, "answered 400")],
)
def test_a_refusal_is_told_at_once(server: ModelServer, folder: Path, status: int, sentence: str) -> None:
    server.script = [lambda _data, _start: Answer(status, b"no")] * 2
    with pytest.raises(DownloadError, match=rf"{sentence}.*Check GREENROOM_MODEL_HUB"):
        get(server, folder)
    assert len(server.ranges) == 1


def test_redirects_are_followed_with_the_range(server: ModelServer, folder: Path) -> None:
    leave_part(folder, WHOLE[:HALF])
    with ModelServer() as storage:
        there = f"{storage.address}/elsewhere/model.bin"
        server.script = [lambda _data, _start: Answer(302, b"", {"Location": there})]
        assert is_whole(get(server, folder))
        assert storage.ranges == [f"bytes={HALF}-"]


def test_a_server_that_compresses_all_the_same(server: ModelServer, folder: Path) -> None:
    server.script = [lambda data, _start: Answer(200, gzip.compress(data), {"Content-Encoding": "gzip"})]
    assert is_whole(get(server, folder))


def test_no_server_at_all(folder: Path) -> None:
    with ModelServer() as gone:
        pass
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1 can't be reached"):
        get(gone, folder)


def test_cancelling_ends_a_download_that_waits(server: ModelServer, folder: Path) -> None:
    server.script = [cut(HALF, server.held)]
    cancellation = Cancellation()
    raised: list[BaseException] = []

    def run() -> None:
        try:
            get(server, folder, Patience(stall_s=WAIT_S), cancellation=cancellation)
        except DownloadCancelledError as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    assert server.sending.wait(WAIT_S)
    cancellation.cancel()
    thread.join(WAIT_S / 2)  # Well before the server is given up.
    assert [str(error) for error in raised] == ["The download was stopped. Getting the model again goes on from here."]
    assert is_whole(get(server, folder))
    assert server.ranges[0] == ""
    assert len(server.ranges) == 2


def test_cancelled_before_it_began(server: ModelServer, folder: Path) -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    with pytest.raises(DownloadCancelledError):
        get(server, folder, cancellation=cancellation)


def test_a_second_download_of_the_same_model_is_refused(server: ModelServer, folder: Path) -> None:
    server.script = [cut(HALF, server.held)]
    cancellation = Cancellation()

    def run() -> None:
        with pytest.raises(DownloadCancelledError):
            get(server, folder, Patience(stall_s=WAIT_S), cancellation=cancellation)

    thread = threading.Thread(target=run)
    thread.start()
    assert server.sending.wait(WAIT_S)
    with pytest.raises(DownloadError, match="being downloaded already"):
        get(server, folder)
    cancellation.cancel()
    thread.join(WAIT_S)


def test_an_earlier_copy_is_replaced_only_when_the_new_one_is_there(server: ModelServer, folder: Path) -> None:
    old = folder / "small"
    old.mkdir(parents=True)
    (old / "config.json").write_bytes(b"old")
    server.script = [lambda _data, _start: Answer(404, b"")]
    with pytest.raises(DownloadError):
        get(server, folder)
    assert (old / "config.json").read_bytes() == b"old"
    assert is_whole(get(server, folder))


IN_ANOTHER_PROCESS = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[4])
from model_server import model_of
from app.voice.download import download_model
from app.voice.fetch import DownloadError
limit = int(sys.argv[3])
if limit:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
try:
    download_model(model_of(), Path(sys.argv[2]), hub=sys.argv[1])
except DownloadError as error:
    print(error)
"""


def start_process(server: ModelServer, folder: Path, limit_bytes: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, server.address, str(folder), str(limit_bytes)]
    here = str(Path(__file__).parent)
    root = str(Path(__file__).parent.parent.parent)
    return subprocess.Popen([*command, here], stdout=subprocess.PIPE, text=True, cwd=root, env={**os.environ})


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_full_disk(server: ModelServer, folder: Path) -> None:
    """A disk of a size of one's own takes rights that CI may not have: a limit on file sizes gives the same error at
    the same call, and holds for a whole process, hence another one."""
    process = start_process(server, folder, limit_bytes=HALF)
    said, _ = process.communicate(timeout=WAIT_S)
    assert said.strip().startswith("The disk is full. What had come of the file was removed. Free some space")
    assert not (partial_folder(folder, "small") / "model.bin.part").exists()
    assert is_whole(get(server, folder))


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed in another way there")
def test_a_killed_download_goes_on(server: ModelServer, folder: Path) -> None:
    server.script = [cut(HALF, server.held)]
    process = start_process(server, folder)
    assert server.sending.wait(WAIT_S)
    left = partial_folder(folder, "small") / "model.bin.part"
    waited = threading.Event()
    while not (left.exists() and left.stat().st_size == HALF):
        waited.wait(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=WAIT_S)
    assert "small" not in available_models(folder=folder)
    assert is_whole(get(server, folder))
    assert server.ranges == ["", f"bytes={HALF}-"]


def test_too_little_room_is_said_before_anything_is_asked_for(
    server: ModelServer, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No disk of this machine is nearly full, and none may be filled.
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Nearly(2_000_000))
    with pytest.raises(DownloadError, match=r"not enough room for small: it takes 3 MB more, and 2 MB are free"):
        get(server, folder)
    assert server.requests == []


class Nearly:
    """What `shutil.disk_usage` says of a nearly full disk."""

    def __init__(self, free: int) -> None:
        self.free = free


def test_a_folder_that_can_not_be_written_to(server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file, not a folder")
    with pytest.raises(DownloadError, match="can't be written to"):
        get(server, tmp_path / "models")


def test_the_address_of_the_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GREENROOM_MODEL_HUB", raising=False)
    assert hub_address().startswith("https://")
    monkeypatch.setenv("GREENROOM_MODEL_HUB", "http://127.0.0.1:8000/mirror/")
    assert hub_address() == "http://127.0.0.1:8000/mirror"
    monkeypatch.setenv("GREENROOM_MODEL_HUB", "ftp://somewhere")
    with pytest.raises(DownloadError, match="must be a web address"):
        hub_address()


def test_the_bundled_model_is_the_one_of_the_catalogue() -> None:
    """The checksums were read elsewhere; this one can be compared with real files."""
    import hashlib

    folder = find_model("tiny.en")
    for file in known_model("tiny.en").files:
        data = (folder / file.name).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (file.size_bytes, file.sha256)


def test_the_catalogue_is_complete() -> None:
    for name, model in KNOWN_MODELS.items():
        names = {file.name for file in model.files}
        assert {"model.bin", "config.json", "tokenizer.json"} < names
        assert any(file.startswith("vocabulary.") for file in names)
        assert all(len(file.sha256) == 64 and file.size_bytes > 0 for file in model.files)
        assert model.name == name
    with pytest.raises(ModelMissingError, match=r'no speech model "huge" to get\. There are: tiny\.en, tiny, base'):
        known_model("huge")
