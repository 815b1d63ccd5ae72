"""The registry: which tools can be called on what is on the screen right now."""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from app.agent.approval import stricter
from app.agent.arguments import json_form, parse_arguments, validate
from app.agent.calls import split_target, unavailable, unknown_tool
from app.agent.errors import RegistrationError, TargetError
from app.agent.frozen import FrozenDict, freeze_object
from app.agent.handles import FunctionHandle, InstanceHandle
from app.agent.instances import (
    GONE,
    AvailabilityReader,
    Function,
    Instance,
    ReaderGoneError,
    Reference,
    StateReader,
    refer,
    weakly,
)
from app.agent.json_types import JsonObject
from app.agent.naming import HandlePool
from app.agent.policy import Policy
from app.agent.snapshot import BoundCall, InstanceView, Preview, Snapshot, ToolView
from app.agent.snapshot_builder import SnapshotBuilder
from app.agent.tools import Tool, marks_of, tool_of_function, tool_of_method


def effective_policy(tool: ToolView, instance: InstanceView | None) -> Policy:
    """The stricter one of a tool's policy and that of the instance it acts on (None for a function)."""
    return stricter(tool.policy, instance.policy if instance is not None else None)


class Registry:
    """Knows the objects on screen and the tools they take part in, and keeps none of them alive.

    All methods belong to the thread that made the registry (the GUI thread with Qt).
    """

    def __init__(self, screen: StateReader | None = None) -> None:
        """Makes an empty registry.

        Args:
            screen: Gives what belongs to no instance; see `Snapshot.screen`. Asked at every snapshot.
        """
        self._thread = threading.get_ident()
        self._screen = weakly(screen)
        self._handles = HandlePool()
        self._tools: dict[str, Tool] = {}
        self._classes: dict[type, tuple[str, ...]] = {}
        self._instances: dict[str, Instance] = {}
        self._guids: dict[int, str] = {}
        # One draw for all of them: a page that is opened registers some twenty instances in one go.
        self._registry_id = os.urandom(12).hex()
        self._serials = itertools.count(1)
        self._functions: dict[str, Function] = {}
        self._builder = SnapshotBuilder(self._tools)
        self._touched: dict[str, None] = {}
        # Filled by callbacks of weak references, which come in any thread and at any moment.
        self._gone: deque[Reference] = deque()

    # -- what is on screen

    def register_instance(
        self,
        obj: object,
        *,
        label: str,
        aliases: Sequence[str] = (),
        state: StateReader | None = None,
        available: AvailabilityReader | None = None,
        policy: Policy | None = None,
    ) -> InstanceHandle:
        """Says that an object with tools is on screen. It is held weakly, and so are the objects of bound methods.

        Args:
            obj: The object; its class has methods with `@ai_tool`.
            label: The words a person sees.
            aliases: Other names a person may say.
            state: Gives the mapping described at `InstanceView.state`.
            available: Gives an empty string, or the reason why it can't be acted on.
            policy: Makes its calls stricter than the tools say; `never` leaves it out of all snapshots.

        Raises:
            RegistrationError: A tool of its class can't be offered, it has none, or it is registered already.
        """
        self._check_thread()
        self._sweep()
        cls = type(obj)
        tools = self._classes.get(cls)
        if tools is None:
            tools = self._learn(cls)
        known = self._guids.get(id(obj))
        if known is not None:
            handle = self._instances[known].handle
            raise RegistrationError(f"{cls.__qualname__} {label!r} is registered already, as {handle!r}")
        state_reader, availability_reader = weakly(state, obj), weakly(available, obj)
        guid = f"{self._registry_id}{next(self._serials):08x}"
        instance = Instance(
            guid=guid,
            handle=self._handles.take(label),
            label=label,
            kind=cls.__name__,
            aliases=tuple(aliases),
            tools=tools,
            policy=policy,
            identity=id(obj),
            reference=refer(obj, guid, self._gone.append),
            state=state_reader,
            available=availability_reader,
        )
        self._instances[guid] = instance
        self._guids[instance.identity] = guid
        self._touch(guid)
        return InstanceHandle(guid, instance.handle, self._touch, self._dispose)

    def register_function(
        self, function: Callable[..., Any], *, available: AvailabilityReader | None = None
    ) -> FunctionHandle:
        """Offers a function that acts on no instance, such as a tool of the application.

        Args:
            function: A function with `@ai_tool`. It is held until it is disposed of.
            available: Gives an empty string, or the reason why it can't be called now.

        Raises:
            RegistrationError: It can't be offered, or another tool has its name.
        """
        self._check_thread()
        tool = tool_of_function(function)
        if tool.name in self._functions:
            raise RegistrationError(f"{tool.where}: a function named {tool.name!r} is registered already")
        self._add(tool)
        self._functions[tool.name] = Function(tool, function, weakly(available))
        return FunctionHandle(tool.name, self._dispose_function)

    def tools(self) -> tuple[Tool, ...]:
        """All tools it has met, offered now or not."""
        return tuple(self._tools.values())

    def _learn(self, cls: type) -> tuple[str, ...]:
        """Meets a class: builds its tools, and gives the names of those that its instances offer."""
        names: list[str] = []
        for owner, attribute, options in marks_of(cls):
            tool = next((known for known in self._tools.values() if known.is_method(owner, attribute)), None)
            if tool is None:
                tool = tool_of_method(owner, attribute, options)
                self._add(tool)
            if options.policy != "never":
                names.append(tool.name)
        if not names:
            raise RegistrationError(f"{cls.__qualname__} has no method with @ai_tool that may be offered")
        self._classes[cls] = tuple(names)
        return self._classes[cls]

    def _add(self, tool: Tool) -> None:
        known = self._tools.setdefault(tool.name, tool)
        if known is not tool and known.owner is None and tool.owner is None and known.where == tool.where:
            self._tools[tool.name] = tool  # The same function again, after it was disposed of.
        elif known is not tool:
            raise RegistrationError(f"{tool.where}: {known.where} is named {tool.name!r} already")

    def _touch(self, guid: str) -> None:
        self._check_thread()
        instance = self._instances.get(guid)
        if instance is not None and instance.policy != "never":
            self._touched[guid] = None

    def _dispose(self, guid: str) -> None:
        self._check_thread()
        instance = self._instances.pop(guid, None)
        if instance is None:
            return
        del self._guids[instance.identity]
        self._touched.pop(guid, None)
        self._handles.give_back(instance.handle)
        self._builder.remove(instance)

    def _dispose_function(self, name: str) -> None:
        self._check_thread()
        self._functions.pop(name, None)

    def _sweep(self) -> None:
        """Forgets the objects that have been freed."""
        while self._gone:
            self._dispose(self._gone.popleft().guid)

    def _check_thread(self) -> None:
        if threading.get_ident() != self._thread:
            raise RuntimeError("the registry belongs to another thread: call it there")

    # -- the screen now

    def snapshot(self) -> Snapshot:
        """The tools and the state of the screen now. The same value as the last one while nothing has changed."""
        self._check_thread()
        self._sweep()
        revision = self._builder.last.revision + 1
        touched, self._touched = self._touched, {}
        for guid in touched:
            instance = self._instances.get(guid)
            if instance is None:
                continue
            view = instance.read(revision)
            # A reader may have disposed of the object.
            if view is not instance.view and guid in self._instances:
                instance.view = view
                self._builder.update(instance, view)
        functions = [name for name, function in self._functions.items() if function.is_offered()]
        return self._builder.build(self._screen_now(), functions)

    def _screen_now(self) -> JsonObject:
        try:
            return freeze_object(self._screen(None)) if self._screen is not None else FrozenDict()
        except ReaderGoneError:
            return FrozenDict()

    # -- calls

    def bind(self, snapshot: Snapshot, tool: str, arguments: str | None) -> BoundCall:
        """Validates a call against what was offered, and finds its target.

        Args:
            snapshot: What the caller was offered.
            tool: Wire name.
            arguments: JSON text of one object; no text means no arguments.

        Raises:
            UnknownToolError: The snapshot doesn't offer that tool.
            ArgumentsError: The arguments don't fit.
            TargetError: No such target, or it can't be acted on.
        """
        self._check_thread()
        view = snapshot.tool(tool)
        known = self._tools.get(tool)
        if view is None or known is None:
            raise unknown_tool(tool, snapshot)
        given = parse_arguments(arguments)
        if not view.targets:
            values = validate(known.arguments, given, snapshot.screen)
            return BoundCall(tool, "", "", freeze_object(json_form(known.arguments, values)), 0)
        target, rest = split_target(view, snapshot, given)
        values = validate(known.arguments, rest, target.state)
        form = freeze_object(json_form(known.arguments, values))
        return BoundCall(tool, target.guid, target.label, form, target.revision)

    def preview(self, call: BoundCall) -> Preview:
        """Says what a call would change, changing nothing: the object's `preview_call`, else its state's `effect`.

        Raises:
            ToolError: The target has gone, can't be acted on, or would refuse.
        """
        self._check_thread()
        if not call.guid:
            self._callable_function(call)
            return Preview()
        instance, obj = self._living(call)
        preview_call = getattr(obj, "preview_call", None)
        if preview_call is not None:
            preview: Preview = preview_call(call.tool, call.arguments)
            return preview
        effect = instance.read_state().get("effect")
        return Preview(effect=effect if isinstance(effect, str) else "")

    def invoke(self, call: BoundCall) -> object:
        """Looks the target up again and calls the method. Whatever the method raises comes through.

        Returns:
            What the method returned, as it is.

        Raises:
            TargetError: The target has gone or can't be acted on; nothing was done.
            ArgumentsError: The arguments are not legal any more; nothing was done.
        """
        self._check_thread()
        if not call.guid:
            function = self._callable_function(call)
            return function.call(**validate(function.tool.arguments, call.arguments, self._screen_now()))
        instance, obj = self._living(call)
        tool = self._tools[call.tool]
        state = instance.read_state() if tool.has_choices else FrozenDict()
        values = validate(tool.arguments, call.arguments, state)
        try:
            return getattr(obj, tool.attribute)(**values)
        finally:
            self._touch(call.guid)

    def object_of(self, guid: str) -> object | None:
        """What was registered with this identity, while it is on screen; None where nothing is."""
        self._check_thread()
        instance = self._instances.get(guid)
        return instance.reference() if instance is not None else None

    def _living(self, call: BoundCall) -> tuple[Instance, Any]:
        """The instance a call is bound to, and its object, if the call may run on it now."""
        self._sweep()
        instance = self._instances.get(call.guid)
        obj = instance.reference() if instance is not None else None
        if instance is None or obj is None or call.tool not in instance.tools:
            raise unavailable(call.label, GONE)
        reason = instance.why_not()
        if reason:
            raise unavailable(instance.label, reason)
        if instance.policy == "never":
            raise TargetError(f"{instance.label} is not open to the assistant.")
        return instance, obj

    def _callable_function(self, call: BoundCall) -> Function:
        function = self._functions.get(call.tool)
        if function is None:
            raise unknown_tool(call.tool, self._builder.last)
        reason = function.why_not()
        if reason:
            raise unavailable(function.tool.title, reason)
        return function
