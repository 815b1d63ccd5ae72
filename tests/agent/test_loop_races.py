"""What happens when two things happen at once: cancels, edits, changes from elsewhere, a second process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from loop_kit import Bench, GatedBench, call, scripted, turn

from app.agent.backends.base import TurnEnd, TurnRequest
from app.agent.events import AnswerUnderstood, CallDecided, CallFinished, EditRefused, RunFailed, RunFinished
from app.agent.history import check_pairs
from app.agent.journal import MemoryJournal
from app.agent.json_types import JsonObject
from app.agent.messages import Image, ToolCall, ToolMessage, UserMessage, Utterance
from app.agent.proposal import Decision
from app.agent.snapshot import BoundCall, Snapshot

TITLE = call("fill", target="title", value="new")
SUBTITLE = call("fill", target="subtitle", value="other")


async def test_4_a_change_from_elsewhere_is_not_taken_for_the_runs_own() -> None:
    bench = Bench(scripted(turn(TITLE, SUBTITLE), turn(text="Done.")))
    await bench.say("go")
    title, subtitle = await bench.waiting()
    bench.decide(subtitle)
    bench.subtitle.value = "typed by hand"
    bench.subtitle_handle.touch()
    bench.decide(title)
    await bench.until(lambda: any(p.id not in (title.id, subtitle.id) for p in bench.open()))
    (again,) = bench.open()
    assert (again.before, bench.subtitle.filled, bench.title.filled) == ("typed by hand", [], ["new"])
    bench.decide(again)
    await bench.ended()
    assert bench.subtitle.value == "other"


async def test_4_a_changed_effect_is_asked_about_again() -> None:
    bench = Bench(scripted(turn(TITLE), turn(text="Done.")))
    bench.title.effect = "Sends 1 letter"
    bench.title_handle.touch()
    await bench.say("go")
    (proposal,) = await bench.waiting()
    bench.title.effect = "Sends 300 letters"
    bench.title_handle.touch()
    bench.decide(proposal)
    await bench.until(lambda: [p.effect for p in bench.open()] == ["Sends 300 letters"])
    assert bench.title.filled == []
    await bench.engine.cancel()


async def test_4_an_edit_while_the_screen_is_read_again_is_not_undone_by_it() -> None:
    bench = GatedBench(scripted(turn(TITLE, call("fill", target="title", value="second")), turn(text="Done.")))
    await bench.say("go")
    first, second = await bench.waiting()
    gate = bench.gated.hold("preview")  # the next preview is the second call's, after the first has run
    bench.decide(first)
    await gate.reached()
    del bench.gated.gates["preview"]
    await bench.engine.edit(second.id, {"value": "edited"})
    assert bench.decide(bench.proposals()[second.id])
    gate.open()
    await bench.approve_all()
    assert bench.title.filled == ["new", "edited"]


async def test_9_a_cancel_between_the_approval_and_the_call_runs_nothing() -> None:
    bench = GatedBench(scripted(turn(TITLE)))
    await bench.say("go")
    (proposal,) = await bench.waiting()
    gate = bench.gated.hold("snapshot")
    bench.decide(proposal)
    await gate.reached()
    assert bench.engine.state == "applying"
    async with asyncio.timeout(1):
        await bench.engine.cancel()
    gate.open()
    ended = await bench.ended()
    assert isinstance(ended, RunFinished)
    assert (ended.outcome, bench.title.filled, bench.engine.state) == ("cancelled", [], "idle")


async def test_9_a_superseded_run_finishes_its_call_and_begins_no_other() -> None:
    bench = GatedBench(scripted(turn(TITLE, SUBTITLE), turn(text="Hello.")))
    await bench.say("go")
    gate = bench.gated.hold("execute")
    for proposal in await bench.waiting():
        bench.decide(proposal)
    await gate.reached()
    saying = asyncio.create_task(bench.say("something else"))
    await bench.until(lambda: bench.engine.state == "applying")
    gate.open()
    await saying
    await bench.ended()
    assert (bench.title.filled, bench.subtitle.filled) == (["new"], [])
    outcomes = [event.outcome for event in bench.events if isinstance(event, RunFinished)]
    assert outcomes == ["cancelled", "finished"]
    assert [result.ok for result in bench.results()] == [True, False]


async def test_9_a_cancel_while_what_was_left_open_is_run_begins_no_other_of_it() -> None:
    journal = MemoryJournal()
    first = Bench(scripted(turn(TITLE, SUBTITLE)), journal=journal)
    await first.say("go")
    await first.waiting()
    second = GatedBench(scripted(), journal=journal)  # the first process ends here, without a word
    gate = second.gated.hold("execute")
    await second.engine.resume()
    for proposal in await second.waiting():
        second.decide(proposal)
    await gate.reached()
    cancelling = asyncio.create_task(second.engine.cancel())
    await asyncio.sleep(0)
    gate.open()
    async with asyncio.timeout(1):
        await cancelling
    assert (second.title.filled, second.subtitle.filled) == (["new"], [])
    await first.engine.cancel()


@pytest.mark.parametrize("step", ["begin", "end"])
async def test_9_a_cancel_while_the_transaction_is_opened_or_closed_still_ends_the_run(step: str) -> None:
    bench = GatedBench(scripted(turn(text="Hello.")))
    gate = bench.gated.hold(step)
    await bench.say("go")
    await gate.reached()
    cancelling = asyncio.create_task(bench.engine.cancel())
    await asyncio.sleep(0)
    gate.open()
    async with asyncio.timeout(1):
        await cancelling
    ended = await bench.ended()
    assert isinstance(ended, RunFinished)
    assert (ended.outcome, bench.engine.state) == ("cancelled" if step == "begin" else "finished", "idle")


async def test_9_an_answer_counts_while_another_action_is_being_applied() -> None:
    bench = GatedBench(scripted(turn(TITLE, SUBTITLE), turn(text="Done.")))
    await bench.say("go")
    first, _ = await bench.waiting()
    gate = bench.gated.hold("execute")
    bench.decide(first)
    await gate.reached()
    await bench.say("reject 2")
    gate.open()
    await bench.ended()
    assert (bench.title.filled, bench.subtitle.filled) == (["new"], [])
    assert [event.applied for event in bench.events if isinstance(event, AnswerUnderstood)] == [True]


async def test_9_cancel_in_words_ends_a_run_that_is_still_thinking() -> None:
    async def never(_: TurnRequest) -> TurnEnd:
        await asyncio.Event().wait()
        raise AssertionError("unreachable")

    bench = Bench(scripted(never))
    await bench.say("go")
    await bench.until(lambda: bench.engine.state == "thinking")
    await bench.say("cancel")
    ended = await bench.ended()
    assert isinstance(ended, RunFinished)
    assert ended.outcome == "cancelled"
    await bench.say("cancel")
    assert [event.applied for event in bench.events if isinstance(event, AnswerUnderstood)] == [True, False]


async def test_9_what_the_model_was_told_is_refused_is_no_open_question_any_more() -> None:
    refused = call("fill", target="title", value="refused")
    journal = MemoryJournal()
    bench = Bench(scripted(turn(refused), turn(SUBTITLE), turn(text="Done.")), journal=journal)
    await bench.say("go")
    await bench.until(lambda: any(p.status == "waiting" for p in bench.open()))
    first, second = bench.proposals().values()
    assert (first.status, bench.decide(first, "reject")) == ("refused", False)
    assert [stored["id"] for stored in journal.open_proposals()] == [second.id]
    await bench.say("approve")
    await bench.ended()
    assert bench.subtitle.filled == ["other"]
    assert bench.proposals()[first.id].status == "refused"
    assert not [event for event in bench.events if isinstance(event, EditRefused)]


async def test_9_approving_in_words_what_the_target_refused_says_why() -> None:
    refused = call("fill", target="title", value="refused")
    bench = Bench(scripted(turn(refused, backend="commands")))
    await bench.say("go")
    await bench.waiting()
    await bench.say("approve")
    assert [event.message for event in bench.events if isinstance(event, EditRefused)] == [
        "This field takes anything but that."
    ]
    await bench.engine.cancel()


async def test_8_the_same_call_many_times_in_one_turn_is_the_persons_to_decide() -> None:
    bench = Bench(scripted(turn(*[call("switch")] * 5), turn(text="Done.")))
    await bench.say("switch it five times")
    await bench.waiting()
    ended = await bench.approve_all()
    assert isinstance(ended, RunFinished)
    assert (ended.outcome, bench.lamp.runs) == ("finished", 5)


async def test_a_picture_goes_with_its_utterance() -> None:
    picture = Image("image/png", "aGVsbG8=")
    backend = scripted(turn(text="A picture."))
    bench = Bench(backend)
    await bench.engine.say(Utterance("u", "what is this"), (picture,))
    await bench.ended()
    assert backend.requests[0].messages == (UserMessage(Utterance("u", "what is this"), images=(picture,)),)


# -- two processes with one journal


async def test_3_an_approval_in_two_windows_runs_in_one_and_ends_the_question_in_the_other() -> None:
    journal = MemoryJournal()
    first = Bench(scripted(turn(TITLE), turn(text="It was done elsewhere.")), journal=journal)
    await first.say("go")
    (here,) = await first.waiting()
    second = Bench(scripted(), journal=journal)
    await second.engine.resume()
    (there,) = await second.waiting()
    assert there.id == here.id
    assert second.decide(there)
    assert not first.decide(here)
    await first.ended()
    await second.engine.wait_idle()
    assert (first.title.filled, second.title.filled) == ([], ["new"])
    assert [(event.by, event.proposal.error) for event in first.events if isinstance(event, CallDecided)] == [
        ("elsewhere", "This action was decided in another window.")
    ]
    assert journal.proposals[here.id][1] == "done"  # the process that ran it has the last word


async def test_3_a_run_that_ends_does_not_overwrite_what_another_process_decided() -> None:
    journal = MemoryJournal()
    first = Bench(scripted(turn(TITLE)), journal=journal)
    await first.say("go")
    await first.waiting()
    second = Bench(scripted(), journal=journal)
    await second.engine.resume()
    (there,) = await second.waiting()
    assert second.decide(there)
    await second.engine.wait_idle()
    await first.engine.cancel()
    assert journal.proposals[there.id][1] == "done"


async def test_3_what_a_run_left_undecided_at_its_end_cannot_be_approved_later() -> None:
    journal = MemoryJournal()
    first = Bench(scripted(turn(TITLE)), journal=journal)
    await first.say("go")
    await first.waiting()
    second = Bench(scripted(), journal=journal)
    await second.engine.resume()
    (there,) = await second.waiting()
    await first.engine.cancel()
    assert not second.decide(there)
    await second.engine.wait_idle()
    assert second.title.filled == []


async def test_7_what_two_programs_wrote_at_once_is_acceptable_when_it_is_read_again() -> None:
    journal = MemoryJournal()
    first = Bench(scripted(turn(TITLE), turn(text="Done.")), journal=journal)
    await first.say("go")
    await first.waiting()
    second = Bench(scripted(turn(text="Hello.")), journal=journal)
    await second.say("meanwhile")
    await second.ended()
    await first.approve_all()
    third = Bench(scripted(), journal=journal)
    check_pairs(third.engine.messages)
    assert len([each for each in third.engine.messages if isinstance(each, ToolMessage)]) == 1


# -- kills between two steps


async def test_3_a_kill_after_the_policy_let_a_call_through_does_not_lose_it() -> None:
    journal = MemoryJournal()
    first = Bench(scripted(turn(TITLE, call("look"))), journal=journal)
    await first.say("go")
    await first.waiting()
    second = Bench(scripted(), journal=journal)  # the first process ends here, without a word
    await second.engine.resume()
    assert ["approved but not begun" in event.message for event in second.finished()] == [True]
    await first.engine.cancel()
    await second.engine.cancel()


class StopsAt(MemoryJournal):
    """A journal whose process ends at the given step."""

    def __init__(self, step: str, word: str = "") -> None:
        super().__init__()
        self.step, self.word = step, word

    def save_proposal(self, proposal_id: str, run_id: str, status: str, proposal: JsonObject) -> None:
        if self.step == "save_proposal" and self.word in str(proposal.get("error")):
            raise StoppedError
        super().save_proposal(proposal_id, run_id, status, proposal)

    def save_messages(self, run_id: str, messages: Sequence[JsonObject]) -> None:
        if self.step == "save_messages" and any(message["role"] == self.word for message in messages):
            raise StoppedError
        super().save_messages(run_id, messages)


class StoppedError(Exception):
    """Nothing more is written: a full disk, or the end of the process."""


async def test_3_a_kill_while_something_is_asked_again_leaves_the_new_question_only() -> None:
    journal = StopsAt("save_proposal", "Asked again")
    first = Bench(scripted(turn(TITLE)), journal=journal)
    await first.say("go")
    (proposal,) = await first.waiting()
    first.title.value = "typed meanwhile"
    first.title_handle.touch()
    first.decide(proposal)
    await first.engine.wait_idle()
    stored = {key: status for key, (_, status, _) in journal.proposals.items()}
    journal.step = ""
    # What the process would have left, had it been killed instead of going on to close the run.
    journal.decisions = {proposal.id: ("approve", "panel")}
    for key in stored:
        run, _, value = journal.proposals[key]
        status = "approved" if key == proposal.id else "waiting"
        journal.proposals[key] = (run, status, {**value, "status": status})
    assert len(stored) == 2
    second = Bench(scripted(turn(text="Hello.")), journal=journal)
    await second.engine.resume()
    (left,) = await second.waiting()
    assert left.id != proposal.id
    assert second.finished() == []
    await second.engine.cancel()


async def test_a_journal_that_fails_ends_the_run_and_not_the_engine() -> None:
    journal = StopsAt("save_messages", "tool")
    bench = Bench(scripted(turn(TITLE), turn(text="Hello.")), journal=journal)
    await bench.say("go")
    (proposal,) = await bench.waiting()
    bench.decide(proposal)
    await bench.engine.wait_idle()
    assert isinstance(bench.events[-1], RunFailed)
    assert bench.engine.state == "idle"
    assert journal.started_without_outcome() != []  # reported at the next start, if it does not come to it before
    journal.step = ""
    await bench.say("again")
    assert isinstance(await bench.ended(), RunFinished)


async def test_3_the_outcome_is_stored_even_if_the_screen_cannot_be_read_afterwards() -> None:
    class Blind(GatedBench):
        async def fail(self) -> Snapshot:
            raise RuntimeError("a state reader failed")

    bench = Blind(scripted(turn(TITLE)))
    execute = bench.gated.execute

    async def then_blind(call: BoundCall) -> str:
        result = await execute(call)
        bench.gated.snapshot = bench.fail  # type: ignore[method-assign]
        return result

    bench.gated.execute = then_blind  # type: ignore[method-assign]
    await bench.say("go")
    (proposal,) = await bench.waiting()
    bench.decide(proposal)
    ended = await bench.ended()
    assert isinstance(ended, RunFailed)
    assert [ok for ok, _ in bench.journal.outcomes.values()] == [True]  # type: ignore[attr-defined]
    assert bench.journal.proposals[proposal.id][1] == "done"  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["message", "proposal"])
async def test_what_is_stored_and_cannot_be_read_stops_nobody(kind: str, caplog: pytest.LogCaptureFixture) -> None:
    journal = MemoryJournal()
    if kind == "message":
        journal.save_messages("old", [{"role": "user", "utterance": "not one, but secret"}])
    else:
        journal.save_proposal("old", "run", "waiting", {"id": "old", "status": "secret"})
    bench = Bench(scripted(turn(text="Hello.")), journal=journal)
    await bench.engine.resume()
    await bench.say("go")
    assert isinstance(await bench.ended(), RunFinished)
    assert "left out of what was stored" in caplog.text
    assert "secret" not in caplog.text


async def test_a_decision_about_a_run_that_has_ended_does_not_count() -> None:
    bench = Bench(scripted(turn(TITLE), turn(text="Hello.")))
    await bench.say("go")
    (proposal,) = await bench.waiting()
    await bench.say("something else")
    await bench.ended()
    assert not bench.engine.decide(Decision(proposal.id, "approve"))
    assert bench.title.filled == []
    assert not [event for event in bench.events if isinstance(event, CallFinished)]


async def test_a_call_whose_id_the_server_repeats_gets_one_of_its_own() -> None:
    same = ToolCall("abcdefghi", "look", "{}", confidence=0.95)
    bench = Bench(scripted(turn(same, same), turn(same), turn(text="Done.")))
    await bench.say("go")
    await bench.ended()
    assert len({result.call_id for result in bench.results()}) == 3
