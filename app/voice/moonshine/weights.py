"""Reads Moonshine's weights out of a file in ONNX Runtime's own format (a FlatBuffer)."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float32]

_TYPES: Mapping[int, type[np.generic]] = {1: np.float32, 2: np.uint8, 3: np.int8, 7: np.int64}
"""ONNX's numbers of the element types that are read here."""

_DEQUANTIZED = "_add_tensor"
"""The end of the name of a matrix that the graph makes anew at each run: bytes x scale + offset."""


@dataclass(frozen=True, slots=True)
class Quantized:
    """Weights in 8 bits: each is (byte - zero) x scale."""

    bytes: NDArray[np.int8]
    scale: np.float32
    zero: int


class Weights:
    """All that a file stores. The arrays look into the file's bytes."""

    def __init__(self, file: Path) -> None:
        """Reads it.

        Raises:
            OSError: The file can't be read.
            ValueError: It holds no graph.
        """
        # Some 50 modules; only who has the model needs them.
        from onnxruntime.tools.ort_format_model.ort_flatbuffers_py.fbs.InferenceSession import InferenceSession

        try:
            graph = InferenceSession.GetRootAs(file.read_bytes(), 0).Model().Graph()
            self._stored = _initializers(graph)
            self._names = dict(_matrices(graph))
        except (KeyError, AttributeError, TypeError, ValueError, IndexError, struct.error) as error:
            raise ValueError(f"{file.name} is damaged: {error}") from error

    def array(self, name: str) -> NDArray[Any]:
        """What is stored under a name as it is.

        Raises:
            ValueError: There is no such name.
        """
        try:
            return self._stored[name]
        except KeyError as error:
            raise ValueError(f"it has no {name}") from error

    def quantized(self, name: str) -> Quantized:
        """What is stored under a name in 8 bits.

        Raises:
            ValueError: There is no such name.
        """
        scale = np.float32(self.array(f"{name}_scale").item())
        # What is called zero point is an offset there, always a whole number of steps.
        zero = -round(self.array(f"{name}_zero_point").item() / float(scale))
        return Quantized(self.array(f"{name}_quantized"), scale, zero)

    def matrix(self, multiplication: str) -> Quantized:
        """What a multiplication in the graph multiplies with, shape (inputs, outputs).

        Raises:
            ValueError: There is no such multiplication.
        """
        try:
            return self.quantized(self._names[f"{multiplication}/MatMul"])
        except KeyError as error:
            raise ValueError(f"it has no {multiplication}") from error


def _initializers(graph: Any) -> dict[str, NDArray[Any]]:
    found = {}
    for index in range(graph.InitializersLength()):
        tensor = graph.Initializers(index)
        shape = [tensor.Dims(axis) for axis in range(tensor.DimsLength())]
        found[tensor.Name().decode()] = tensor.RawDataAsNumpy().view(_TYPES[tensor.DataType()]).reshape(shape)
    return found


def _matrices(graph: Any) -> Iterator[tuple[str, str]]:
    """Names of multiplications, and of the stored matrix that each multiplies with.

    The decoder's are in the two branches of one condition: the first token, and the others.
    """
    for node in (graph.Nodes(index) for index in range(graph.NodesLength())):
        if node.OpType() == b"MatMul" and (matrix := node.Inputs(1).decode()).endswith(_DEQUANTIZED):
            yield node.Name().decode(), matrix.removesuffix(_DEQUANTIZED)
        for index in range(node.AttributesLength()) if node.OpType() == b"If" else ():
            if (branch := node.Attributes(index).G()) is not None:
                yield from _matrices(branch)
