"""What is read or imported when it is first needed, so that the window paints before."""

from __future__ import annotations

from collections.abc import Sequence

from app.agent.loop import Answer
from app.agent.messages import Utterance
from app.agent.proposal import Proposal
from app.agent.snapshot import Snapshot
from app.resources import resources_dir


def parse_answer(utterance: Utterance, waiting: Sequence[Proposal]) -> Answer | None:
    """Reads an utterance as an answer to the open question; see `app.agent.commands.answers`."""
    from app.agent.commands import answers

    return answers.parse_answer(utterance, waiting)


def phrases_of(snapshot: Snapshot, language: str) -> tuple[str, ...]:
    """What can be said on this screen."""
    from app.agent.commands.suggestions import what_can_i_say

    return tuple(phrase.text for phrase in what_can_i_say(snapshot, language))


def help_text(snapshot: Snapshot, language: str) -> str:
    """What can be said on this screen, as an answer."""
    return "You can say: " + "; ".join(f"“{phrase}”" for phrase in phrases_of(snapshot, language)) + "."


def instructions() -> str:
    """The system prompt."""
    return (resources_dir() / "prompts" / "desk.md").read_text(encoding="utf-8")
