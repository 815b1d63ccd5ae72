"""Two programs on one database, and programs that are killed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from both_databases import BOTH
from other_process import OtherProcess

from app.store.database import Database
from app.store.drafts import Drafts
from app.store.errors import ConflictError
from app.store.journal import SqlJournal
from app.store.store import Store

pytestmark = BOTH


def test_each_sees_what_the_other_saved(url: str, store: Store) -> None:
    code = """
store = Store(database)
talk = store.list("contribution")[0]
say(talk.fields["status"])
wait()
say(store.get("contribution", talk.id).fields["status"])
store.save("contribution", talk.id, {"status": "Rejected"})
say("saved")
"""
    talk = store.list("contribution")[0]
    with OtherProcess(url, code) as other:
        assert other.heard() == "Draft"
        mine = store.save("contribution", talk.id, {"status": "Accepted"})
        other.go_on()
        assert other.heard() == "Accepted"
        assert other.heard() == "saved"

    assert store.get("contribution", talk.id).fields["status"] == "Rejected"
    with pytest.raises(ConflictError):
        store.save("contribution", talk.id, {"status": "Draft"}, version=mine.version)


def test_several_programs_may_make_the_database_at_once(url: str) -> None:
    with OtherProcess(url, "wait()"), OtherProcess(url, "wait()"), OtherProcess(url, "wait()"):
        opened = Database.open(url)
    assert Store(opened.database).list("speaker") == ()
    opened.database.close()


def test_drafts_survive_a_kill(url: str, database: Database) -> None:
    code = """
drafts = Drafts(database)
drafts.save("contribution", "new", {"title": "Half a tit", "duration_minutes": "fort"})
drafts.save("contribution", "new", {"title": "Half a title", "duration_minutes": "forty", "tags": ("a", "b")})
drafts.save("speaker", "some-id", {"name": ""}, base_version=3)
say("typed")
wait()
"""
    with OtherProcess(url, code) as other:
        assert other.heard() == "typed"
        other.kill()

    drafts = Drafts(database)
    new, speaker = drafts.load()
    assert (new.kind, new.record_id, new.base_version) == ("contribution", "new", None)
    assert new.fields == {"title": "Half a title", "duration_minutes": "forty", "tags": ["a", "b"]}
    assert (speaker.record_id, speaker.base_version) == ("some-id", 3)
    drafts.discard("contribution", "new")
    drafts.discard("contribution", "new")
    assert drafts.load() == (speaker,)


def test_a_kill_in_the_middle_of_a_save_leaves_the_former_state(url: str, store: Store) -> None:
    code = """
from app.store.models import Contribution
with database.writing() as session:
    for row in session.query(Contribution):
        row.title = "half"
    session.flush()
    say("half done")
    wait()
"""
    before = store.list("contribution")
    with OtherProcess(url, code) as other:
        assert other.heard() == "half done"
        other.kill()

    assert store.list("contribution") == before
    assert store.save("contribution", before[0].id, {"title": "Whole"}).title == "Whole"


RACE = """
journal = SqlJournal(database)
wait()
won = [n for n in range(200) if journal.{call}]
say(*won)
"""


@pytest.mark.parametrize("call", ["record_decision(f'p{n}', 'approve', 'panel')", "record_start(f'p{n}')"])
def test_of_two_programs_only_one_decides_and_only_one_runs(url: str, database: Database, call: str) -> None:
    code = RACE.format(call=call)
    with OtherProcess(url, code) as one, OtherProcess(url, code) as two:
        one.go_on()
        two.go_on()
        with ThreadPoolExecutor(2) as pool:
            first, second = (set(line.split()) for line in pool.map(OtherProcess.heard, (one, two)))

    assert first.isdisjoint(second)
    assert {*first, *second} == {str(n) for n in range(200)}
    assert not SqlJournal(database).record_start("p0") or "decision" in call


KILLED = """
journal = SqlJournal(database)
for step in (
    lambda: journal.save_proposal("p", "r", "waiting", {"id": "p", "status": "waiting"}),
    lambda: journal.record_decision("p", "approve", "voice"),
    lambda: journal.record_start("p"),
    lambda: journal.record_outcome("p", True, "Saved"),
):
    say(step())
    wait()
"""


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_after_a_kill_between_any_two_steps_the_journal_says_where_it_was(
    url: str, database: Database, steps: int
) -> None:
    with OtherProcess(url, KILLED) as other:
        for step in range(steps):
            if step:
                other.go_on()
            other.heard()
        other.kill()

    journal = SqlJournal(database)
    stored = [{"id": "p", "status": "waiting"}]
    assert journal.open_proposals() == (stored if steps == 1 else [])
    assert journal.approved_not_started() == (stored if steps == 2 else [])
    assert journal.started_without_outcome() == (stored if steps == 3 else [])
    assert journal.record_decision("p", "approve", "panel") is (steps == 1)
    assert journal.record_start("p") is (steps <= 2)
