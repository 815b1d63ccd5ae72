"""Bringing former states back exactly, and refusing to where someone changed the record since."""

from __future__ import annotations

import pytest
from both_databases import BOTH

from app.store.errors import ConflictError, StoreError
from app.store.store import Store

pytestmark = BOTH


def test_undoing_and_redoing_a_change(store: Store) -> None:
    before = store.list("contribution")[1]
    after = store.save("contribution", before.id, {"status": "Accepted", "speakers": [], "tags": ["x"]})

    undone = store.set_state("contribution", before.id, before, expected=after)
    assert undone is not None
    assert undone.same_content(before)
    assert undone.version > after.version

    redone = store.set_state("contribution", before.id, after, expected=before)
    assert redone is not None
    assert redone.same_content(after)
    assert store.get("contribution", before.id) == redone


def test_undoing_a_new_record_removes_it_and_redoing_makes_it_again(store: Store) -> None:
    talks = store.list("contribution")
    made = store.save("contribution", None, {"title": "New", "speakers": [store.list("speaker")[0].id]})

    assert store.set_state("contribution", made.id, None, expected=made) is None
    assert store.list("contribution") == talks
    assert store.bin("contribution") == ()

    again = store.set_state("contribution", made.id, made, expected=None)
    assert again is not None
    assert again.same_content(made)
    assert again.created_at == made.created_at


def test_undoing_a_deletion(store: Store) -> None:
    before = store.list("conference")[0]
    deleted = store.delete("conference", before.id)

    undone = store.set_state("conference", before.id, before, expected=deleted)

    assert undone is not None
    assert not undone.in_bin
    assert store.list("conference")[0] == undone
    redone = store.set_state("conference", before.id, deleted, expected=undone)
    assert redone is not None
    assert redone.in_bin


def test_undoing_a_submission(store: Store) -> None:
    talk, conference = store.list("contribution")[0], store.list("conference")[0]
    made = store.submit(talk.id, conference.id)

    store.set_state("submission", made.id, None, expected=made)
    assert store.submissions_of(talk.id) == ()

    again = store.set_state("submission", made.id, made, expected=None)
    assert again is not None
    assert again.same_content(made)


def test_someone_elses_change_is_not_undone(store: Store) -> None:
    before = store.list("speaker")[0]
    after = store.save("speaker", before.id, {"company": "Mine"})
    theirs = store.save("speaker", before.id, {"company": "Theirs"})

    with pytest.raises(ConflictError, match="changed since") as raised:
        store.set_state("speaker", before.id, before, expected=after)

    assert raised.value.current == theirs
    assert store.get("speaker", before.id) == theirs


def test_a_record_that_others_use_by_now_is_not_removed(store: Store) -> None:
    made = store.save("speaker", None, {"name": "New"})
    talk = store.list("contribution")[0]
    store.save("contribution", talk.id, {"speakers": [made.id]})

    with pytest.raises(StoreError, match="still refers"):
        store.set_state("speaker", made.id, None, expected=made)

    assert store.get("speaker", made.id) == made
    assert store.get("contribution", talk.id).fields["speakers"] == (made.id,)
