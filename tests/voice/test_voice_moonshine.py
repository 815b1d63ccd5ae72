"""The second recogniser, with its real files."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from voice_kit import joined, recording, silence

from app.voice.errors import TranscriptionError
from app.voice.hypotheses import plain
from app.voice.moonshine.files import DECODER, ENCODER, NAME, TOKENS, find_moonshine
from app.voice.moonshine.model import Moonshine
from app.voice.moonshine.network import Decoder
from app.voice.moonshine.tokens import END, START, Tokens
from app.voice.moonshine.weights import read_weights

pytestmark = pytest.mark.speech


@pytest.fixture(scope="module")
def folder() -> Path:
    found = find_moonshine()
    assert found is not None, "the package moonshine-cpp is part of the extra bundled-model"
    return found


@pytest.fixture(scope="module")
def moonshine(folder: Path) -> Iterator[Moonshine]:
    model = Moonshine(folder, threads=2)
    yield model
    model.close()


def test_our_arithmetic_is_that_of_the_graph_it_was_shipped_in(folder: Path) -> None:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    shipped = onnxruntime.InferenceSession(str(folder / DECODER), options, providers=["CPUExecutionProvider"])
    random = np.random.default_rng(1)
    encoded = random.normal(size=(1, 40, 416)).astype(np.float32)
    tokens = np.array([[START, 3789, 278, 1662, 16297]])
    empty = np.zeros((1, 8, 0, 52), dtype=np.float32)
    given = {each.name: empty for each in shipped.get_inputs() if each.name.startswith("past")}
    given |= {"input_ids": tokens, "encoder_hidden_states": encoded, "use_cache_branch": np.array([False])}
    logits = shipped.run(["logits"], given)[0]
    expected = logits - np.log(np.exp(logits - logits.max(-1, keepdims=True)).sum(-1, keepdims=True))
    expected -= logits.max(-1, keepdims=True)
    decoder = Decoder(read_weights(folder / DECODER))
    sound = decoder.listen(encoded)
    at_once, _ = decoder.step(tokens, sound, None)
    np.testing.assert_allclose(at_once, expected, atol=2e-3)
    first, cache = decoder.step(tokens[:, :2], sound, None)
    then, _ = decoder.step(tokens[:, 2:], sound, cache)
    np.testing.assert_allclose(np.concatenate((first, then), axis=1), at_once, atol=2e-3)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("city-joe", "the city is edinburgh"),
        ("title-awb", "set the title to voice control for everyone"),
        ("conferences-joe", "go to conferences"),
    ],
)
def test_it_hears(moonshine: Moonshine, name: str, said: str) -> None:
    readings = moonshine.readings(moonshine.listen(recording(name).samples))
    assert said in [plain(each.text) for each in readings[:2]]
    assert [each.log_probability for each in readings] == sorted(
        (each.log_probability for each in readings), reverse=True
    )


def test_a_text_is_as_likely_when_it_is_asked_for_as_when_it_is_found(moonshine: Moonshine) -> None:
    sound = moonshine.listen(recording("workplace-rms").samples)
    readings = moonshine.readings(sound)
    asked = [each.log_probability for each in moonshine.judge(sound, [each.text for each in readings])]
    assert asked == pytest.approx([each.log_probability for each in readings], abs=0.01)
    (nonsense,) = moonshine.judge(sound, ["the weather is fine in \N{SNOWMAN}"])
    assert nonsense.log_probability < readings[-1].log_probability - 1
    assert not nonsense.is_own
    assert moonshine.judge(sound, []) == []


def test_it_knows_its_own_reading_in_one_step(moonshine: Moonshine) -> None:
    sound = moonshine.listen(recording("city-joe").samples)
    judged = moonshine.judge(sound, ["The city is Edinburgh.", "The city is Adam Burke.", "the city is Edinburgh"])
    assert [each.is_own for each in judged] == [True, False, False]


@pytest.mark.parametrize("seconds", [0.0, 0.001, 0.3, 8.0])
def test_any_length_of_silence(moonshine: Moonshine, seconds: float) -> None:
    moonshine.readings(moonshine.listen(silence(seconds)))


def test_it_can_be_interrupted(moonshine: Moonshine) -> None:
    sound = moonshine.listen(joined(recording("passage-rms")).samples)
    moonshine.interrupt()
    with pytest.raises(TranscriptionError, match="stopped"):
        moonshine.readings(sound)
    assert moonshine.readings(moonshine.listen(recording("save-joe").samples)), "the next one is heard"


def test_text_goes_to_tokens_and_back(folder: Path) -> None:
    tokens = Tokens(folder / TOKENS)
    for text in ("Set the email to jane@example.com.", "Prof. Åsa's talk", "7 \N{SNOWMAN}"):
        back = tokens.text([START, *tokens.numbers(text), END])
        assert back == text.replace("\N{SNOWMAN}", "").strip() or back == text
    assert tokens.numbers("Click delete.") == [16297, 5217, 29889], "as the model itself writes it"


@pytest.mark.parametrize("damaged", [ENCODER, DECODER, TOKENS])
def test_damaged_files_are_told_with_what_to_do(folder: Path, tmp_path: Path, damaged: str) -> None:
    shutil.copytree(folder, tmp_path / NAME)
    whole = (tmp_path / NAME / damaged).read_bytes()
    (tmp_path / NAME / damaged).write_bytes(whole[: len(whole) // 2])
    found = find_moonshine(folder=tmp_path)
    assert found == tmp_path / NAME, "the person's own files come first"
    with pytest.raises(TranscriptionError, match="Install it again"):
        Moonshine(found).load()


def test_files_that_are_not_whole_are_not_found(folder: Path, tmp_path: Path) -> None:
    (tmp_path / NAME).mkdir()
    shutil.copy(folder / TOKENS, tmp_path / NAME)
    assert find_moonshine(folder=tmp_path) == folder


def test_no_thread_is_left_behind(folder: Path) -> None:
    model = Moonshine(folder, threads=2)
    model.readings(model.listen(recording("save-joe").samples))
    model.close()
    assert not [each for each in threading.enumerate() if "second" in each.name]
