"""A graph for ONNX Runtime, and what Moonshine's encoder and decoder have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.voice.moonshine.onnx_bytes import CONTRIBUTED, Attribute, Message, Shape, model, node
from app.voice.moonshine.weights import Array, Quantized

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

HEADS = 8

_MIDDLE = 128
"""The byte that stands for zero where activations are quantized."""

_OUTLIERS, _COPIES = (23, 321), 6
"""These two numbers of the normalised rows are up to five times as large as all others, whatever is said."""


class Graph:
    """Collects operations. A method that adds some takes and gives names of their inputs and outputs."""

    def __init__(self) -> None:
        """An empty graph."""
        self._nodes: list[Message] = []
        self._constants: dict[str, NDArray[Any]] = {}
        self._inputs: dict[str, tuple[str, Shape]] = {}
        self._outputs: dict[str, tuple[str, Shape]] = {}
        self._names = 0

    def input(self, name: str, element: str, shape: Shape) -> str:
        """What is given at each run; `element` is the name of a numpy type."""
        self._inputs[name] = (element, shape)
        return name

    def output(self, name: str, element: str, shape: Shape) -> str:
        """What is given back at each run; one operation puts it `into` this name."""
        self._outputs[name] = (element, shape)
        return name

    def constant(self, array: NDArray[Any] | np.generic) -> str:
        """What is the same at each run."""
        name = self._name()
        self._constants[name] = np.asarray(array)
        return name

    def add(
        self, operator: str, *inputs: str, into: Sequence[str] = (), contributed: bool = False, **attributes: Attribute
    ) -> str:
        """Adds one operation; its only output, or the first of those that are named by `into`."""
        outputs = into or (self._name(),)
        self._nodes.append(node(operator, inputs, outputs, CONTRIBUTED if contributed else "", attributes))
        return outputs[0]

    def split(self, value: str, parts: int) -> list[str]:
        """Equal parts of the last axis."""
        names = [self._name() for _ in range(parts)]
        self.add("Split", value, into=names, axis=-1)
        return names

    def session(self, *, threads: int) -> InferenceSession:
        """Makes it ready to run.

        Raises:
            ValueError: ONNX Runtime doesn't take it: the weights don't fit together.
        """
        # Imported here: some 0.2 s that only who has the model needs to wait for.
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3  # Errors reach us as exceptions; warnings about the graph help nobody.
        # Threads that wait for work would take the cores from what else runs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Without it, matrices would stay in bytes, and become floats at every run.
        options.add_session_config_entry("session.disable_quant_qdq", "1")
        content = model(self._nodes, self._constants, self._inputs, self._outputs)
        try:
            return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # its exceptions have no class in common
            raise ValueError(str(error)) from error

    def weights(self, quantized: Quantized) -> str:
        """Weights as floats, computed once when the graph is made ready."""
        zero = self.constant(np.int8(quantized.zero))
        return self.add("DequantizeLinear", self.constant(quantized.bytes), self.constant(quantized.scale), zero)

    def norm(self, x: str, scale: Array, epsilon: float) -> str:
        """Normalises each row."""
        return self.add("LayerNormalization", x, self.constant(scale), axis=-1, epsilon=epsilon)

    def turned(self, x: str, cosines: str, sines: str, width: int) -> str:
        """Rotary positions (Su et al., 2021): neighbouring pairs of the first `width` numbers of a head are turned."""
        start = self.constant(np.zeros(1, np.int64))
        return self.add(
            "RotaryEmbedding",
            *(x, start, cosines, sines),
            contributed=True,
            interleaved=1,
            num_heads=HEADS,
            rotary_embedding_dim=width,
        )

    def attention(self, *inputs: str, into: Sequence[str] = ()) -> str:
        """Attention of queries to keys and values: what `MultiHeadAttention` of ONNX Runtime takes, in its order."""
        return self.add("MultiHeadAttention", *inputs, into=into, contributed=True, num_heads=HEADS)

    def rows_of_zeros(self, tokens: str) -> str:
        """The zeros that `product` needs, one for each of the tokens, which have shape (1, tokens)."""
        rows = self.add("Shape", tokens, start=1)
        return self.add("Expand", self.constant(np.array([_MIDDLE], np.uint8)), rows)

    def product(self, x: str, matrices: Sequence[Quantized], zeros: str) -> str:
        """Multiplies rows, shape (1, rows, inputs), with the matrices side by side, in 8 bits.

        Each row gets a scale of its own, so that it comes out the same whichever rows are beside it. Both factors are
        unsigned: of an unsigned and a signed one, sums of products saturate on processors without VNNI.

        Args:
            x: The rows.
            matrices: Of as many inputs each.
            zeros: What `rows_of_zeros` gave.
        """
        largest = self.add("ReduceMax", self.add("Abs", x), axes=(0, 2), keepdims=0)
        scale = self.add("Mul", largest, self.constant(np.float32(1 / 127)))
        scales = [np.full(each.bytes.shape[1], each.scale) for each in matrices]
        middles = [np.full(each.bytes.shape[1], each.zero + 128, np.uint8) for each in matrices]
        unsigned = np.concatenate([each.bytes.view(np.uint8) for each in matrices], axis=1) ^ np.uint8(128)
        multiplied = self.add(
            "MatMulIntegerToFloat",
            self.add("QuantizeLinear", x, scale, zeros, axis=1),
            self.constant(unsigned),
            self.constant(np.float32(1)),
            self.constant(np.concatenate(scales)),
            self.constant(np.uint8(_MIDDLE)),
            self.constant(np.concatenate(middles)),
            contributed=True,
        )
        return self.add("Mul", multiplied, self.add("Unsqueeze", scale, self.constant(np.array([1], np.int64))))

    def levelled_product(self, x: str, scale: Array, epsilon: float, matrices: Sequence[Quantized], zeros: str) -> str:
        """Normalises rows and multiplies them as `product` does, only more exactly.

        Numbers that are much larger than the others would coarsen the scale of all. Each is replaced by several that
        are a part of it, and its row of the matrices by as many: the sum is the same.
        """
        divided = scale.copy()
        divided[list(_OUTLIERS)] /= _COPIES
        taken = np.concatenate([np.arange(len(scale)), np.repeat(_OUTLIERS, _COPIES - 1)])
        rows = self.add("Gather", self.norm(x, divided, epsilon), self.constant(taken), axis=2)
        longer = [Quantized(each.bytes[taken], each.scale, each.zero) for each in matrices]
        return self.product(rows, longer, zeros)

    def _name(self) -> str:
        self._names += 1
        return f"value-{self._names}"


def angles(positions: NDArray[np.int64], frequencies: Array) -> Mapping[str, Array]:
    """The inputs "cosines" and "sines" for rows at these positions."""
    turns = positions[:, None].astype(np.float32) * frequencies
    return {"cosines": np.cos(turns), "sines": np.sin(turns)}
