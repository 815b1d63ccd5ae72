"""Conversation, proposals, decisions, executions; grants; traces."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from both_databases import BOTH

from app.store import traces
from app.store.database import Database
from app.store.grants import Grants
from app.store.journal import SqlJournal
from app.store.traces import Span, Traces

pytestmark = BOTH


def test_the_conversation_comes_back_in_order(database: Database) -> None:
    journal = SqlJournal(database)
    journal.save_messages("run 1", [{"role": "user", "text": "save"}, {"role": "assistant", "calls": ({"id": "a"},)}])
    journal.save_messages("run 2", [MappingProxyType({"role": "user", "text": "\ud83d broken, \0, äöü"})])
    journal.save_messages("run 3", [])

    messages = SqlJournal(database).load_conversation()

    assert [each["role"] for each in messages] == ["user", "assistant", "user"]
    assert messages[1]["calls"] == [{"id": "a"}]
    assert messages[2]["text"] == "\ud83d broken, \0, äöü"
    assert journal.load_conversation(limit=2) == messages[1:]


def test_conversations_are_kept_apart(database: Database) -> None:
    one, other = SqlJournal(database, "desk"), SqlJournal(database, "command line 7")
    one.save_messages("run", [{"role": "user"}])
    one.save_proposal("p", "run", "waiting", {"id": "p"})

    assert other.load_conversation() == []
    assert other.open_proposals() == []


def test_a_proposal_is_stored_in_its_newest_form(database: Database) -> None:
    journal = SqlJournal(database)
    for proposal in ("first", "second"):
        journal.save_proposal(proposal, "run", "waiting", {"id": proposal, "arguments": {"value": "a"}})
    journal.save_proposal("first", "run", "refused", {"id": "first", "arguments": {"value": "b"}})

    assert journal.open_proposals() == [
        {"id": "first", "arguments": {"value": "b"}},
        {"id": "second", "arguments": {"value": "a"}},
    ]
    journal.save_proposal("first", "run", "done", {"id": "first"})
    assert [each["id"] for each in journal.open_proposals()] == ["second"]


def test_a_decision_counts_once_and_a_rejected_call_never_starts(database: Database) -> None:
    journal = SqlJournal(database)
    journal.save_proposal("p", "run", "waiting", {"id": "p"})

    assert journal.record_decision("p", "reject", "voice")
    assert not journal.record_decision("p", "approve", "panel")
    assert not journal.record_start("p")
    assert journal.open_proposals() == []
    assert journal.approved_not_started() == []


def test_a_call_that_needs_no_decision_starts_once(database: Database) -> None:
    journal = SqlJournal(database)
    journal.save_proposal("p", "run", "running", {"id": "p"})

    assert journal.record_start("p")
    assert not journal.record_start("p")
    assert journal.started_without_outcome() == [{"id": "p"}]
    journal.record_outcome("p", False, "interrupted")
    journal.record_outcome("p", True, "too late")
    assert journal.started_without_outcome() == []
    assert not journal.record_start("p")


def test_grants_are_listed_and_revocable(database: Database) -> None:
    grants = Grants(database)
    grants.allow("click", "Contributions/Save", "Click Save on Contributions")
    grants.allow("click", "Contributions/Save")
    grants.allow("fill", "Contributions/Title")

    assert [(each.tool, each.target, each.label) for each in Grants(database).list()] == [
        ("click", "Contributions/Save", "Click Save on Contributions"),
        ("fill", "Contributions/Title", ""),
    ]
    assert grants.is_allowed("click", "Contributions/Save")
    assert not grants.is_allowed("click", "Contributions/Delete")
    assert not grants.is_allowed("fill", "Contributions/Save")
    grants.revoke("click", "Contributions/Save")
    grants.revoke("click", "Contributions/Save")
    assert not grants.is_allowed("click", "Contributions/Save")


def test_traces_come_back_newest_first_and_old_ones_go(database: Database) -> None:
    begun = datetime(2027, 1, 1, 12, tzinfo=UTC)
    store = Traces(database)

    def trace(number: int) -> list[Span]:
        root = Span(f"{number:032x}", "a" * 16, "invoke_agent", begun, begun + timedelta(seconds=2), ok=False)
        turn = Span(
            root.trace_id,
            "b" * 16,
            "chat",
            begun + timedelta(milliseconds=1),
            begun + timedelta(seconds=1),
            parent_id=root.span_id,
            attributes=MappingProxyType({"gen_ai.request.model": "small", "tokens": [1, 2]}),
        )
        return [turn, root]

    for number in range(traces.KEPT_TRACES + 2):
        store.add(trace(number))

    newest, second = store.recent(limit=2)
    turn, root = trace(traces.KEPT_TRACES + 1)
    assert newest == (root, turn)
    assert second[0].trace_id == trace(traces.KEPT_TRACES)[1].trace_id
    assert len(store.recent(limit=1000)) == traces.KEPT_TRACES


def test_what_is_recorded_together_is_stored_together_or_not_at_all(database: Database) -> None:
    journal = SqlJournal(database)
    journal.save_proposal("p", "run", "waiting", {"title": "Fill"})

    class EndedError(Exception):
        """The process ends here."""

    with suppress(EndedError), journal.together():
        assert journal.record_decision("p", "approve", "panel")
        journal.save_messages("run", [{"role": "tool"}])
        raise EndedError
    assert (journal.load_conversation(), journal.open_proposals()) == ([], [{"title": "Fill"}])
    with journal.together():
        assert journal.record_decision("p", "approve", "panel")
        assert journal.record_start("p")
        assert not journal.record_start("p")
        journal.save_messages("run", [{"role": "tool"}])
    assert journal.load_conversation() == [{"role": "tool"}]
    assert not journal.record_decision("p", "reject", "voice")
    assert journal.started_without_outcome() == [{"title": "Fill"}]
