"""The stamp of a kind: the same while nothing was changed, another one after any change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from both_databases import BOTH

from app.store.records import Record
from app.store.store import Store

pytestmark = BOTH


def _save(store: Store, record: Record) -> None:
    store.save("collection", record.id, {"description": "Another one"})


def _reorder(store: Store, record: Record) -> None:
    store.save("collection", record.id, {"contributions": tuple(reversed(record.strings("contributions")))})


def _delete(store: Store, record: Record) -> None:
    store.delete("collection", record.id)


def _create(store: Store, _record: Record) -> None:
    store.save("collection", None, {"name": "New"})


def _remove_for_good(store: Store, record: Record) -> None:
    store.set_state("collection", record.id, None, expected=record)


@pytest.mark.parametrize("change", [_save, _reorder, _delete, _create, _remove_for_good])
def test_a_change_makes_another_stamp(store: Store, change: Callable[[Store, Record], None]) -> None:
    record = next(each for each in store.list("collection") if len(each.strings("contributions")) > 1)
    before, other = store.stamp("collection"), store.stamp("speaker")
    assert store.stamp("collection") == before
    change(store, record)
    after = store.stamp("collection")
    assert after != before
    assert store.stamp("speaker") == other


def test_each_step_to_the_bin_and_back_makes_another_stamp(store: Store) -> None:
    record = store.list("collection")[0]
    stamps = [store.stamp("collection")]
    for step in (store.delete, store.restore):
        step("collection", record.id)
        stamps.append(store.stamp("collection"))
    assert len(set(stamps)) == 3


def test_what_is_listed_is_what_the_records_say(store: Store) -> None:
    for kind in ("contribution", "submission"):
        records = store.list(kind)
        assert [(each.id, each.title, each.version) for each in store.listed(kind)] == [
            (each.id, each.title, each.version) for each in records
        ]


def test_where_a_contribution_was_submitted_to(store: Store) -> None:
    names = {each.id: each.title for each in store.list("conference")}
    for talk in store.list("contribution"):
        assert [(each.conference, each.status) for each in store.submitted_to(talk.id)] == [
            (names[str(each.fields["conference"])], each.fields["status"]) for each in store.submissions_of(talk.id)
        ]
