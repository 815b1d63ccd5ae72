"""What a clause means on this screen: one call, or the reason why it can't be one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from app.agent.json_types import Json


@dataclass(frozen=True, slots=True)
class Meaning:
    """One call that a clause may stand for.

    Attributes:
        intent: The grammar's name for it.
        tool: Wire name.
        handle: The instance, or an empty string for a tool that acts on no instance.
        label: What the person calls the target.
        arguments: Names and values, without the target, in a fixed order.
        quality: Between 0 and 1: how well words and value fit.
        bare: Only a name was said, no verb.
        open_text: Its value is free text; `long_text` where it may have many lines.
        hard_to_hear: `name` or `address` where its value is one: recognisers get them wrong more often than words.
        rounder: A rounder number that sounds like the number, "sixty" for "sixteen"; empty where there is none.
        problem: Why the value isn't acceptable; empty where it is.
    """

    intent: str
    tool: str
    handle: str = ""
    label: str = ""
    arguments: tuple[tuple[str, Json], ...] = ()
    quality: float = 1.0
    bare: bool = False
    open_text: bool = False
    long_text: bool = False
    hard_to_hear: Literal["", "name", "address"] = ""
    rounder: str = ""
    problem: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it the same call as another."""
        return self.tool, self.handle, repr(self.arguments)


def best_of_each(meanings: Iterable[Meaning]) -> list[Meaning]:
    """One meaning for each call, best first; those with a problem only where nothing else is left."""
    best: dict[tuple[str, str, str], Meaning] = {}
    for meaning in meanings:
        known = best.get(meaning.key)
        if known is None or meaning.quality > known.quality:
            best[meaning.key] = meaning
    ranked = sorted(best.values(), key=lambda meaning: -meaning.quality)
    return [meaning for meaning in ranked if not meaning.problem] or ranked
