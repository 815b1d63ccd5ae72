"""Values over a pipe between two processes of this program: the length in 4 bytes, then the value, pickled."""

from __future__ import annotations

import pickle
import struct
from typing import IO

_LENGTH = struct.Struct("<I")


def write_frame(pipe: IO[bytes], value: object) -> None:
    """Writes one value.

    Raises:
        OSError: Nobody reads any more.
    """
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> object:
    """Waits for one value.

    Raises:
        EOFError: The other side has gone.
    """
    (length,) = _LENGTH.unpack(_exactly(pipe, _LENGTH.size))
    return pickle.loads(_exactly(pipe, length))


def _exactly(pipe: IO[bytes], count: int) -> bytes:
    data = pipe.read(count)
    if len(data) < count:
        raise EOFError("the other process has gone")
    return data
