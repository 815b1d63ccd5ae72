"""Builds snapshots whose cost follows what has changed since the last one, not what is registered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from app.agent.frozen import FrozenDict
from app.agent.instances import Instance
from app.agent.json_types import JsonObject
from app.agent.offers import offer
from app.agent.snapshot import InstanceView, Snapshot, ToolView
from app.agent.tools import Tool


class SnapshotBuilder:
    """Keeps the views of the last snapshot, and knows which tools have to be described anew."""

    def __init__(self, tools: Mapping[str, Tool]) -> None:
        """Makes an empty builder; `tools` is the registry's table, in the order in which tools are offered."""
        self._tools = tools
        self._views: dict[str, InstanceView] = {}
        # Tool -> guid -> handle, or "" where the instance isn't available: so the order stays that of registration.
        self._targets: dict[str, dict[str, str]] = {}
        self._offers: dict[str, ToolView] = {}
        self._stale: set[str] = set()
        self._changed = False
        self.last = Snapshot(revision=0, screen=FrozenDict())

    def update(self, instance: Instance, view: InstanceView) -> None:
        """Takes over a new view of an instance."""
        before = self._views.get(instance.guid)
        self._views[instance.guid] = view
        self._changed = True
        moved = before is None or before.available != view.available
        for name in instance.tools:
            if moved:
                self._targets.setdefault(name, {})[instance.guid] = instance.handle if view.available else ""
            if moved or self._tools[name].has_choices:
                self._stale.add(name)

    def remove(self, instance: Instance) -> None:
        """Forgets an instance."""
        if self._views.pop(instance.guid, None) is None:
            return
        self._changed = True
        for name in instance.tools:
            if self._targets[name].pop(instance.guid):
                self._stale.add(name)

    def build(self, screen: JsonObject, functions: Iterable[str]) -> Snapshot:
        """Makes the snapshot; it is the last one again where nothing has changed.

        Args:
            screen: What belongs to no instance.
            functions: Wire names of the functions that can be called now.
        """
        screen_changed = screen != self.last.screen
        if not screen_changed:
            screen = self.last.screen
        offers_changed = self._offer_methods()
        offers_changed = self._offer_functions(screen, set(functions), screen_changed) or offers_changed
        if not (self._changed or screen_changed or offers_changed):
            return self.last
        self._changed = False
        tools = self.last.tools
        if offers_changed:
            tools = tuple([self._offers[name] for name in self._tools if name in self._offers])
        self.last = Snapshot(self.last.revision + 1, tools, tuple(self._views.values()), screen)
        return self.last

    def _offer_methods(self) -> bool:
        stale, self._stale = self._stale, set()
        for name in stale:
            by_guid = self._targets[name]
            targets = tuple([handle for handle in by_guid.values() if handle])
            if targets:
                only = next(guid for guid, handle in by_guid.items() if handle)
                state = self._views[only].state if len(targets) == 1 else None
                self._offers[name] = offer(self._tools[name], targets, state)
            else:
                self._offers.pop(name, None)
        return bool(stale)

    def _offer_functions(self, screen: JsonObject, callable_now: set[str], screen_changed: bool) -> bool:
        offered = {name for name in self._offers if self._tools[name].owner is None}
        new = callable_now - offered
        if screen_changed:
            new |= {name for name in callable_now & offered if self._tools[name].has_choices}
        gone = offered - callable_now
        for name in gone:
            del self._offers[name]
        for name in new:
            self._offers[name] = offer(self._tools[name], (), screen)
        return bool(new or gone)
