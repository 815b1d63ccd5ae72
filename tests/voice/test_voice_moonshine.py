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
from app.voice.moonshine.graph import Graph
from app.voice.moonshine.model import Moonshine
from app.voice.moonshine.network import Decoder, Encoder, Rows
from app.voice.moonshine.onnx_bytes import node
from app.voice.moonshine.tokens import END, START, Tokens
from app.voice.moonshine.weights import Quantized, Weights

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


def _shipped(file: Path) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])


def _one_sentence(tokens: list[int], *, after: int = 0) -> Rows:
    """The tokens of a sentence that follow those already read, asked for each next one."""
    numbers = np.array(tokens)
    seen = np.tri(len(tokens), dtype=np.bool_)[after:]
    asked = np.stack((np.arange(len(tokens) - after - 1), numbers[after + 1 :]), axis=1)
    return Rows(numbers[after:], np.arange(after, len(tokens)), seen, asked)


def test_our_arithmetic_is_that_of_the_graphs_it_was_shipped_in(folder: Path) -> None:
    samples = recording("title-awb").samples
    tokens = [START, *Tokens(folder / TOKENS).numbers("Set the title to voice control for everyone."), END]
    shipped = _shipped(folder / DECODER)
    empty = np.zeros((1, 8, 0, 52), dtype=np.float32)
    given = {each.name: empty for each in shipped.get_inputs() if each.name.startswith("past")}
    given["encoder_hidden_states"] = _shipped(folder / ENCODER).run(None, {"input_values": samples[None]})[0]
    given |= {"input_ids": np.array([tokens]), "use_cache_branch": np.array([False])}
    heard_names = [f"present.{layer}.encoder.{part}" for layer in range(8) for part in ("key", "value")]
    logits, *expected_heard = shipped.run(["logits", *heard_names], given)
    logits = logits[0].astype(np.float64)
    expected = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))

    weights = Weights(folder / DECODER)
    heard = Encoder(Weights(folder / ENCODER), weights, threads=1).listen(samples)
    for ours, theirs in zip(heard, expected_heard, strict=True):
        np.testing.assert_allclose(ours.numpy(), theirs, atol=2e-3)

    decoder = Decoder(weights)
    at_once = decoder.step(_one_sentence(tokens), heard, decoder.nothing())
    # The decoder multiplies in 8 bits: over some hundred clips 0.01 off on average, and 0.44 at most.
    errors = np.abs(at_once.asked - expected[range(len(tokens) - 1), tokens[1:]])
    assert errors.mean() < 0.03
    assert errors.max() < 0.3
    assert at_once.tokens[:-1, 0].tolist() == expected[:-1].argmax(axis=-1).tolist()
    assert np.all(np.diff(at_once.scores) <= 0)
    np.testing.assert_allclose(at_once.scores[:-1, 0], expected[:-1].max(axis=-1), atol=0.3)

    first = decoder.step(_one_sentence(tokens[:3]), heard, decoder.nothing())
    then = decoder.step(_one_sentence(tokens, after=3), heard, first.memory)
    np.testing.assert_allclose(then.scores, at_once.scores[3:], atol=0.05)


def test_products_in_8_bits_do_not_saturate() -> None:
    random = np.random.default_rng(1)
    extreme = random.choice(np.array([-128, 127], np.int8), size=(416, 32))
    extreme[:, :4], extreme[:, 4:8] = 127, -128
    matrices = [Quantized(extreme, np.float32(0.5), 3), Quantized(extreme[::-1].copy(), np.float32(0.25), -128)]
    rows = np.sign(random.normal(size=(6, 416))).astype(np.float32)
    rows[0], rows[1], rows[2] = 1, -1, 0
    graph = Graph()
    tokens = graph.input("tokens", "int64", (1, "rows"))
    x = graph.input("x", "float32", (1, "rows", 416))
    product = graph.product(x, matrices, graph.rows_of_zeros(tokens))
    graph.add("Identity", product, into=(graph.output("product", "float32", (1, "rows", 64)),))
    session = graph.session(threads=1)
    (found,) = session.run(None, {"tokens": np.zeros((1, 6), np.int64), "x": rows[None]})
    expected = rows @ np.hstack([(each.bytes.astype(np.float64) - each.zero) * each.scale for each in matrices])
    np.testing.assert_allclose(found[0], expected, rtol=1e-6)


def test_a_node_is_written_as_the_format_says() -> None:
    attribute = b"\x0a\x04axis" + b"\x18" + b"\xff" * 9 + b"\x01" + b"\xa0\x01\x02"
    expected = b"\x0a\x01x" + b"\x12\x01y" + b"\x22\x03Abs" + b"\x2a\x14" + attribute + b"\x3a\x00"
    assert b"".join(node("Abs", ["x"], ["y"], "", {"axis": -1})) == expected


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


def test_a_text_is_judged_alike_beside_others_that_begin_as_it_does(moonshine: Moonshine) -> None:
    sound = moonshine.listen(recording("city-joe").samples)
    texts = ["The city is Edinburgh.", "The city is Edinburgh", "The city", "Delete it.", "The city is Edinburgh."]
    together = moonshine.judge(sound, texts)
    alone = [moonshine.judge(sound, [text])[0] for text in texts]
    assert [each.is_own for each in together] == [each.is_own for each in alone]
    assert [each.log_probability for each in together] == pytest.approx(
        [each.log_probability for each in alone], abs=0.02
    )


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
