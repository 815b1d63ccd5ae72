"""Which tool and which target a call means, in the terms of what was offered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.agent.choices import listed
from app.agent.errors import ArgumentsError, TargetError, UnknownToolError
from app.agent.schema import TARGET
from app.agent.snapshot import InstanceView, Snapshot, ToolView

_SHOWN_NAME = 80
_SHOWN_TOOLS = 40


def unknown_tool(name: str, snapshot: Snapshot) -> UnknownToolError:
    """The error for a tool that isn't offered: lists those that are, and suggests none of them."""
    names = [tool.name for tool in snapshot.tools]
    more = f" and {len(names) - _SHOWN_TOOLS} more" if len(names) > _SHOWN_TOOLS else ""
    there_are = f"The tools are: {', '.join(names[:_SHOWN_TOOLS])}{more}." if names else "There are no tools now."
    return UnknownToolError(f"There is no tool {name[:_SHOWN_NAME]!r} now. {there_are}")


def unavailable(label: str, reason: str) -> TargetError:
    """The error for a target that can't be acted on, with the reason its object gave."""
    return TargetError(f"{label} can't be used: {reason.rstrip('.')}.")


def split_target(
    tool: ToolView, snapshot: Snapshot, given: Mapping[str, Any]
) -> tuple[InstanceView, Mapping[str, Any]]:
    """Takes the target out of the arguments of a call.

    The target is a handle that was offered, or the label of exactly one instance that was. Where only one instance
    can be meant, it may be left out.

    Raises:
        ArgumentsError: There is no target, or it isn't text.
        TargetError: It names no instance that can be acted on.
    """
    rest = {name: value for name, value in given.items() if name != TARGET}
    if TARGET not in given:
        if len(tool.targets) > 1:
            raise ArgumentsError(f"{TARGET}: missing. It is one of: {listed(tool.targets)}.")
        return _view(tool.targets[0], snapshot), rest
    named = given[TARGET]
    if not isinstance(named, str):
        raise ArgumentsError(f"{TARGET}: must be text, one of: {listed(tool.targets)}.")
    return _named(named, tool, snapshot), rest


def _named(name: str, tool: ToolView, snapshot: Snapshot) -> InstanceView:
    if name in tool.targets:
        return _view(name, snapshot)
    same_label = [view for view in snapshot.available(tool.name) if view.label.casefold() == name.casefold()]
    if len(same_label) == 1:
        return same_label[0]
    if same_label:
        handles = listed([view.handle for view in same_label])
        raise TargetError(f"There are {len(same_label)} named {name[:_SHOWN_NAME]!r}: say which of {handles}.")
    hidden = snapshot.instance(name)
    if hidden is not None and not hidden.available:
        raise unavailable(hidden.label, hidden.reason)
    raise TargetError(f"{tool.title} can't be used on {name[:_SHOWN_NAME]!r}. The targets are: {listed(tool.targets)}.")


def _view(handle: str, snapshot: Snapshot) -> InstanceView:
    view = snapshot.instance(handle)
    if view is None:
        raise TargetError(f"{handle} is not on the screen.")
    return view
