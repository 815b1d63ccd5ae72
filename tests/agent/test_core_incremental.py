"""Whatever happens to the screen, a snapshot built from what changed is the one that would be built from scratch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core_screen import Button, Field, Pages
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.agent.frozen import thaw
from app.agent.handles import InstanceHandle
from app.agent.registry import Registry
from app.agent.snapshot import Snapshot

LABELS = st.sampled_from(["Save", "save", "Save 2", "Title", ""])


@dataclass
class Shown:
    """What the machine knows of one object: the plain truth that the registry has to tell."""

    obj: Any
    label: str
    handle: InstanceHandle
    tools: tuple[str, ...]
    state: dict[str, Any]
    reason: str = ""


class Screen(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.page = "One"
        self.registry = Registry(screen=lambda: {"page": self.page})
        self.shown: list[Shown] = []
        self.guids: set[str] = set()
        self.last = Snapshot(0)

    @rule(label=LABELS, kind=st.sampled_from([Field, Button, Pages]))
    def appears(self, label: str, kind: type) -> None:
        obj: Any = kind() if kind is not Pages else Pages("One", "Two")
        available = obj.why_not if kind is Field else None
        handle = self.registry.register_instance(obj, label=label, state=obj.state, available=available)
        tools = {Field: ("fill",), Button: ("click",), Pages: ("navigate", "close_pages")}[kind]
        assert handle.guid not in self.guids
        self.guids.add(handle.guid)
        self.shown.append(Shown(obj, label, handle, tools, thaw(obj.state())))

    @rule(which=st.integers(0, 50), dispose=st.booleans())
    def goes(self, which: int, dispose: bool) -> None:
        if self.shown:
            gone = self.shown.pop(which % len(self.shown))
            if dispose:
                gone.handle.dispose()
            del gone

    @rule(which=st.integers(0, 50), value=st.sampled_from(["", "a", "b"]))
    def changes(self, which: int, value: str) -> None:
        for shown in self.shown[which % 5 : which % 5 + 1]:
            if isinstance(shown.obj, Field):
                shown.obj.value = value
            elif isinstance(shown.obj, Pages):
                shown.obj.pages = [*value, "Last"]
            shown.state = thaw(shown.obj.state())
            shown.handle.touch()

    @rule(which=st.integers(0, 50), reason=st.sampled_from(["", "it is hidden", "it is disabled"]))
    def is_switched(self, which: int, reason: str) -> None:
        for shown in self.shown[which % 5 : which % 5 + 1]:
            if isinstance(shown.obj, Field):
                shown.obj.reason = shown.reason = reason
                shown.handle.touch()

    @rule(page=st.sampled_from(["One", "Two"]))
    def page_is_shown(self, page: str) -> None:
        self.page = page

    @rule()
    def is_looked_at(self) -> None:
        self.registry.snapshot()

    @invariant()
    def snapshot_tells_the_truth(self) -> None:
        snapshot = self.registry.snapshot()
        assert snapshot.screen == {"page": self.page}
        assert [
            (view.guid, view.label, view.available, view.reason, thaw(view.state)) for view in snapshot.instances
        ] == [(shown.handle.guid, shown.label, not shown.reason, shown.reason, shown.state) for shown in self.shown]
        handles = [view.handle for view in snapshot.instances]
        assert handles == [shown.handle.handle for shown in self.shown]
        assert len(set(handles)) == len(handles)
        self._tools_are_right(snapshot)
        # A revision says whether anything has changed, and each view whether it has.
        assert (snapshot.revision > self.last.revision) is (snapshot != self.last)
        for view in snapshot.instances:
            before = self.last.instance_of(view.guid)
            assert (view.revision == snapshot.revision) is (before != view) or snapshot is self.last
        self.last = snapshot

    def _tools_are_right(self, snapshot: Snapshot) -> None:
        for name in ("fill", "click", "navigate", "close_pages"):
            able = [shown for shown in self.shown if name in shown.tools and not shown.reason]
            tool = snapshot.tool(name)
            if tool is None:
                assert not able
                continue
            assert tool.targets == tuple(shown.handle.handle for shown in able)
            properties: Any = tool.parameters["properties"]
            assert ("target" in properties) is (len(able) > 1)
            if name == "navigate":
                only = tuple(able[0].state["pages"]) if len(able) == 1 else None
                assert properties["page"].get("enum") == only


Screen.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestScreen = Screen.TestCase
