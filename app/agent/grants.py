""" "Always allow this": which tool may act on which target without being asked, until it is revoked."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from app.agent.snapshot import InstanceView, Snapshot

NO_INSTANCE = "*"
"""The target of a tool that acts on no instance."""


class Grants(Protocol):
    """What the loop needs of the list of grants; `app.store.grants.Grants` keeps it in the database."""

    def allow(self, tool: str, target: str, label: str) -> None:
        """Allows the tool on that target from now on; `label` is what a list of grants shows."""

    def is_allowed(self, tool: str, target: str) -> bool:
        """Whether the tool may act on that target without being asked."""


@dataclass
class MemoryGrants:
    """Grants that end with the program."""

    labels: dict[tuple[str, str], str] = field(default_factory=dict)

    def allow(self, tool: str, target: str, label: str) -> None:
        """Allows the tool on that target."""
        self.labels.setdefault((tool, target), label)

    def is_allowed(self, tool: str, target: str) -> bool:
        """Whether it was allowed."""
        return (tool, target) in self.labels

    def revoke(self, tool: str, target: str) -> None:
        """Takes a grant back; none there is fine."""
        self.labels.pop((tool, target), None)


def grant_target(snapshot: Snapshot, tool: str, view: InstanceView | None) -> str:
    """What names the target of a grant across restarts: the page, the dialog in front and the label.

    Returns:
        An empty string where the name would not be that of one thing only, so that nothing can be granted: the
        target has no label, or the screen has another of the same tool and label.
    """
    if view is None:
        return NO_INSTANCE
    namesakes = sum(1 for other in snapshot.instances if other.label == view.label and tool in other.tools)
    if not view.label or namesakes != 1:
        return ""
    places = (snapshot.screen.get(key) for key in ("page", "dialog"))
    names = [place for place in places if isinstance(place, str) and place]
    return "/".join(_escaped(name) for name in (*names, view.label))


def _escaped(name: str) -> str:
    """`name` without a slash, so that no two lists of names are joined to one text."""
    return name.replace("%", "%25").replace("/", "%2F")
