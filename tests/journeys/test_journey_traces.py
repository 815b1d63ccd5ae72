"""What a spoken request leaves in the list of traces: every step from the words to the change, and no words."""

from __future__ import annotations

import json

import pytest
from journey_kit import Person

from app.agent.tracing.reading import recent_traces
from app.store.traces import Traces

pytestmark = pytest.mark.speech


def test_a_spoken_request_leaves_a_trace_of_its_steps_and_no_text(person: Person) -> None:
    person.speaks("accept-and-save-joe.flac")
    for proposal in person.sees_proposals(2):
        person.approves(proposal)
    person.sees_the_end()
    traces = Traces(person.desk.database)
    person.until(lambda: bool(traces.recent(1)))
    (trace,) = recent_traces(traces, 1)
    assert [step.step for step in trace.steps[:3]] == ["utterance", "transcription", "turn"]
    assert [step.name for step in trace.steps if step.step == "execution"] == [
        "execute_tool choose",
        "execute_tool click",
    ]
    assert [step.attributes["greenroom.approval.by"] for step in trace.steps if step.step == "approval"] == [
        "panel"
    ] * 2
    assert trace.steps[1].duration_ms > 0
    assert "ccept" not in json.dumps([dict(step.attributes) for step in trace.steps])
