"""The sample data: what it holds, that it never overwrites, and that it can go."""

from __future__ import annotations

import re

from both_databases import BOTH

from app.store.database import Database
from app.store.fields import KINDS
from app.store.samples import remove_samples, seed_samples
from app.store.store import Store

pytestmark = BOTH


def everything(store: Store) -> dict[str, object]:
    return {kind: (store.list(kind), store.bin(kind)) for kind in KINDS}


def test_what_it_holds(store: Store) -> None:
    titles = [each.title for each in store.list("contribution")]

    assert titles[:3] == [
        "Fine-grained voice control for your app",
        "Agents that ask first",
        "Whisper on small machines",
    ]
    assert all(each.is_sample for kind in KINDS for each in store.list(kind))
    assert all(re.search(r"@example\.(com|org|net)$", str(each.fields["email"])) for each in store.list("speaker"))
    assert all(str(each.fields["starts_on"]).startswith("2027-") for each in store.list("conference"))


def test_a_second_call_changes_nothing(database: Database, store: Store) -> None:
    talk, gone = store.list("contribution")[:2]
    store.save("contribution", talk.id, {"title": "Mine now"})
    store.delete("contribution", gone.id)
    before = everything(store)

    assert seed_samples(database) == 0

    assert everything(store) == before


def test_they_can_be_removed_and_come_back(database: Database, store: Store) -> None:
    store.delete("speaker", store.list("speaker")[0].id)
    total = sum(len(store.list(kind)) + len(store.bin(kind)) for kind in KINDS)

    removed = remove_samples(database)

    assert (removed.removed, removed.kept) == (total, 0)
    assert seed_samples(database) == total


def test_removing_keeps_what_is_the_persons(database: Database, store: Store) -> None:
    talk = store.list("contribution")[0]
    conference = store.list("conference")[0]
    mine = store.save("contribution", None, {"title": "Mine", "speakers": [store.list("speaker")[1].id]})
    store.save("contribution", talk.id, {"title": "Changed by me"})
    sent = store.submit(mine.id, conference.id)

    remove_samples(database)

    assert [each.title for each in store.list("contribution")] == ["Changed by me", "Mine"]
    assert store.list("submission") == (sent,)
    assert [each.title for each in store.list("conference")] == [conference.title]
    assert [each.title for each in store.list("speaker")] == ["Robin Example", "Sam Sample"]
    assert not any(each.is_sample for kind in KINDS for each in store.list(kind))
