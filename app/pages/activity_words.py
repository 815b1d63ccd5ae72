"""The steps of a run in words, for the list of recent requests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime

from app.agent.json_types import Json
from app.agent.tracing import spans as names
from app.agent.tracing.reading import Step, Trace

_SOURCES = {"voice": "Spoken", "text": "Typed"}
_OUTCOMES = {
    "finished": "Done",
    "cancelled": "Cancelled",
    "failed": "Failed",
    "limit": "Stopped at a limit",
    "nothing_understood": "Not understood",
}
_STATUSES = {
    "done": "Done",
    "failed": "Failed",
    "rejected": "Rejected",
    "refused": "Could not be done",
    "waiting": "Not answered",
}
_DECISIONS = {"approve": "Approved", "reject": "Rejected"}
_BY = {
    "panel": "on its card",
    "voice": "by voice",
    "text": "in writing",
    "cli": "on the command line",
    "policy": "without asking, by its policy",
    "setting": "without asking, by the settings",
    "grant": "without asking, since it is always allowed",
}
_NOT_KNOWN = "Its words are not kept. What is kept is decided in Settings, under Recent requests."


def run_title(trace: Trace) -> str:
    """When, where it came from, and what it was about: its words where they are kept, otherwise its tools."""
    root = trace.steps[0].attributes
    at = trace.started_at.astimezone()
    when = at.strftime("%H:%M:%S" if at.date() == datetime.now(UTC).astimezone().date() else "%d %b, %H:%M")
    source = _SOURCES.get(str(root.get(names.SOURCE, "")), "Request")
    said = _message(root.get(names.INPUT_MESSAGES))
    tools = [str(step.attributes.get(names.TOOL, "")) for step in trace.steps if step.step == "call"]
    about = f"“{said}”" if said else ", ".join(tools)
    return "  ·  ".join(part for part in (when, source, about) if part)


def run_outcome(trace: Trace) -> str:
    """How it ended."""
    return _OUTCOMES.get(trace.outcome, trace.outcome or "Not finished")


def step_title(step: Step) -> str:
    """What was done."""
    tool = str(step.attributes.get(names.TOOL, ""))
    match step.step:
        case "transcription":
            return "Speech to text"
        case "turn":
            model = step.attributes.get(names.MODEL)
            return f"Model {model}" if model else "Commands" if step.name == "commands" else "Model"
        case "call":
            return f"Action: {tool}"
        case "approval":
            return "Waiting for you"
        case "execution":
            return "Doing it"
        case _:
            return step.name


def step_outcome(step: Step) -> str:
    """What came of it."""
    attributes = step.attributes
    match step.step:
        case "transcription":
            count = attributes.get(names.HYPOTHESES)
            return f"{count} readings" if count != 1 else "1 reading"
        case "call" | "approval":
            decision = _DECISIONS.get(str(attributes.get(names.DECISION, "")), "")
            by = _BY.get(str(attributes.get(names.DECIDED_BY, "")), "")
            if step.step == "approval":
                return f"{decision} {by}".strip() or "Not answered"
            outcome = str(attributes.get(names.OUTCOME, ""))
            return _STATUSES.get(outcome, outcome)
        case _:
            return "Done" if step.ok else "Failed"


def duration(milliseconds: float) -> str:
    """A time that people can read."""
    if milliseconds < 1:
        return "under 1 ms"
    return f"{milliseconds:.0f} ms" if milliseconds < 1000 else f"{milliseconds / 1000:.1f} s"


def details(step: Step) -> str:
    """Everything that is known of a step, line by line."""
    lines = [step.name, f"Began {duration(step.offset_ms)} after the request, took {duration(step.duration_ms)}."]
    if step.step == "utterance" and names.INPUT_MESSAGES not in step.attributes:
        lines.append(_NOT_KNOWN)
    lines += [f"{key}: {_text(value)}" for key, value in step.attributes.items()]
    return "\n".join(lines)


def _text(value: Json) -> str:
    return _message(value) or (value if isinstance(value, str) else json.dumps(_plain(value), ensure_ascii=False))


def _plain(value: Json) -> object:
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return list(value) if isinstance(value, list | tuple) else value


def _message(value: Json) -> str:
    """The text of a payload with messages; an empty one of anything else."""
    if not isinstance(value, str) or not value.startswith("[{"):
        return ""
    try:
        parts = [part for message in json.loads(value) for part in message["parts"]]
        return "\n".join(str(part["content"]) for part in parts)
    except (ValueError, KeyError, TypeError):
        return ""
