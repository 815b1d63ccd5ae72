"""The recogniser in a process of its own: what it answers, how it is stopped, and what its end does."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from voice_kit import WAIT_S, joined, recording, silence

from app.voice import recogniser_process
from app.voice.errors import TranscriptionError
from app.voice.models import SpeechModels, find_model
from app.voice.moonshine.files import find_moonshine
from app.voice.recogniser_process import RecogniserProcess, RecogniserProcessEndedError
from app.voice.remote_recogniser import RemoteRecogniser
from app.voice.transcriber import Transcriber

pytestmark = pytest.mark.speech

SAVE = recording("save-joe")


def models() -> SpeechModels:
    return SpeechModels(find_model(), second=find_moonshine())


def children() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if "--recogniser" in child.cmdline()]


@pytest.fixture
def process() -> Iterator[RecogniserProcess]:
    """A process that may be started; none is left afterwards."""
    before = children()
    process = RecogniserProcess()
    yield process
    process.close()
    assert children() == before


@pytest.fixture
def remote(process: RecogniserProcess) -> RemoteRecogniser:
    return RemoteRecogniser(models(), process)


def test_it_hears_what_the_recogniser_in_this_process_hears(remote: RemoteRecogniser, transcriber: Transcriber) -> None:
    remote.load()
    remote.rehearse()
    there, here = remote.transcribe(SAVE, bias=("click save",)), transcriber.transcribe(SAVE, bias=("click save",))
    assert (there.text, there.hypotheses) == (here.text, here.hypotheses)
    both = remote.reconsider(SAVE, there)
    assert both.recognisers == 2


def test_one_that_was_started_ahead_is_the_one_that_hears(process: RecogniserProcess, remote: RemoteRecogniser) -> None:
    process.start()
    (started,) = children()
    process.tell("load", models())
    process.tell("load", SpeechModels(Path("nowhere")))  # what it raises is told to nobody
    assert "save" in remote.transcribe(SAVE).text.lower()
    assert children() == [started]


def test_a_fault_of_the_model_is_told_as_it_is_in_one_process(tmp_path: Path, process: RecogniserProcess) -> None:
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (tmp_path / name).write_bytes(b"1234")
    with pytest.raises(TranscriptionError, match="can't be loaded") as raised:
        RemoteRecogniser(SpeechModels(tmp_path), process).load()
    assert type(raised.value) is TranscriptionError
    assert "save" in RemoteRecogniser(models(), process).transcribe(SAVE).text.lower(), "it goes on with another model"


def test_a_fault_of_the_program_is_told_in_a_sentence(
    process: RecogniserProcess, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(TranscriptionError, match=r"Transcribing failed \(AttributeError.* Say it again"):
        process.call("no_such_method")
    assert "no_such_method failed" in capfd.readouterr().err


def test_what_a_crash_left_unheard_is_heard_by_the_next_process(
    remote: RemoteRecogniser, caplog: pytest.LogCaptureFixture
) -> None:
    remote.load()
    (first,) = children()
    first.send_signal(signal.SIGSTOP)  # so that it dies in the middle of the work
    heard: list[str] = []
    hearing = threading.Thread(target=lambda: heard.append(remote.transcribe(SAVE).text))
    hearing.start()
    first.kill()
    hearing.join()
    assert "save" in heard[0].lower()
    assert children() != [first]
    assert "stopped unexpectedly (exit status -9)" in caplog.text


def test_after_a_crash_the_gpu_is_left_alone(remote: RemoteRecogniser) -> None:
    remote.load()
    assert remote._models.try_gpu
    children()[0].kill()
    remote.load()
    assert not remote._models.try_gpu


def test_two_crashes_are_told(process: RecogniserProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    crash = "import sys; sys.exit(3)"
    monkeypatch.setattr("app.voice.recogniser_process._command", lambda: [sys.executable, "-c", crash])
    with pytest.raises(RecogniserProcessEndedError, match=r"exit status 3.*another model in Settings"):
        RemoteRecogniser(models(), process).transcribe(SAVE)


def test_it_can_be_interrupted(remote: RemoteRecogniser) -> None:
    pauses = [part for _ in range(30) for part in (recording("passage-rms"), silence(2.0))]
    stopped: list[str] = []

    def hear() -> None:
        try:
            remote.transcribe(joined(*pauses))
        except TranscriptionError as error:
            stopped.append(str(error))

    remote.load()
    hearing = threading.Thread(target=hear)
    hearing.start()
    # Until it has begun there is nothing to interrupt.
    while hearing.is_alive():
        remote.interrupt()
        hearing.join(0.05)
    assert stopped == ["Transcribing was stopped."]
    assert "save" in remote.transcribe(SAVE).text.lower()


@pytest.mark.parametrize("seconds", [0, 60], ids=["waiting for the answer", "writing the request"])
def test_closing_ends_a_call_in_progress(
    remote: RemoteRecogniser, process: RecogniserProcess, monkeypatch: pytest.MonkeyPatch, seconds: int
) -> None:
    """Even of a process that hangs; and what was under way is not begun again."""
    monkeypatch.setattr(recogniser_process, "_END_S", 0.1)
    remote.load()
    (child,) = children()
    child.send_signal(signal.SIGSTOP)
    stopped: list[str] = []

    def hear() -> None:
        try:
            remote.transcribe(joined(SAVE, silence(seconds)))
        except TranscriptionError as error:
            stopped.append(str(error))

    sent = process._number
    hearing = threading.Thread(target=hear)
    hearing.start()
    while process._number == sent:
        hearing.join(0.01)
    remote.close()
    hearing.join(WAIT_S)
    assert stopped == ["Transcribing was stopped."]


def test_it_ends_with_the_program_that_started_it() -> None:
    script = (
        "import os, sys, psutil\n"
        "from app.voice.recogniser_process import RecogniserProcess\n"
        "process = RecogniserProcess()\n"
        "process.start()\n"
        "print(psutil.Process().children()[0].pid, flush=True)\n"
        "os._exit(1)\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    pid = int(ran.stdout)
    try:
        psutil.Process(pid).wait(WAIT_S)
    except psutil.NoSuchProcess:
        return
    assert not psutil.pid_exists(pid)


def test_what_a_library_prints_does_not_come_between(
    process: RecogniserProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Standard output is the way back: a library that writes to it must reach standard error instead."""
    (tmp_path / "faster_whisper.py").write_text(
        "import os, sys\n"
        "os.write(1, b'a library speaks')\n"
        f"sys.path.remove({str(tmp_path)!r})\n"
        "del sys.modules['faster_whisper']\n"
        "import faster_whisper\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert "save" in RemoteRecogniser(models(), process).transcribe(SAVE).text.lower()
    assert "a library speaks" in capfd.readouterr().err
