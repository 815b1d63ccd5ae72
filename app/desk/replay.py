"""Hears and understands kept utterances again, and says what has changed. Knows no Qt, no store and no network."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from pydantic import ValidationError

from app.agent.backends.base import TurnRequest
from app.agent.commands import CommandBackend
from app.agent.commands.answers import parse_answer
from app.agent.errors import ToolError
from app.agent.messages import ToolCall, UserMessage, Utterance
from app.agent.proposal import Proposal
from app.agent.snapshot import InstanceView, Snapshot, ValueType
from app.agent.values import parse_value
from app.desk.corrections import Expectation, expectation
from app.desk.heard import spoken
from app.desk.utterance_record import KeptCall, UtteranceRecord, snapshot_from_json
from app.voice.errors import AudioFileError
from app.voice.types import Recording, Transcript
from app.voice.utterance_folder import UtteranceFolder

Verdict: TypeAlias = Literal["same", "better", "worse", "different"]
"""`better`, `worse`: against what the person has shown to mean. `different`: neither is known to be right."""

Hear: TypeAlias = Callable[[Recording, UtteranceRecord], Transcript]
"""Hears a recording as it would be heard on that occasion now."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One utterance, then and now.

    Attributes:
        heard_then, heard_now: The best transcript.
        calls_then, calls_now: The actions proposed on the screen that is kept.
        right: Whether it is understood now as the person meant it; None where that isn't known.
    """

    name: str
    verdict: Verdict
    heard_then: str
    heard_now: str
    calls_then: tuple[KeptCall, ...]
    calls_now: tuple[KeptCall, ...]
    expected: Expectation
    right: bool | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An utterance that can't be run again, and why."""

    name: str
    reason: str


def replay(folder: UtteranceFolder, hear: Hear) -> Iterator[Replayed | Unreadable]:
    """Runs all utterances of a folder again, the oldest first."""
    records = {name: _read(folder, name) for name in folder.names()}
    readable = [record for record in records.values() if isinstance(record, UtteranceRecord)]
    for name, record in records.items():
        if isinstance(record, Unreadable):
            yield record
            continue
        try:
            expected = expectation(record, readable[readable.index(record) + 1 :])
            yield _again(name, record, expected, folder.recording(name), hear)
        except AudioFileError as error:
            yield Unreadable(name, str(error))
        except (ValidationError, KeyError) as error:
            yield Unreadable(name, _not_one(error))


def _read(folder: UtteranceFolder, name: str) -> UtteranceRecord | Unreadable:
    try:
        return UtteranceRecord.model_validate_json(folder.record(name))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        return Unreadable(name, _not_one(error))


def _not_one(error: Exception) -> str:
    first = str(error).splitlines()[0]
    return f"It can't be read, or was kept by another version of Greenroom ({first})."


def _again(
    name: str, record: UtteranceRecord, expected: Expectation, recording: Recording | None, hear: Hear
) -> Replayed:
    utterance = record.utterance() if recording is None else spoken(hear(recording, record), record.id)
    then = tuple(proposal.first for proposal in record.first_turn())
    if record.answer is not None:
        answer_then = (_answer_call(record.answer.kind, record.answer.positions),)
        answer_now = _answer_now(utterance, record.answer.waiting)
        # An answer was carried out at once: had it been another, the person would have had to undo it.
        expected = Expectation("approved", answer_then)
        return _judged(name, record, utterance, answer_then, answer_now, expected)
    now = understood(utterance, snapshot_from_json(record.snapshot), record)
    if not now and record.backend not in ("", "commands"):
        now = then  # Commands left it to the model then, and would again; the model isn't asked.
    return _judged(name, record, utterance, then, now, expected)


def _judged(
    name: str,
    record: UtteranceRecord,
    utterance: Utterance,
    then: tuple[KeptCall, ...],
    now: tuple[KeptCall, ...],
    expected: Expectation,
) -> Replayed:
    right_now = expected.judges(now)
    verdict = _verdict(expected.judges(then), right_now, then == now, proposes_now=bool(now))
    return Replayed(name, verdict, record.text, utterance.text, then, now, expected, right_now)


def _verdict(right_then: bool | None, right_now: bool | None, same: bool, *, proposes_now: bool) -> Verdict:
    if same:
        return "same"
    if right_now:
        return "better"
    if right_then:
        return "worse"
    # To propose nothing is better than what was rejected.
    return "better" if right_then is False and not proposes_now else "different"


def understood(utterance: Utterance, snapshot: Snapshot, record: UtteranceRecord) -> tuple[KeptCall, ...]:
    """The actions that the commands understand on a screen."""
    if answer := _answer_now(utterance, ()):
        return answer
    request = TurnRequest((UserMessage(utterance),), snapshot)
    calls = CommandBackend(today=record.today).answer(request).calls
    return tuple(_call(call, snapshot, record) for call in calls)


def _call(call: ToolCall, snapshot: Snapshot, record: UtteranceRecord) -> KeptCall:
    """A call as its proposal would show it: the target by its label, the value as the target takes it."""
    arguments: dict[str, Any] = json.loads(call.arguments or "{}")
    view = _target(call.name, arguments.pop("target", None), snapshot)
    if view is not None and isinstance(arguments.get("value"), str):
        arguments["value"] = _value(arguments["value"], view, record)
    return KeptCall(tool=call.name, target=view.label if view else "", arguments=arguments)


def _target(tool: str, handle: str | None, snapshot: Snapshot) -> InstanceView | None:
    if handle is not None:
        return snapshot.instance(handle)
    offered = snapshot.available(tool)
    return offered[0] if len(offered) == 1 else None


def _value(text: str, view: InstanceView, record: UtteranceRecord) -> str:
    value_type = view.state.get("value_type")
    if value_type is None:
        return text
    try:
        value = parse_value(
            text, cast("ValueType", value_type), view.state, language=record.language, today=record.today
        )
    except ToolError:  # It would be shown as refused.
        return text
    if value is None:
        return ""
    # Fields take text, and a proposal shows what they take.
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _answer_now(utterance: Utterance, positions: Sequence[int]) -> tuple[KeptCall, ...]:
    answer = parse_answer(utterance, [_waiting(position) for position in positions])
    return (_answer_call(answer.kind, answer.positions),) if answer else ()


def _answer_call(kind: str, positions: Sequence[int]) -> KeptCall:
    return KeptCall(tool=kind, arguments={"positions": list(positions)} if positions else {})


def _waiting(position: int) -> Proposal:
    """A proposal of which only the position is known, as an answer needs it."""
    return Proposal("", "", "", position, tool="", title="", target_guid="", target="", arguments={})


def counted(replayed: Sequence[Replayed]) -> Mapping[Verdict, int]:
    """How many there are of each verdict."""
    verdicts: tuple[Verdict, ...] = ("same", "better", "worse", "different")
    return {verdict: sum(each.verdict == verdict for each in replayed) for verdict in verdicts}
