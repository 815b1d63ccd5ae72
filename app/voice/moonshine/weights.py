"""Reads the weights of Moonshine's decoder out of a file in ONNX Runtime's own format (a FlatBuffer)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix: TypeAlias = NDArray[np.float32]

_TYPES: Mapping[int, type[np.generic]] = {1: np.float32, 2: np.uint8, 3: np.int8, 7: np.int64}
"""ONNX's numbers of the element types that are read here."""

_DEQUANTIZED = "_add_tensor"
"""The end of the name of a matrix that the graph makes anew at each run: bytes x scale + offset."""


@dataclass(frozen=True)
class Layer:
    """One layer: a matrix (inputs, outputs) for each projection; norms have no offset.

    Attributes:
        own: Query, key and value of self-attention, side by side.
        own_out: From the heads of self-attention back.
        query, key, value, out: The same for attention to the sound.
        up, up_offset: The feed-forward's first projection: values, then gates.
        down, down_offset: Its second one.
        norms: Scales before self-attention, before attention to the sound, and before the feed-forward.
    """

    own: Matrix
    own_out: Matrix
    query: Matrix
    key: Matrix
    value: Matrix
    out: Matrix
    up: Matrix
    up_offset: Matrix
    down: Matrix
    down_offset: Matrix
    norms: tuple[Matrix, Matrix, Matrix]


@dataclass(frozen=True)
class Weights:
    """All weights.

    Attributes:
        embedding: Shape (tokens, width); also the last projection.
        norm: Scale of the last norm.
        frequencies: Of the rotary position embedding, in radians a token.
        epsilon: Added to variances.
    """

    embedding: Matrix
    layers: tuple[Layer, ...]
    norm: Matrix
    frequencies: Matrix
    epsilon: float


def read_weights(file: Path) -> Weights:
    """Reads and dequantizes the weights; some 0.3 s and 165 MB.

    The graph as it is shipped dequantizes every matrix at every token, which takes ten times as long as the
    arithmetic. Here it is done once.

    Raises:
        OSError: The file can't be read.
        ValueError: It holds no such decoder.
    """
    # Some 50 modules; only who has the model needs them.
    from onnxruntime.tools.ort_format_model.ort_flatbuffers_py.fbs.InferenceSession import InferenceSession

    try:
        graph = InferenceSession.GetRootAs(file.read_bytes(), 0).Model().Graph()
        return _weights(_initializers(graph), dict(_matrices(graph)))
    except (KeyError, AttributeError, TypeError, ValueError, StopIteration, struct.error) as error:
        raise ValueError(f"no decoder of Moonshine: {error}") from error


def _weights(given: Mapping[str, NDArray[Any]], matrices: Mapping[str, str]) -> Weights:
    def matrix(name: str) -> Matrix:
        return _dequantized(given, matrices[name])

    def layer(number: int) -> Layer:
        node, name = f"/model/decoder/layers.{number}/", f"model.decoder.layers.{number}."
        own = [matrix(f"{node}self_attn/{which}_proj/MatMul") for which in "qkv"]
        query, key, value = (matrix(f"{node}encoder_attn/{which}_proj/MatMul") for which in "qkv")
        norms = ("input_layernorm", "post_attention_layernorm", "final_layernorm")
        before, between, after = (given[f"{name}{norm}.weight_merged_0"] for norm in norms)
        return Layer(
            own=np.concatenate(own, axis=1),
            own_out=matrix(f"{node}self_attn/dense/MatMul"),
            query=query,
            key=key,
            value=value,
            out=matrix(f"{node}encoder_attn/dense/MatMul"),
            up=matrix(f"{node}mlp/up_proj/MatMul"),
            up_offset=given[f"{name}mlp.up_proj.bias_merged_0"],
            down=matrix(f"{node}mlp/down_proj/MatMul"),
            down_offset=given[f"{name}mlp.down_proj.bias_merged_0"],
            norms=(before, between, after),
        )

    layers = 0
    while f"/model/decoder/layers.{layers}/mlp/down_proj/MatMul" in matrices:
        layers += 1
    return Weights(
        embedding=_dequantized(given, "model.decoder.embed_tokens.weight_merged_0"),
        layers=tuple(layer(number) for number in range(layers)),
        norm=given["model.decoder.norm.weight_merged_0"],
        frequencies=given["/model/decoder/rotary_emb/Cast_1_output_0"].ravel(),
        epsilon=float(given["/model/decoder/layers.0/input_layernorm/Constant_1_output_0"]),
    )


def _dequantized(given: Mapping[str, NDArray[Any]], name: str) -> Matrix:
    whole: Matrix = given[f"{name}_quantized"].astype(np.float32)
    whole *= given[f"{name}_scale"]
    whole += given[f"{name}_zero_point"]
    return whole


def _initializers(graph: Any) -> dict[str, NDArray[Any]]:
    """Name -> array of all that is stored. The arrays look into the file's bytes."""
    found = {}
    for index in range(graph.InitializersLength()):
        tensor = graph.Initializers(index)
        shape = [tensor.Dims(axis) for axis in range(tensor.DimsLength())]
        found[tensor.Name().decode()] = tensor.RawDataAsNumpy().view(_TYPES[tensor.DataType()]).reshape(shape)
    return found


def _matrices(graph: Any) -> Iterator[tuple[str, str]]:
    """Names of multiplications, and of the stored matrix that each multiplies with.

    They are in the two branches of one condition: the first token, and the others.
    """
    condition = next(node for node in _nodes(graph) if node.OpType() == b"If")
    for index in range(condition.AttributesLength()):
        branch = condition.Attributes(index).G()
        for node in _nodes(branch) if branch is not None else ():
            if node.OpType() == b"MatMul" and (matrix := node.Inputs(1).decode()).endswith(_DEQUANTIZED):
                yield node.Name().decode(), matrix.removesuffix(_DEQUANTIZED)


def _nodes(graph: Any) -> Iterator[Any]:
    return (graph.Nodes(index) for index in range(graph.NodesLength()))
