"""Calls on what is on screen, by the names a person sees: for the tests of widgets, pages and the window."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QCoreApplication

from app.agent.json_types import Json, JsonObject
from app.agent.registry import Registry
from app.agent.snapshot import BoundCall, InstanceView, Preview
from app.qtbridge.undo import UndoLog


@dataclass
class Desk:
    """A registry and an undo log, with calls by the names on screen."""

    registry: Registry
    undo: UndoLog

    def labels(self) -> list[str]:
        """The labels of all that is on screen, in order."""
        return [view.label for view in self.registry.snapshot().instances]

    def view(self, label: str) -> InstanceView:
        """The one thing of that label."""
        found = [view for view in self.registry.snapshot().instances if view.label == label]
        assert len(found) == 1, f"{label}: {found}"
        return found[0]

    def state(self, label: str) -> JsonObject:
        """Its state."""
        return self.view(label).state

    def items(self, label: str) -> list[str]:
        """The names of what `open_item` opens there."""
        items = self.state(label)["items"]
        assert isinstance(items, Sequence)
        return [str(item) for item in items]

    def call(self, tool: str, label: str, **arguments: Json) -> object:
        """Does it the way a backend's call goes: snapshot, bind, preview, invoke."""
        call = self._bound(tool, label, arguments)
        self.registry.preview(call)
        return self.registry.invoke(call)

    def preview(self, tool: str, label: str, **arguments: Json) -> Preview:
        """What the call would change."""
        return self.registry.preview(self._bound(tool, label, arguments))

    def _bound(self, tool: str, label: str, arguments: JsonObject) -> BoundCall:
        snapshot = self.registry.snapshot()
        offered = snapshot.tool(tool)
        assert offered is not None, f"{tool} is not offered"
        target = {"target": self.view(label).handle} if offered.needs_target else {}
        call = self.registry.bind(snapshot, tool, json.dumps({**arguments, **target}))
        assert call.label == label
        return call


@pytest.fixture
def desk(qapp: QCoreApplication) -> Iterator[Desk]:
    """An empty registry and undo log. A conftest.py that imports this name offers it to its folder."""
    assert qapp is not None
    desk = Desk(Registry(), UndoLog())
    yield desk
    desk.undo.deleteLater()
