"""What each field refuses, in which words, and what it makes of odd text."""

from __future__ import annotations

import pytest

from app.store.database import Database
from app.store.errors import InvalidFieldsError
from app.store.fields import Kind
from app.store.json_types import Json
from app.store.store import Store


@pytest.mark.parametrize(
    ("kind", "key", "value", "sentence"),
    [
        ("contribution", "title", "  ", "Title is needed."),
        ("contribution", "title", None, "Title takes text."),
        ("contribution", "title", "a\0b", "Title has a character that can't be stored."),
        ("contribution", "abstract", "\ud800", "Abstract has a character that can't be stored."),
        ("contribution", "duration_minutes", "soon", "Duration takes a whole number of minutes, such as 45."),
        ("contribution", "duration_minutes", 1.5, "Duration takes a whole number of minutes, such as 45."),
        ("contribution", "duration_minutes", True, "Duration takes a whole number of minutes, such as 45."),
        ("contribution", "duration_minutes", 0, "Duration is between 1 and 1440 minutes."),
        ("contribution", "duration_minutes", 10**30, "Duration is between 1 and 1440 minutes."),
        ("contribution", "level", "Expert", "Level is one of: Beginner, Intermediate, Advanced."),
        ("contribution", "status", None, "Status is needed."),
        ("contribution", "tags", "one", "Tags takes a list."),
        ("contribution", "tags", [1], "Tags takes a list."),
        ("contribution", "speakers", ["nobody"], "Speakers names a speaker that is not there."),
        ("contribution", "nonsense", 1, "There is no field 'nonsense' in a contribution."),
        ("conference", "starts_on", "Berlin", "Starts on takes a date, such as 2027-05-03."),
        ("conference", "starts_on", "2027-02-30", "Starts on takes a date, such as 2027-05-03."),
        ("conference", "starts_on", 20270503, "Starts on takes a date, such as 2027-05-03."),
        ("conference", "ends_on", "2027-01-01", "Ends on is before Starts on."),
        ("conference", "online", "yes", "Online is either on or off."),
        ("conference", "website", "example.com", "Website takes an address such as https://example.com."),
        ("conference", "website", "https://[", "Website takes an address such as https://example.com."),
        ("conference", "website", "javascript:alert(1)", "Website takes an address such as https://example.com."),
        ("speaker", "email", "jane at example", "Email takes an address such as name@example.com."),
        ("submission", "contribution", None, "Contribution is needed."),
        ("submission", "sent_text", "other", "Sent text can't be changed: it keeps what the submission was made with."),
    ],
)
def test_a_value_that_does_not_fit_is_refused_in_words(
    store: Store, kind: Kind, key: str, value: Json, sentence: str
) -> None:
    before = store.list(kind)[0]

    with pytest.raises(InvalidFieldsError) as raised:
        store.save(kind, before.id, {key: value})

    assert raised.value.errors == {key: sentence}
    assert store.get(kind, before.id) == before


def test_all_refused_fields_are_named_at_once(store: Store) -> None:
    with pytest.raises(InvalidFieldsError) as raised:
        store.save("conference", None, {"starts_on": "soon", "online": 1})

    assert set(raised.value.errors) == {"name", "starts_on", "online"}
    assert str(raised.value).startswith("Name is needed.")


def test_an_old_reversed_pair_of_dates_does_not_block_other_fields(database: Database, store: Store) -> None:
    conference = store.list("conference")[0]
    with database.writing() as session:
        session.connection().exec_driver_sql("UPDATE conferences SET ends_on = '2020-01-01'")

    assert store.save("conference", conference.id, {"city": "Porto"}).fields["city"] == "Porto"


def test_lines_in_a_title_become_blanks_and_long_text_keeps_them(store: Store) -> None:
    made = store.save("contribution", None, {"title": " two\r\nlines ", "abstract": " two\r\nlines "})

    assert (made.fields["title"], made.fields["abstract"]) == ("two lines", " two\r\nlines ")
