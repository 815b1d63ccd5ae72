"""Always allow: what a grant lets through, and what it never does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from loop_kit import Bench, FieldBase, call, scripted, turn

from app.agent.events import CallDecided, RunFinished
from app.agent.grants import MemoryGrants, grant_target
from app.agent.loop import EngineOptions
from app.agent.messages import ToolCall
from app.agent.snapshot import InstanceView, Snapshot
from app.store.database import Database
from app.store.grants import Grants

TITLE = call("fill", target="title", value="new")
AGAIN = call("fill", target="title", value="newer")


async def granted(*later: object, options: EngineOptions | None = None) -> Bench:
    """A screen on which filling the title has been allowed always."""
    bench = Bench(scripted(turn(TITLE), turn(text="Done."), *later), options=options or EngineOptions())
    await bench.say("set the title")
    (proposal,) = await bench.waiting()
    assert proposal.grant == "Test/Title"
    assert bench.decide(proposal, always=True)
    await bench.ended()
    assert [event.granted for event in bench.events if isinstance(event, CallDecided)] == [True]
    assert bench.grants.labels == {("fill", "Test/Title"): "Fill Title on Test"}
    bench.events.clear()
    return bench


async def test_what_is_always_allowed_runs_unasked_and_the_events_say_why() -> None:
    bench = await granted(turn(AGAIN), turn(text="Done."))
    await bench.say("again")
    await bench.ended()
    assert bench.title.filled == ["new", "newer"]
    assert bench.deciders() == ["grant"]
    assert "waiting" not in bench.states()


async def test_a_grant_is_bound_to_its_tool_and_its_target() -> None:
    bench = await granted(turn(call("fill", target="subtitle", value="x"), call("switch")), turn(text="Done."))
    await bench.say("others")
    assert [proposal.target for proposal in await bench.waiting()] == ["Subtitle", "Lamp"]
    await bench.engine.cancel()


async def test_a_grant_is_bound_to_the_page_and_the_dialog_it_was_given_on() -> None:
    bench = await granted(turn(AGAIN))
    bench.page = "Other"
    await bench.say("again")
    (proposal,) = await bench.waiting()
    assert proposal.grant == "Other/Title"
    await bench.engine.cancel()


async def test_a_revoked_grant_asks_again() -> None:
    bench = await granted(turn(AGAIN))
    bench.grants.revoke("fill", "Test/Title")
    await bench.say("again")
    assert len(await bench.waiting()) == 1
    await bench.engine.cancel()


async def test_a_grant_revoked_after_the_call_was_let_through_asks_before_it_runs() -> None:
    bench = await granted(turn(call("switch"), AGAIN), turn(text="Done."))
    await bench.say("both")
    (switch,) = await bench.waiting()
    assert bench.deciders() == ["grant"]
    bench.grants.revoke("fill", "Test/Title")
    bench.decide(switch)
    await bench.until(lambda: [proposal.target for proposal in bench.open()] == ["Title"])
    assert bench.title.filled == ["new"]
    await bench.engine.cancel()


async def test_low_confidence_is_asked_about_in_spite_of_a_grant() -> None:
    bench = await granted(turn(replace(AGAIN, confidence=0.2)))
    await bench.say("again")
    assert len(await bench.waiting()) == 1
    await bench.engine.cancel()


async def test_asking_about_everything_asks_in_spite_of_a_grant() -> None:
    bench = await granted(turn(AGAIN), options=EngineOptions(ask_mode="everything"))
    await bench.say("again")
    assert len(await bench.waiting()) == 1
    await bench.engine.cancel()


async def test_a_reject_in_a_run_is_never_overridden_by_a_grant() -> None:
    unsure = ToolCall("", "fill", TITLE.arguments, confidence=0.2)
    bench = await granted(turn(unsure, call("look")), turn(AGAIN))
    await bench.say("again")
    (proposal,) = await bench.waiting()
    bench.decide(proposal, "reject")
    await bench.until(lambda: any(p.id != proposal.id for p in bench.open()))
    assert bench.title.filled == ["new"]
    await bench.engine.cancel()


async def test_a_reject_holds_for_the_calls_of_the_same_turn_that_a_grant_had_let_through() -> None:
    unsure = ToolCall("", "fill", TITLE.arguments, confidence=0.2)
    bench = await granted(turn(unsure, AGAIN))
    await bench.say("again")
    (proposal,) = await bench.waiting()
    bench.decide(proposal, "reject")
    await bench.until(lambda: [p.after for p in bench.open()] == ["newer"])
    assert bench.title.filled == ["new"]
    await bench.engine.cancel()


async def test_always_after_a_reject_grants_nothing() -> None:
    bench = Bench(scripted(turn(TITLE)))
    await bench.say("go")
    (proposal,) = await bench.waiting()
    assert bench.decide(proposal, "reject")
    assert not bench.decide(proposal, always=True)
    await bench.ended()
    assert (bench.grants.labels, bench.title.filled) == ({}, [])


async def test_a_rejection_with_always_grants_nothing() -> None:
    bench = Bench(scripted(turn(TITLE)))
    await bench.say("go")
    (proposal,) = await bench.waiting()
    assert bench.decide(proposal, "reject", always=True)
    await bench.ended()
    assert bench.grants.labels == {}


async def test_what_cannot_be_undone_is_never_granted() -> None:
    bench = Bench(scripted(turn(TITLE), turn(text="Done.")))
    bench.title.irreversible = True
    bench.title_handle.touch()
    await bench.say("go")
    (proposal,) = await bench.waiting()
    assert (proposal.irreversible, proposal.grant) == (True, "")
    assert bench.decide(proposal, always=True)
    await bench.ended()
    assert (bench.title.filled, bench.grants.labels) == (["new"], {})


async def test_a_grant_does_not_hold_once_the_target_has_become_irreversible() -> None:
    bench = await granted(turn(AGAIN))
    bench.title.irreversible = True
    bench.title_handle.touch()
    await bench.say("again")
    assert [proposal.irreversible for proposal in await bench.waiting()] == [True]
    await bench.engine.cancel()


async def test_an_approved_call_whose_target_becomes_irreversible_meanwhile_is_asked_again() -> None:
    bench = Bench(scripted(turn(TITLE)))
    await bench.say("go")
    (proposal,) = await bench.waiting()
    bench.title.irreversible = True
    bench.title_handle.touch()
    bench.decide(proposal)
    await bench.until(lambda: any(p.irreversible for p in bench.open()))
    assert bench.title.filled == []
    await bench.engine.cancel()


async def test_a_name_that_two_things_share_cannot_be_granted() -> None:
    bench = Bench(scripted(turn(TITLE)))
    other = FieldBase()
    handle = bench.registry.register_instance(other, label="Title", state=other.state)
    await bench.say("go")
    (proposal,) = await bench.waiting()
    assert proposal.grant == ""
    handle.dispose()
    await bench.engine.cancel()


async def test_a_second_thing_of_the_same_name_is_not_covered_by_a_grant_on_the_first() -> None:
    bench = await granted(turn(AGAIN))
    other = FieldBase()
    bench.registry.register_instance(other, label="Title", state=other.state)
    await bench.say("again")
    assert len(await bench.waiting()) == 1
    assert bench.title.filled == ["new"]
    await bench.engine.cancel()


@pytest.mark.parametrize("mode", ["changes", "irreversible"])
async def test_who_let_a_call_through_is_told_and_stored(mode: str) -> None:
    options = EngineOptions(ask_mode=mode)  # type: ignore[arg-type]
    bench = Bench(scripted(turn(call("look"), call("switch")), turn(text="Done.")), options=options)
    await bench.say("go")
    ended = await bench.approve_all()
    assert isinstance(ended, RunFinished)
    expected = ["policy", "panel" if mode == "changes" else "setting"]
    assert bench.deciders() == expected
    assert [by for _, by in bench.journal.decisions.values()] == expected  # type: ignore[attr-defined]


def test_no_two_places_have_one_name() -> None:
    def name(page: str, dialog: str, label: str) -> str:
        view = InstanceView("g", "h", label, "Lamp", tools=("switch",))
        return grant_target(Snapshot(1, instances=(view,), screen={"page": page, "dialog": dialog}), "switch", view)

    names = [name("A", "B", "C"), name("A/B", "", "C"), name("A", "", "B/C"), name("A%2FB", "", "C"), name("", "", "C")]
    assert len(set(names)) == len(names)
    assert name("A", "", "") == ""


async def test_grants_of_the_store_outlive_the_program_and_are_listed_and_revoked(tmp_path: Path) -> None:
    database = Database.open(f"sqlite:///{tmp_path / 'grants.db'}").database
    first = Bench(scripted(turn(call("switch")), turn(text="Done.")), grants=Grants(database))
    await first.say("switch the lamp")
    (proposal,) = await first.waiting()
    first.decide(proposal, always=True)
    await first.ended()
    second = Bench(scripted(turn(call("switch")), turn(text="Done.")), grants=Grants(database))
    await second.say("switch the lamp")
    await second.ended()
    assert (second.lamp.runs, second.deciders()) == (1, ["grant"])
    (grant,) = Grants(database).list()
    assert (grant.tool, grant.target, grant.label) == ("switch", "Test/Lamp", "Switch Lamp on Test")
    Grants(database).revoke(grant.tool, grant.target)
    third = Bench(scripted(turn(call("switch"))), grants=Grants(database))
    await third.say("switch the lamp")
    await third.waiting()
    await third.engine.cancel()
    database.close()


def test_grants_in_memory_behave_like_those_of_the_store() -> None:
    grants = MemoryGrants()
    grants.allow("switch", "Test/Lamp", "Switch Lamp")
    grants.allow("switch", "Test/Lamp", "Another name")
    assert grants.is_allowed("switch", "Test/Lamp")
    assert not grants.is_allowed("look", "Test/Lamp")
    grants.revoke("switch", "Test/Lamp")
    grants.revoke("switch", "Test/Lamp")
    assert not grants.is_allowed("switch", "Test/Lamp")
