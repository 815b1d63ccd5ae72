"""Any history of changes, undone in reverse, gives back the beginning; done again, the end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.store.database import Database
from app.store.errors import InvalidFieldsError
from app.store.fields import KINDS, Kind
from app.store.records import Record
from app.store.samples import seed_samples
from app.store.store import Store

KIND = st.sampled_from(KINDS)
PLACE = st.integers(0, 20)
TITLE = st.sampled_from(["One", "Two", "Three"])
STEP = st.one_of(
    st.tuples(st.just("create"), st.sampled_from(["contribution", "conference", "speaker", "collection"]), TITLE),
    st.tuples(st.just("rename"), KIND, PLACE, TITLE),
    st.tuples(st.just("speakers"), PLACE, st.lists(PLACE, max_size=3)),
    st.tuples(st.just("delete"), KIND, PLACE),
    st.tuples(st.just("restore"), KIND, PLACE),
    st.tuples(st.just("submit"), PLACE, PLACE),
)
Done = tuple[Record | None, Record]


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, max_size=8))
def test_undoing_everything_and_doing_it_again(database: Database, steps: Sequence[tuple[object, ...]]) -> None:
    seed_samples(database)
    store = Store(database)
    beginning = content(store)

    done = [made for step in steps if (made := run(store, step))]
    end = content(store)
    for before, after in reversed(done):
        store.set_state(after.kind, after.id, before, expected=after)
    assert content(store) == beginning
    for before, after in done:
        store.set_state(after.kind, after.id, after, expected=before)
    assert content(store) == end


def content(store: Store) -> list[tuple[object, ...]]:
    """Everything that is stored, in the order of the lists, without versions and times."""
    return [
        (each.kind, each.id, dict(each.fields), each.in_bin, each.is_sample)
        for kind in KINDS
        for each in (*store.list(kind), *store.bin(kind))
    ]


def run(store: Store, step: tuple[object, ...]) -> Done | None:
    """Does one step where the store allows it; gives the record before and after."""
    with suppress(InvalidFieldsError):
        match step:
            case ("create", kind, title):
                name = "title" if kind == "contribution" else "name"
                return None, store.save(known(kind), None, {name: str(title)})
            case ("rename", kind, int(place), title):
                if before := pick(store.list(known(kind)), place):
                    name = {"contribution": "title", "submission": "notes"}.get(before.kind, "name")
                    return before, store.save(before.kind, before.id, {name: str(title)}, version=before.version)
            case ("speakers", int(place), list(places)):
                if before := pick(store.list("contribution"), place):
                    speakers = [found.id for each in places if (found := pick(store.list("speaker"), each))]
                    return before, store.save("contribution", before.id, {"speakers": speakers})
            case ("delete", kind, int(place)):
                if before := pick(store.list(known(kind)), place):
                    return before, store.delete(before.kind, before.id)
            case ("restore", kind, int(place)):
                if before := pick(store.bin(known(kind)), place):
                    return before, store.restore(before.kind, before.id)
            case ("submit", int(place), int(other)):
                talk, conference = pick(store.list("contribution"), place), pick(store.list("conference"), other)
                if talk and conference:
                    return None, store.submit(talk.id, conference.id)
    return None


def known(kind: object) -> Kind:
    return next(each for each in KINDS if each == kind)


def pick(records: Sequence[Record], place: int) -> Record | None:
    return records[place % len(records)] if records else None
