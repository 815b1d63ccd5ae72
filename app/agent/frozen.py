"""Immutable copies of JSON values: what a snapshot holds can't be changed by the object it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from app.agent.json_types import Json


class FrozenDict(dict[str, Json]):
    """A dict that refuses to change. A real dict, so that it is encoded, compared and copied like one."""

    __slots__ = ()

    def _refuse(self, *_args: object, **_kwargs: object) -> NoReturn:
        raise TypeError("this value belongs to a snapshot and can't be changed")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __deepcopy__(self, _memo: object) -> FrozenDict:
        return self

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Json]]]:
        return FrozenDict, (dict(self),)


_SCALARS = (str, int, float, type(None))  # A bool is an int.


def freeze(value: object) -> Json:
    """Copies a JSON value: objects become `FrozenDict`, arrays become tuples.

    Raises:
        TypeError: A part of it is not JSON; the message names the type.
    """
    # The state of every instance comes through here: what is common and quick to tell is asked first.
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, dict):
        return freeze_object(value)
    if isinstance(value, list | tuple):
        return tuple([freeze(part) for part in value])
    if isinstance(value, Mapping):
        return freeze_object(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return tuple([freeze(part) for part in value])
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def freeze_object(value: Mapping[Any, object]) -> FrozenDict:
    """Copies a JSON object; see `freeze`.

    Raises:
        TypeError: A key is not text, or a part of it is not JSON.
    """
    if isinstance(value, FrozenDict):
        return value
    frozen = FrozenDict([(key, freeze(part)) for key, part in value.items()])
    for key in frozen:
        if not isinstance(key, str):
            raise TypeError(f"{key!r} is not text, so it can't be a key of a JSON object")
    return frozen


def thaw(value: Json) -> Any:
    """Copies a frozen value into plain dicts and lists."""
    if isinstance(value, Mapping):
        return {key: thaw(part) for key, part in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [thaw(part) for part in value]
    return value
