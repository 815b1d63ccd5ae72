"""Listing, saving, validating, the bin, and conflicts."""

from __future__ import annotations

import pytest
from both_databases import BOTH
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.store.database import Database
from app.store.errors import ConflictError, InvalidFieldsError, NotFoundError, StoreError
from app.store.fields import KIND_INFO, KINDS, Field, Kind
from app.store.json_types import Json
from app.store.store import Store

pytestmark = BOTH

LINE = st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), max_size=40).map(str.strip)
PAGE = st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=200)
DATES = st.dates().map(lambda day: day.isoformat())


def values(field: Field) -> st.SearchStrategy[Json]:
    """What a field accepts, as it comes back."""
    strategies: dict[str, st.SearchStrategy[Json]] = {
        "text": LINE.filter(bool) if field.required else LINE,
        "long_text": PAGE,
        "integer": st.none() | st.integers(field.minimum or 0, field.maximum or 10**6),
        "date": st.none() | DATES,
        "email": st.sampled_from(["", "jane@example.com", "ü.x+y@sub.example.org"]),
        "url": st.sampled_from(["", "https://example.com", "http://127.0.0.1:80/a?b=c#d"]),
        "boolean": st.booleans(),
        "choice": st.sampled_from([*field.choices] if field.required else [None, *field.choices]),
        "choices": st.lists(LINE.filter(bool), max_size=4, unique_by=str.casefold).map(tuple),
    }
    return strategies[field.value_type]


def records(kind: Kind) -> st.SearchStrategy[dict[str, Json]]:
    own = [each for each in KIND_INFO[kind].fields if each.references is None]
    return st.fixed_dictionaries({each.key: values(each) for each in own}).map(in_order)


def in_order(fields: dict[str, Json]) -> dict[str, Json]:
    start, end = fields.get("starts_on"), fields.get("ends_on")
    if isinstance(start, str) and isinstance(end, str) and end < start:
        fields |= {"starts_on": end, "ends_on": start}
    return fields


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data(), kind=st.sampled_from([kind for kind in KINDS if kind != "submission"]))
def test_what_is_accepted_comes_back_as_it_was(database: Database, data: st.DataObject, kind: Kind) -> None:
    store = Store(database)
    given_fields = data.draw(records(kind))

    made = store.save(kind, None, given_fields)

    assert {key: made.fields[key] for key in given_fields} == given_fields
    assert store.get(kind, made.id) == made


def test_a_new_record_needs_only_its_title(store: Store) -> None:
    made = store.save("contribution", None, {"title": "An idea"})

    assert made.title == "An idea"
    assert made.fields == {
        "title": "An idea",
        "abstract": "",
        "format": "Talk",
        "duration_minutes": None,
        "level": None,
        "language": "English",
        "speakers": (),
        "tags": (),
        "status": "Draft",
    }
    assert (made.version, made.is_sample, made.in_bin) == (1, False, False)
    assert store.list("contribution")[-1] == made


def test_saving_some_fields_leaves_the_others(store: Store) -> None:
    before = store.list("contribution")[1]

    after = store.save("contribution", before.id, {"title": "Ask"}, version=before.version)

    assert after.fields == {**before.fields, "title": "Ask"}
    assert len(before.strings("speakers")) == 2
    assert after.version == before.version + 1
    assert after.updated_at > before.updated_at
    assert after.created_at == before.created_at


def test_saving_the_same_values_writes_nothing(store: Store) -> None:
    before = store.list("contribution")[0]

    assert store.save("contribution", before.id, before.fields, version=before.version) == before


def test_the_order_of_speakers_is_kept_and_counts_as_a_change(store: Store) -> None:
    before = store.list("contribution")[1]
    first, second = before.strings("speakers")
    third = store.list("speaker")[3].id

    after = store.save("contribution", before.id, {"speakers": [second, third, first, second]})

    assert after.fields["speakers"] == (second, third, first)
    assert after.version == before.version + 1
    assert store.get("contribution", before.id).fields["speakers"] == (second, third, first)


def test_a_change_against_an_older_version_is_refused(store: Store) -> None:
    before = store.list("speaker")[0]
    theirs = store.save("speaker", before.id, {"company": "Elsewhere"}, version=before.version)

    with pytest.raises(ConflictError, match="Someone else changed this speaker") as raised:
        store.save("speaker", before.id, {"company": "Here"}, version=before.version)
    assert raised.value.current == theirs
    with pytest.raises(ConflictError):
        store.delete("speaker", before.id, version=before.version)
    assert store.get("speaker", before.id) == theirs


def test_a_deleted_record_goes_to_the_bin_and_back_to_its_place(store: Store) -> None:
    before = store.list("speaker")
    record = before[1]

    deleted = store.delete("speaker", record.id, version=record.version)

    assert deleted.in_bin
    assert store.list("speaker") == (before[0], *before[2:])
    assert store.bin("speaker") == (deleted,)
    with pytest.raises(NotFoundError, match="in the bin"):
        store.save("speaker", record.id, {"name": "X"})
    with pytest.raises(NotFoundError, match="in the bin"):
        store.delete("speaker", record.id)
    restored = store.restore("speaker", record.id)
    assert restored.same_content(record)
    assert store.restore("speaker", record.id) == restored
    assert [each.id for each in store.list("speaker")] == [each.id for each in before]


def test_a_speaker_in_the_bin_stays_on_the_talk(store: Store) -> None:
    talk = store.list("contribution")[1]
    robin, sam = talk.strings("speakers")
    store.delete("speaker", sam)

    after = store.save("contribution", talk.id, {"title": "Other", "speakers": [sam, robin]})

    assert after.fields["speakers"] == (sam, robin)
    labels = [each.label for each in store.options("contribution", "speakers", selected=[sam, robin])]
    assert labels[-1] == "Sam Sample (in the bin)"
    assert labels[0] == "Robin Example"
    assert "Sam Sample" not in [each.label for each in store.options("contribution", "speakers")]
    other = store.list("contribution")[3]
    with pytest.raises(InvalidFieldsError, match="not there"):
        store.save("contribution", other.id, {"speakers": [sam]})


def test_options_of_choices_and_of_words_in_use(store: Store) -> None:
    assert [each.value for each in store.options("contribution", "level")] == ["Beginner", "Intermediate", "Advanced"]
    tags = [each.value for each in store.options("contribution", "tags", selected=["voice", "new one"])]
    assert tags[0] == "voice"
    assert tags[-1] == "new one"
    assert len(tags) == len(set(tags))


def test_a_record_that_is_not_there_is_said(store: Store) -> None:
    assert store.find("speaker", "nobody") is None
    for call in (store.get, store.delete, store.restore):
        with pytest.raises(NotFoundError, match="speaker no longer exists"):
            call("speaker", "nobody")


def test_a_failed_call_leaves_no_half_change(store: Store) -> None:
    before = store.list("contribution")

    with pytest.raises(StoreError):
        store.save("contribution", before[0].id, {"title": "Half", "speakers": ["nobody"]})

    assert store.list("contribution") == before


@pytest.mark.parametrize("kind", KINDS)
def test_the_titles_are_those_of_the_records(store: Store, kind: Kind) -> None:
    store.delete(kind, store.list(kind)[1].id)

    assert [(each.value, each.label) for each in store.titles(kind)] == [(r.id, r.title) for r in store.list(kind)]
