"""Snapshots of the program's screens, made by hand: what the command tests say is said to these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.agent.json_types import Json
from app.agent.snapshot import InstanceView, Snapshot, ToolView

PAGES = ["Contributions", "Conferences", "Speakers", "Collections", "Settings"]
ALIASES = {"Contributions": ["talks", "my talks"], "Conferences": ["events"], "Settings": ["preferences"]}
PEOPLE = ["Ada Example", "Sam Sample", "Kim Placeholder"]
TITLES = ["Fine-grained voice control for your app", "Agents that ask first", "Whisper on small machines"]

_ARGUMENTS: Mapping[str, Mapping[str, Json]] = {
    "click": {},
    "fill": {"value": {"type": "string"}},
    "choose": {"value": {"type": "string"}},
    "toggle": {"value": {"type": "boolean"}},
    "open_item": {"value": {"type": "string"}},
    "navigate": {"page": {"type": "string", "enum": PAGES}},
    "scroll": {"direction": {"type": "string", "enum": ["up", "down", "left", "right", "top", "bottom"]}},
    "undo": {},
    "redo": {},
    "help": {},
    "show_numbers": {},
}

_APPLICATION = ("navigate", "scroll", "undo", "redo", "help", "show_numbers")


def instance(label: str, tool: str, **state: Json) -> InstanceView:
    """An instance with one tool; its handle is made of its label."""
    handle = label.lower().replace(" ", "_")
    return InstanceView(f"guid-{handle}", handle, label, tool, (), (tool,), state)


def snapshot(page: str, instances: Sequence[InstanceView], revision: int = 1) -> Snapshot:
    """A snapshot of instances and the application's own tools."""
    desk = InstanceView("guid-desk", "desk", "Greenroom", "desk", (), _APPLICATION)
    views = (*instances, desk)
    tools = []
    for name, arguments in _ARGUMENTS.items():
        targets = tuple(view.handle for view in views if view.available and name in view.tools)
        if not targets:
            continue
        target: Mapping[str, Json] = {"target": {"type": "string", "enum": targets}} if len(targets) > 1 else {}
        parameters: Mapping[str, Json] = {"type": "object", "properties": {**target, **arguments}}
        tools.append(ToolView(name, name.capitalize(), "", parameters, targets=targets))
    screen: Mapping[str, Json] = {"page": page, "pages": PAGES, "page_aliases": ALIASES}
    return Snapshot(revision, tuple(tools), views, screen)


def _buttons(*labels: str) -> list[InstanceView]:
    return [instance(label, "click") for label in labels]


def _texts(*labels: str) -> list[InstanceView]:
    return [instance(label, "fill", value_type="text") for label in labels]


def _choice(label: str, *choices: str) -> InstanceView:
    return instance(label, "choose", value_type="choice", choices=choices, required=True)


def screen(page: str) -> Snapshot:
    """The snapshot of a page of the program."""
    return snapshot(page, _CONTENT[page])


_CONTENT: Mapping[str, Sequence[InstanceView]] = {
    "Contributions": [
        instance("Contributions", "open_item", items=TITLES, value=TITLES[1]),
        instance("Title", "fill", value_type="text", required=True, value=TITLES[1]),
        instance("Abstract", "fill", value_type="long_text"),
        _choice("Format", "Talk", "Workshop", "Lightning talk", "Keynote"),
        instance("Duration", "fill", value_type="integer", minimum=1, maximum=600, unit="minutes"),
        _choice("Level", "Beginner", "Intermediate", "Advanced"),
        _choice("Language", "English", "German", "Spanish", "French"),
        instance("Speakers", "fill", value_type="choices", choices=PEOPLE, value=PEOPLE[:1]),
        instance("Tags", "fill", value_type="choices", value="voice, desktop"),
        _choice("Status", "Draft", "Submitted", "Accepted", "Rejected", "Withdrawn"),
        *_buttons("New contribution", "Save", "Discard changes", "Delete", "Submit to conference"),
        *_texts("Search"),
    ],
    "Conferences": [
        instance("Conferences", "open_item", items=["PyCon Portugal", "Euro Voice Days"]),
        *_texts("Name", "City", "Country"),
        instance("Website", "fill", value_type="url"),
        *(instance(f"{label} on", "fill", value_type="date") for label in ("Starts", "Ends", "Call for papers closes")),
        instance("Online", "toggle", value_type="boolean", checked=False),
        instance("Notes", "fill", value_type="long_text"),
        *_buttons("New conference", "Save", "Discard changes", "Delete"),
        *_texts("Search"),
    ],
    "Speakers": [
        instance("Speakers", "open_item", items=PEOPLE, value=PEOPLE[0]),
        *_texts("Name"),
        instance("Email", "fill", value_type="email"),
        instance("Company", "fill", value_type="text", value="Made to Measure"),
        *_texts("Job title"),
        instance("Biography", "fill", value_type="long_text"),
        instance("Website", "fill", value_type="url"),
        *_buttons("New speaker", "Save", "Discard changes", "Delete"),
        *_texts("Search"),
    ],
    "Collections": [
        instance("Collections", "open_item", items=["Best of voice"]),
        *_texts("Name"),
        instance("Description", "fill", value_type="long_text"),
        instance("Contributions", "fill", value_type="choices", choices=TITLES, value=TITLES[:1]),
        *_buttons("New collection", "Save", "Discard changes", "Delete"),
        *_texts("Search"),
    ],
    "Settings": [_choice("Theme", "System", "Light", "Dark"), instance("Speak results", "toggle")],
}
