"""What is on the screen now, as immutable values: the tools offered and the instances they act on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from app.agent.json_types import Json, JsonObject
from app.agent.policy import Policy

ValueType: TypeAlias = Literal[
    "text", "long_text", "integer", "number", "date", "time", "email", "url", "phone", "choice", "choices", "boolean"
]
"""How a field's value is spoken and checked; the key `value_type` of an instance's state."""


@dataclass(frozen=True, slots=True)
class Example:
    """An utterance and the arguments it must give: shown as help, sent to a model, and run as a test."""

    utterance: str
    arguments: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InstanceView:
    """One object on screen, as it was when the snapshot was taken.

    Attributes:
        guid: Identity; never reused.
        handle: Short readable name, unique on the screen and stable while the instance lives (`title`, `save_2`).
        label: The words a person sees.
        aliases: Other names a person may say.
        tools: Wire names of the tools it takes part in.
        state: What a model and the grammar need to know. Keys with a meaning of their own: `value` (current value),
            `value_type` (a `ValueType`), `choices` (list of strings), `synonyms` (choice -> list of other words),
            `minimum`, `maximum`, `unit`, `required`, `items` (names that `open_item` takes), `effect` (one sentence:
            what pressing it would change), `checked`. A secret field gives no `value`.
        available: Visible, enabled and not behind a modal dialog.
        reason: Why it isn't available, in words.
        revision: The registry revision at which this view last changed.
    """

    guid: str
    handle: str
    label: str
    kind: str
    aliases: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    state: JsonObject = field(default_factory=dict)
    available: bool = True
    reason: str = ""
    revision: int = 0
    policy: Policy | None = None


@dataclass(frozen=True, slots=True)
class ToolView:
    """One tool as offered now.

    Attributes:
        name: Wire name: at most 64 characters of `[A-Za-z0-9_-]`, different for different tools.
        title: The verb a card shows ("Fill").
        description: From the docstring.
        parameters: JSON schema of the arguments. Where several instances live it has a required `target` whose enum
            lists their handles.
        policy: The tool's own policy (an instance may be stricter).
        phrases: Sentence templates (hassil syntax) of the tool's own; `{target}` and parameter names are slots.
        targets: Handles of the instances it can act on now, in screen order.
        strict: Whether the schema fits the strict mode of structured outputs.
    """

    name: str
    title: str
    description: str
    parameters: JsonObject
    policy: Policy = "confirm"
    phrases: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    targets: tuple[str, ...] = ()
    strict: bool = False

    @property
    def needs_target(self) -> bool:
        """Whether a call has to say which instance it means."""
        return len(self.targets) > 1


@dataclass(frozen=True)
class Snapshot:
    """The screen at one revision. `screen` holds what belongs to no instance, such as the page's name.

    Keys of `screen` with a meaning: `page` (the page shown), `pages` (names one can go to), `page_aliases`
    (page -> other words for it), `selected` (title of the record shown), `selected_id` (its identity), `dialog` (title
    of the modal dialog in front, if there is one), `undoable` (the request or change that `undo` would take back).
    """

    revision: int
    tools: tuple[ToolView, ...] = ()
    instances: tuple[InstanceView, ...] = ()
    screen: JsonObject = field(default_factory=dict)
    _tools: Mapping[str, ToolView] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_tools", {tool.name: tool for tool in self.tools})

    def tool(self, name: str) -> ToolView | None:
        """The tool of that wire name, if it is offered."""
        return self._tools.get(name)

    def instance(self, handle: str) -> InstanceView | None:
        """The instance of that handle, available or not."""
        return self._by_handle.get(handle)

    def instance_of(self, guid: str) -> InstanceView | None:
        """The instance of that guid, available or not."""
        return self._by_guid.get(guid)

    def available(self, tool: str) -> tuple[InstanceView, ...]:
        """The instances that `tool` can act on now, in screen order."""
        return self._by_tool.get(tool, ())

    # Made when first asked for, so that a snapshot nobody looks things up in costs nothing. They are not fields:
    # equality and repr are those of the values above.

    @cached_property
    def _by_handle(self) -> Mapping[str, InstanceView]:
        return {view.handle: view for view in self.instances}

    @cached_property
    def _by_guid(self) -> Mapping[str, InstanceView]:
        return {view.guid: view for view in self.instances}

    @cached_property
    def _by_tool(self) -> Mapping[str, tuple[InstanceView, ...]]:
        found: dict[str, list[InstanceView]] = {}
        for view in self.instances:
            for tool in view.tools if view.available else ():
                found.setdefault(tool, []).append(view)
        return {tool: tuple(views) for tool, views in found.items()}


@dataclass(frozen=True, slots=True)
class BoundCall:
    """A validated call tied to the instance it will run on.

    Attributes:
        tool: Wire name.
        guid: Identity of the instance.
        label: The instance's label as the person sees it.
        arguments: JSON form of the validated arguments, without `target`.
        revision: The instance's revision when the call was bound.
    """

    tool: str
    guid: str
    label: str
    arguments: JsonObject
    revision: int


@dataclass(frozen=True, slots=True)
class Preview:
    """What a call would change: the value before and after, or a sentence where there is no value.

    `arguments` are the arguments as the target would take them (a spoken date as ISO text, a choice by its exact
    name); they replace those of the call.
    """

    before: Json = None
    after: Json = None
    effect: str = ""
    arguments: JsonObject | None = None
