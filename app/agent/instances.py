"""One registered object or function: what the registry knows of it without keeping it alive."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MethodType
from typing import Any, TypeAlias

from app.agent.errors import RegistrationError
from app.agent.frozen import FrozenDict, freeze_object
from app.agent.json_types import JsonObject
from app.agent.policy import Policy
from app.agent.snapshot import InstanceView
from app.agent.tools import Tool

logger = logging.getLogger(__name__)

StateReader: TypeAlias = Callable[[], Mapping[str, Any]]
AvailabilityReader: TypeAlias = Callable[[], str]

GONE = "it is no longer on screen"
_NO_STATE = FrozenDict()

_Reader: TypeAlias = Callable[[Any], Any]
"""A reader as it is held: called with the object it was registered for."""


class ReaderGoneError(Exception):
    """The object that a reader belonged to has been freed."""


class Reference(weakref.ref[Any]):
    """A weak reference that knows which instance it belongs to, after its object has gone too."""

    __slots__ = ("guid",)

    guid: str


@dataclass(slots=True, eq=False)
class Instance:
    """A registered object.

    Attributes:
        tools: Wire names of the tools it takes part in.
        identity: `id()` of the object.
        reference: Gives the object, or None once it has gone.
        state, available: The readers as `weakly` gives them, or None.
        view: What the last snapshot says of it; None before the first.
    """

    guid: str
    handle: str
    label: str
    kind: str
    aliases: tuple[str, ...]
    tools: tuple[str, ...]
    policy: Policy | None
    identity: int
    reference: Reference
    state: _Reader | None
    available: _Reader | None
    view: InstanceView | None = None

    def why_not(self) -> str:
        """Asks the object now whether it can be acted on; an empty string, or the reason why not."""
        obj = self.reference()
        return GONE if obj is None else _ask(self.available, obj, self.label)

    def read_state(self) -> JsonObject:
        """Asks the object for its state now.

        Raises:
            TypeError: The state is not a JSON object.
        """
        obj = self.reference()
        return _NO_STATE if self.state is None or obj is None else freeze_object(self.state(obj))

    def read(self, revision: int) -> InstanceView:
        """Asks the object for its availability and state now: its last view, or a new one with that revision."""
        reason = self.why_not()
        state: JsonObject = _NO_STATE
        if reason != GONE:
            try:
                state = self.read_state()
            except ReaderGoneError:
                reason = GONE
            except Exception:  # One broken widget must not take the others off the screen.
                logger.exception("can't read the state of %s (%s)", self.label, self.kind)
                reason = reason or "its state can't be read"
        view = self.view
        if view is None:
            return InstanceView(
                self.guid,
                self.handle,
                self.label,
                self.kind,
                self.aliases,
                self.tools,
                state,
                not reason,
                reason,
                revision,
                self.policy,
            )
        if view.reason == reason and view.state == state:
            return view
        return replace(view, state=state, available=not reason, reason=reason, revision=revision)


@dataclass(frozen=True, slots=True)
class Function:
    """A registered function, which acts on no instance."""

    tool: Tool
    call: Callable[..., Any]
    available: _Reader | None

    def why_not(self) -> str:
        """Asks whether it can be called now; an empty string, or the reason why not."""
        return _ask(self.available, None, self.tool.title)

    def is_offered(self) -> bool:
        """Whether it belongs in a snapshot taken now."""
        return self.tool.options.policy != "never" and not self.why_not()


def _ask(available: _Reader | None, obj: object, name: str) -> str:
    if available is None:
        return ""
    try:
        reason = available(obj)
    except ReaderGoneError:
        return GONE
    except Exception:  # As in `read`.
        logger.exception("can't tell whether %s is available", name)
        return "it doesn't answer"
    return reason if isinstance(reason, str) else "it doesn't answer"


def weakly(reader: Callable[[], Any] | None, obj: object = None) -> _Reader | None:
    """Holds a reader so that it doesn't keep the object alive that it is bound to.

    Args:
        reader: A function without arguments, or None.
        obj: The object whose reader it is.

    Returns:
        A function to be called with `obj`, or None for None.

    Raises:
        RegistrationError: The reader is a closure over `obj`, which would never be freed.
    """
    if reader is None:
        return None
    if isinstance(reader, MethodType):
        # The usual case first: nothing but the function has to be held.
        return reader.__func__ if reader.__self__ is obj else _through(weakref.WeakMethod(reader))
    if obj is not None and any(cell.cell_contents is obj for cell in getattr(reader, "__closure__", None) or ()):
        raise RegistrationError(
            f"{type(obj).__qualname__}: a function given for its state holds the object, which would never be freed: "
            "give a bound method"
        )
    return lambda _obj: reader()


def _through(method: weakref.WeakMethod[Any]) -> _Reader:
    def read(_obj: object) -> Any:
        reader = method()
        if reader is None:
            raise ReaderGoneError
        return reader()

    return read


def refer(obj: object, guid: str, gone: Callable[[Any], None]) -> Reference:
    """A weak reference to an object that is to be registered; `gone` gets the reference once the object is freed.

    Raises:
        RegistrationError: Its class allows no weak references.
    """
    try:
        reference = Reference(obj, gone)
    except TypeError as error:
        raise RegistrationError(
            f"{type(obj).__qualname__} allows no weak references: add '__weakref__' to its __slots__"
        ) from error
    reference.guid = guid
    return reference
