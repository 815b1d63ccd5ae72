"""Who decides: whether a call runs at once, is asked about, or is refused. Pure functions over data."""

from __future__ import annotations

from typing import Literal, TypeAlias

from app.agent.policy import ConfidenceLevel, Policy

AskMode: TypeAlias = Literal["everything", "changes", "irreversible"]
"""The one setting for how much is asked: everything; what changes something; only what can't be undone."""

Verdict: TypeAlias = Literal["run", "ask", "refuse"]

Unasked: TypeAlias = Literal["policy", "grant", "setting"]
"""Why something runs without being asked about."""

_STRICTNESS: dict[Policy, int] = {"auto": 0, "confirm": 1, "never": 2}


def stricter(one: Policy, other: Policy | None) -> Policy:
    """The stricter of a tool's policy and its instance's; an instance can never loosen its tool."""
    return other if other is not None and _STRICTNESS[other] > _STRICTNESS[one] else one


def verdict(
    policy: Policy, level: ConfidenceLevel, mode: AskMode, *, irreversible: bool = False, always_allowed: bool = False
) -> Verdict:
    """Decides what happens to one call before the person is involved.

    Args:
        policy: The effective policy of tool and instance.
        level: How sure the reading is. `low` is always asked about.
        mode: The person's setting.
        irreversible: The target says that what it does can't be undone.
        always_allowed: The person has granted this tool on this instance before.
    """
    if policy == "never":
        return "refuse"
    if mode == "everything" or level == "low":
        return "ask"
    if policy == "auto" or (always_allowed and not irreversible):
        return "run"
    if mode == "irreversible" and not irreversible:
        return "run"
    return "ask"


def why_unasked(policy: Policy, *, always_allowed: bool) -> Unasked:
    """What it was that made `verdict` say `run`."""
    if policy == "auto":
        return "policy"
    return "grant" if always_allowed else "setting"
