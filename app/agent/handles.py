"""What registering gives back: the means to take it off again."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType


class InstanceHandle:
    """A registered object. As a context manager it is taken off the registry at the end.

    Attributes:
        guid: Identity, never reused.
        handle: Short name, unique on the screen.
    """

    __slots__ = ("_dispose", "_touch", "guid", "handle")

    def __init__(self, guid: str, handle: str, touch: Callable[[str], None], dispose: Callable[[str], None]) -> None:
        self.guid = guid
        self.handle = handle
        self._touch = touch
        self._dispose = dispose

    def touch(self) -> None:
        """Says that its state or availability may have changed: both are read again for the next snapshot."""
        self._touch(self.guid)

    def dispose(self) -> None:
        """Takes the object off the registry; a second time does nothing."""
        self._dispose(self.guid)

    def __enter__(self) -> InstanceHandle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.dispose()


class FunctionHandle:
    """A registered function; `name` is its wire name. Its availability is asked for at every snapshot."""

    __slots__ = ("_dispose", "name")

    def __init__(self, name: str, dispose: Callable[[str], None]) -> None:
        self.name = name
        self._dispose = dispose

    def dispose(self) -> None:
        """Takes the function off the registry; a second time does nothing."""
        self._dispose(self.name)
