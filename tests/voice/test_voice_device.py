"""GPU while it works, CPU from its first failure on, with the same recording.

`Gpu` stands for a GPU: no machine that runs the tests has one. What it raises is what CTranslate2 raises where its
libraries are missing, at the place where it raises it. The CPU is the real one.
"""

from __future__ import annotations

import numpy as np
import pytest
from voice_kit import recording

from app.voice import decoding
from app.voice import transcriber as transcriber_module
from app.voice.device import BestDevice, Device, gpu_is_there
from app.voice.errors import TranscriptionError
from app.voice.models import find_model
from app.voice.transcriber import Transcriber
from app.voice.types import Transcript

MISSING = "Library libcublas.so.12 is not found or cannot be loaded"


class Gpu:
    """Loads on any device, and fails where it is told to."""

    def __init__(self, *, at_load: bool = False, at_work: bool = False) -> None:
        self.at_load, self.at_work = at_load, at_work
        self.loaded: list[Device] = []

    def load(self, device: Device) -> Device:
        self.loaded.append(device)
        if device == "cuda" and self.at_load:
            raise ValueError("Requested float16 compute type, but the device does not support it")
        return device

    def work(self, device: Device) -> str:
        if device == "cuda" and self.at_work:
            raise RuntimeError(MISSING)
        return f"done on {device}"


def test_the_gpu_is_used_while_it_works() -> None:
    gpu = Gpu()
    best = BestDevice(gpu.load, has_gpu=lambda: True)
    assert [best.run(gpu.work), best.run(gpu.work)] == ["done on cuda"] * 2
    assert (gpu.loaded, best.device, best.gpu_problem) == (["cuda"], "cuda", "")


@pytest.mark.parametrize("place", ["at_load", "at_work"])
def test_a_gpu_that_fails_is_replaced_by_the_cpu_for_good(place: str, caplog: pytest.LogCaptureFixture) -> None:
    gpu = Gpu(**{place: True})
    best = BestDevice(gpu.load, has_gpu=lambda: True)
    assert [best.run(gpu.work), best.run(gpu.work)] == ["done on cpu"] * 2
    assert (gpu.loaded, best.device) == (["cuda", "cpu"], "cpu")
    assert best.gpu_problem in caplog.text


def test_a_gpu_that_fails_later_hands_over_the_same_work() -> None:
    gpu = Gpu()
    best = BestDevice(gpu.load, has_gpu=lambda: True)
    best.run(gpu.work)
    gpu.at_work = True
    assert best.run(gpu.work) == "done on cpu"


def test_without_a_gpu_none_is_tried_and_a_fault_is_a_fault() -> None:
    gpu = Gpu(at_load=True)
    best = BestDevice(gpu.load, has_gpu=lambda: False)
    assert best.run(gpu.work) == "done on cpu"

    def fail(_device: Device) -> str:
        raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        best.run(fail)
    assert gpu.loaded == ["cpu"]


def test_closing_frees_the_model_and_tries_the_gpu_again() -> None:
    gpu = Gpu()
    best = BestDevice(gpu.load, has_gpu=lambda: True)
    best.run(gpu.work)
    best.close()
    assert not best.is_loaded
    best.run(gpu.work)
    assert gpu.loaded == ["cuda", "cuda"]


def test_whether_there_is_a_gpu_can_be_asked() -> None:
    assert gpu_is_there() in (True, False)


@pytest.mark.speech
def test_a_recording_that_the_gpu_failed_on_is_heard_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real recogniser on a machine that says that it has a GPU: on one without, loading fails as with a driver
    that is missing."""
    monkeypatch.setattr(transcriber_module, "gpu_is_there", lambda: True)
    transcriber = Transcriber(find_model(), cpu_threads=2)
    heard: Transcript = transcriber.transcribe(recording("save-joe"))
    assert heard.text.strip(".").lower() == "save"
    transcriber.close()


@pytest.mark.speech
def test_a_gpu_that_fails_at_the_first_transcription(monkeypatch: pytest.MonkeyPatch) -> None:
    """GPU found but its library missing: the model loads, and fails at the first transcription."""
    tried: list[int] = []
    real = decoding.decode

    def decode(model: object, samples: np.ndarray, *more: object) -> object:
        tried.append(len(samples))
        if len(tried) == 1:
            raise RuntimeError(MISSING)
        return real(model, samples, *more)  # type: ignore[arg-type]

    def load_anywhere(self: Transcriber, _device: Device) -> object:
        return real_load(self, "cpu")

    real_load = Transcriber._load
    monkeypatch.setattr(transcriber_module, "gpu_is_there", lambda: True)
    monkeypatch.setattr(transcriber_module, "decode", decode)
    monkeypatch.setattr(Transcriber, "_load", load_anywhere)
    transcriber = Transcriber(find_model(), cpu_threads=2)
    said = recording("save-joe")
    assert transcriber.transcribe(said).text.strip(".").lower() == "save"
    assert tried == [len(said.samples)] * 2
    transcriber.close()


def test_a_model_that_no_device_can_load_says_so(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("broken")
    for name in ("model.bin", "config.json", "tokenizer.json", "vocabulary.txt"):
        (folder / name).write_bytes(b"1234")
    with pytest.raises(TranscriptionError, match="can't be loaded"):
        Transcriber(folder).transcribe(recording("save-joe"))
