"""Moonshine's two networks: the encoder hears, the decoder says which token comes next.

The architecture is that of Jeffries et al., "Moonshine: Speech Recognition for Live Transcription and Voice Commands"
(2024): transformers with rotary positions over a part of each head; the decoder's feed-forwards are gated.

The graphs as they are shipped make floats of all their bytes at every run, which takes as long as the arithmetic
(encoder) or ten times as long (decoder). Ours do it once, or multiply the bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.voice.moonshine.graph import HEADS, Graph, angles
from app.voice.moonshine.weights import Array, Quantized, Weights

if TYPE_CHECKING:
    from onnxruntime import OrtValue

Memory: TypeAlias = tuple["OrtValue", ...]
"""Keys and values of one layer after the other, each of shape (1, heads, rows, width of a head)."""

BEST = 10
"""So many of the likeliest next tokens are given."""

_LAYERS = 8
_STRIDES = (64, 3, 2)
_HIDDEN = np.float32(-1e9)


@dataclass(frozen=True, slots=True)
class Rows:
    """Tokens to read at once. They may be of several sentences: which each belongs to is said by what it sees.

    Attributes:
        tokens: Shape (rows,).
        positions: How many tokens stand before each in its sentence.
        seen: Which rows are of its sentence, shape (rows, rows read before + rows); itself and those before it.
        asked: Pairs of a row and a token whose log-probability after it is asked for, shape (pairs, 2).
    """

    tokens: NDArray[np.int64]
    positions: NDArray[np.int64]
    seen: NDArray[np.bool_]
    asked: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Next:
    """What may come after each row.

    Attributes:
        scores: Log-probabilities of the likeliest tokens, likeliest first, shape (rows, BEST).
        tokens: These tokens.
        asked: The log-probabilities that were asked for.
        memory: What the next step needs of this one and those before.
    """

    scores: Array
    tokens: NDArray[np.int64]
    asked: Array
    memory: Memory


class Encoder:
    """Hears: from samples to what the decoder's attention needs."""

    def __init__(self, encoder: Weights, decoder: Weights, *, threads: int) -> None:
        """Makes it ready to run.

        Raises:
            ValueError: The files don't hold this network.
        """
        self._frequencies = encoder.array("/rotary_emb/Cast_1_output_0").flatten()
        self._session = _encoder(encoder, decoder).session(threads=threads)

    def listen(self, samples: Array) -> Memory:
        """Hears some seconds of mono sound, 16 kHz; at least half a second."""
        from onnxruntime import OrtValue

        frames = np.arange(len(samples) // int(np.prod(_STRIDES)) + 1)
        given = {"samples": samples[None, None], **angles(frames, self._frequencies)}
        values = {name: OrtValue.ortvalue_from_numpy(np.ascontiguousarray(array)) for name, array in given.items()}
        return tuple(self._session.run_with_ort_values(_memory("heard"), values))


class Decoder:
    """Says which token comes next. It holds no state: the caller keeps the memory."""

    def __init__(self, weights: Weights) -> None:
        """Makes it ready to run.

        Raises:
            ValueError: The file doesn't hold this network.
        """
        self._frequencies = weights.array("/model/decoder/rotary_emb/Cast_1_output_0").flatten()
        graph, self._head = _decoder(weights)
        # So little is computed between two products that a second thread costs as much as it saves.
        self._session = graph.session(threads=1)

    def nothing(self) -> Memory:
        """What the first step needs in place of steps before it."""
        from onnxruntime import OrtValue

        empty = np.zeros((1, HEADS, 0, self._head), np.float32)
        return (OrtValue.ortvalue_from_numpy(empty),) * (2 * _LAYERS)

    def step(self, rows: Rows, heard: Memory, before: Memory) -> Next:
        """Reads more tokens.

        Args:
            rows: Those after the ones that `before` was made of.
            heard: What the encoder gave; it is the same for all sentences.
            before: What the last step gave, or `nothing`.
        """
        from onnxruntime import OrtValue

        given = {
            "tokens": rows.tokens[None].astype(np.int64),
            "hidden": np.where(rows.seen, np.float32(0), _HIDDEN)[None, None],
            "asked": np.insert(rows.asked, 0, 0, axis=1).astype(np.int64),
            **angles(rows.positions, self._frequencies),
        }
        values = {name: OrtValue.ortvalue_from_numpy(array) for name, array in given.items()}
        values |= dict(zip((*_memory("heard"), *_memory("before")), (*heard, *before), strict=True))
        names = ["scores", "best", "answers", *_memory("now")]
        scores, tokens, asked, *memory = self._session.run_with_ort_values(names, values)
        return Next(scores.numpy()[0], tokens.numpy()[0], asked.numpy(), tuple(memory))


def _memory(name: str) -> list[str]:
    return [f"{name}-{part}-{layer}" for layer in range(_LAYERS) for part in ("keys", "values")]


def _encoder(weights: Weights, decoder: Weights) -> Graph:
    """All in floats: many rows are multiplied at once, which waits for the processor, not for the weights."""
    graph = Graph()
    frequencies = weights.array("/rotary_emb/Cast_1_output_0").size
    epsilon = float(weights.array("/layers.0/input_layernorm/Constant_1_output_0"))
    cosines, sines = (graph.input(name, "float32", ("angles", frequencies)) for name in ("cosines", "sines"))

    def multiplied(x: str, *names: str) -> list[str]:
        return [graph.add("MatMul", x, graph.weights(weights.matrix(name))) for name in names]

    def normed(x: str, name: str) -> str:
        return graph.norm(x, weights.array(f"{name}.weight"), epsilon)

    def offset(x: str, name: str) -> str:
        return graph.add("Add", x, graph.constant(weights.array(f"{name}.bias")))

    x = _convolved(graph, weights)
    for number in range(_LAYERS):
        node, name = f"/layers.{number}/", f"layers.{number}."
        parts = (f"{node}self_attn/{part}_proj" for part in "qkv")
        query, key, value = multiplied(normed(x, f"{name}input_layernorm"), *parts)
        query, key = (graph.turned(each, cosines, sines, 2 * frequencies) for each in (query, key))
        (back,) = multiplied(graph.attention(query, key, value), f"{node}self_attn/dense")
        x = graph.add("Add", x, back)
        (wide,) = multiplied(normed(x, f"{name}post_attention_layernorm"), f"{node}mlp/fc1")
        wide = graph.add("Gelu", offset(wide, f"{name}mlp.fc1"), contributed=True)
        (back,) = multiplied(wide, f"{node}mlp/fc2")
        x = graph.add("Add", x, offset(back, f"{name}mlp.fc2"))
    x = normed(x, "layer_norm")
    asked = [f"/model/decoder/layers.{number}/encoder_attn/{part}_proj" for number in range(_LAYERS) for part in "kv"]
    for given, multiplication in zip(_memory("heard"), asked, strict=True):
        matrix = decoder.matrix(multiplication)
        width = matrix.bytes.shape[1] // HEADS
        every = graph.add("MatMul", x, graph.weights(matrix))
        heads = graph.add("Reshape", every, graph.constant(np.array([0, 0, HEADS, width], np.int64)))
        shape = (1, HEADS, "frames", width)
        graph.add("Transpose", heads, into=(graph.output(given, "float32", shape),), perm=(0, 2, 1, 3))
    return graph


def _convolved(graph: Graph, weights: Weights) -> str:
    """The first, convolutional part of the encoder, from samples to frames."""
    x = graph.input("samples", "float32", (1, 1, "samples"))

    def convolved(x: str, number: int, *offset: str) -> str:
        kernel = graph.weights(weights.quantized(f"conv{number}.weight"))
        return graph.add("Conv", x, kernel, *offset, strides=(_STRIDES[number - 1],))

    x = graph.add("Tanh", convolved(x, 1))
    # All channels together are normalised, as one.
    one, none = (graph.constant(np.array([number], np.float32)) for number in (1, 0))
    joined = graph.add("Reshape", x, graph.constant(np.array([0, 1, -1], np.int64)))
    x = graph.add("Reshape", graph.add("InstanceNormalization", joined, one, none, epsilon=1e-5), graph.add("Shape", x))
    x = graph.add("Mul", x, graph.constant(weights.array("onnx::Mul_1942")))
    x = graph.add("Add", x, graph.constant(weights.array("onnx::Add_1943")))
    for number in (2, 3):
        offset = graph.constant(weights.array(f"conv{number}.bias"))
        x = graph.add("Gelu", convolved(x, number, offset), contributed=True)
    return graph.add("Transpose", x, perm=(0, 2, 1))


def _decoder(weights: Weights) -> tuple[Graph, int]:
    """The graph, and the width of a head."""
    graph = Graph()
    embedding = weights.quantized("model.decoder.embed_tokens.weight_merged_0")
    head = embedding.bytes.shape[1] // HEADS
    frequencies = weights.array("/model/decoder/rotary_emb/Cast_1_output_0").size
    epsilon = float(weights.array("/model/decoder/layers.0/input_layernorm/Constant_1_output_0"))
    tokens = graph.input("tokens", "int64", (1, "rows"))
    cosines, sines = (graph.input(name, "float32", ("rows", frequencies)) for name in ("cosines", "sines"))
    hidden = graph.input("hidden", "float32", (1, 1, "rows", "all"))
    asked = graph.input("asked", "int64", ("asked", 3))
    heard = [graph.input(name, "float32", (1, HEADS, "frames", head)) for name in _memory("heard")]
    before = [graph.input(name, "float32", (1, HEADS, "before", head)) for name in _memory("before")]
    now = [graph.output(name, "float32", (1, HEADS, "all", head)) for name in _memory("now")]
    zeros = graph.rows_of_zeros(tokens)

    def multiplied(x: str, name: str) -> str:
        return graph.product(x, [weights.matrix(name)], zeros)

    def normed(x: str, name: str, matrices: Sequence[Quantized]) -> str:
        return graph.levelled_product(x, weights.array(f"{name}.weight_merged_0"), epsilon, matrices, zeros)

    def offset(x: str, name: str) -> str:
        return graph.add("Add", x, graph.constant(weights.array(f"{name}.bias_merged_0")))

    looked_up = graph.add("Gather", graph.constant(embedding.bytes), tokens, axis=0)
    zero = graph.constant(np.int8(embedding.zero))
    x = graph.add("DequantizeLinear", looked_up, graph.constant(embedding.scale), zero)
    for number in range(_LAYERS):
        node, name = f"/model/decoder/layers.{number}/", f"model.decoder.layers.{number}."
        own = normed(x, f"{name}input_layernorm", [weights.matrix(f"{node}self_attn/{part}_proj") for part in "qkv"])
        query, key, value = graph.split(own, 3)
        query, key = (graph.turned(each, cosines, sines, 2 * frequencies) for each in (query, key))
        layer = slice(2 * number, 2 * number + 2)
        kept = (f"mixed-{number}", *now[layer])
        mixed = graph.attention(query, key, value, "", "", hidden, *before[layer], into=kept)
        x = graph.add("Add", x, multiplied(mixed, f"{node}self_attn/dense"))
        query = normed(x, f"{name}post_attention_layernorm", [weights.matrix(f"{node}encoder_attn/q_proj")])
        mixed = graph.attention(query, *heard[layer])
        x = graph.add("Add", x, multiplied(mixed, f"{node}encoder_attn/dense"))
        wide = normed(x, f"{name}final_layernorm", [weights.matrix(f"{node}mlp/up_proj")])
        values, gates = graph.split(offset(wide, f"{name}mlp.up_proj"), 2)
        gated = graph.add("Mul", values, graph.add("QuickGelu", gates, contributed=True, alpha=1.0))
        x = graph.add("Add", x, offset(multiplied(gated, f"{node}mlp/down_proj"), f"{name}mlp.down_proj"))
    last = Quantized(np.ascontiguousarray(embedding.bytes.T), embedding.scale, embedding.zero)
    scores = graph.add("LogSoftmax", normed(x, "model.decoder.norm", [last]), axis=-1)
    best = (graph.output("scores", "float32", (1, "rows", BEST)), graph.output("best", "int64", (1, "rows", BEST)))
    graph.add("TopK", scores, graph.constant(np.array([BEST], np.int64)), into=best, axis=-1)
    graph.add("GatherND", scores, asked, into=(graph.output("answers", "float32", ("asked",)),))
    return graph, head
