"""Writes an ONNX model as bytes, so that ONNX Runtime can be given a graph that is made at run time.

The format is the protocol buffer that `onnx.proto3` of the ONNX specification describes (IR version 8); the numbers
below are its field numbers. A message is a row of fields, each a key (field number x 8 + kind) and a value: a number of
variable length (kind 0), four bytes (kind 5), or a length and as many bytes (kind 2), which may be a message again.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Attribute: TypeAlias = int | float | Sequence[int]
Shape: TypeAlias = Sequence[int | str]
"""The length of each axis, or a name where it is known at run time only."""

CONTRIBUTED = "com.microsoft"
"""The domain of ONNX Runtime's own operators."""

Message: TypeAlias = list[bytes | memoryview]
"""In pieces, which are joined once: the weights are some 50 MB."""

_IR_VERSION, _OPERATORS, _CONTRIBUTED_OPERATORS = 8, 17, 1

_NUMBER, _BYTES, _FOUR_BYTES = 0, 2, 5

_TYPES: Mapping[str, int] = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7, "bool": 9}
_IS_FLOAT, _IS_INT, _IS_INTS = 1, 2, 7


def model(
    nodes: Iterable[Message],
    constants: Mapping[str, NDArray[Any]],
    inputs: Mapping[str, tuple[str, Shape]],
    outputs: Mapping[str, tuple[str, Shape]],
) -> bytes:
    """The whole model.

    Args:
        nodes: What `node` gave, each after those whose outputs it takes.
        constants: By name.
        inputs: Name -> element type and shape.
        outputs: The same.
    """
    graph = _fields(1, nodes) + _field(2, "graph")
    graph += _fields(5, (_tensor(name, array) for name, array in constants.items()))
    graph += _fields(11, (_value(name, *kind) for name, kind in inputs.items()))
    graph += _fields(12, (_value(name, *kind) for name, kind in outputs.items()))
    versions = {"": _OPERATORS, CONTRIBUTED: _CONTRIBUTED_OPERATORS}
    domains = _fields(8, (_field(1, domain) + _field(2, version) for domain, version in versions.items()))
    return b"".join(_field(1, _IR_VERSION) + _field(7, graph) + domains)


def node(
    operator: str, inputs: Iterable[str], outputs: Iterable[str], domain: str, attributes: Mapping[str, Attribute]
) -> Message:
    """One operation. An input without a name is left out."""
    given = _fields(5, (_attribute(name, value) for name, value in attributes.items()))
    return _fields(1, inputs) + _fields(2, outputs) + _field(4, operator) + given + _field(7, domain)


def _attribute(name: str, value: Attribute) -> Message:
    if isinstance(value, float):
        return _field(1, name) + _field(2, value) + _field(20, _IS_FLOAT)
    if isinstance(value, int):
        return _field(1, name) + _field(3, value) + _field(20, _IS_INT)
    return _field(1, name) + _fields(8, value) + _field(20, _IS_INTS)


def _tensor(name: str, array: NDArray[Any]) -> Message:
    content: Message = [np.ascontiguousarray(array).reshape(-1).view(np.uint8).data]
    return _fields(1, array.shape) + _field(2, _TYPES[array.dtype.name]) + _field(8, name) + _field(9, content)


def _value(name: str, element: str, shape: Shape) -> Message:
    axes = (_field(1 if isinstance(length, int) else 2, length) for length in shape)
    tensor = _field(1, _TYPES[element]) + _field(2, _fields(1, axes))
    return _field(1, name) + _field(2, _field(1, tensor))


def _fields(number: int, values: Iterable[int | float | str | Message]) -> Message:
    """One field for each."""
    return [piece for value in values for piece in _field(number, value)]


def _field(number: int, value: int | float | str | Message) -> Message:
    if isinstance(value, int):
        return [_varying(number << 3 | _NUMBER) + _varying(value)]
    if isinstance(value, float):
        return [_varying(number << 3 | _FOUR_BYTES) + struct.pack("<f", value)]
    content: Message = [value.encode()] if isinstance(value, str) else value
    return [_varying(number << 3 | _BYTES) + _varying(sum(len(piece) for piece in content)), *content]


def _varying(number: int) -> bytes:
    """Seven bits a byte, the lowest first; a negative number as its 64-bit two's complement."""
    number &= 2**64 - 1
    written = bytearray()
    while number > 127:
        written.append(number & 127 | 128)
        number >>= 7
    written.append(number)
    return bytes(written)
