"""The field descriptions against the labels that the screens must show."""

from __future__ import annotations

import pytest

from app.store import sample_data
from app.store.fields import KIND_INFO, KINDS, Kind
from app.store.validation import clean

LABELS: dict[Kind, list[str]] = {
    "contribution": ["Title", "Abstract", "Format", "Duration", "Level", "Language", "Speakers", "Tags", "Status"],
    "conference": [
        "Name",
        "City",
        "Country",
        "Website",
        "Starts on",
        "Ends on",
        "Call for papers closes on",
        "Online",
        "Notes",
    ],
    "speaker": ["Name", "Email", "Company", "Job title", "Biography", "Website"],
    "collection": ["Name", "Description", "Contributions"],
    "submission": ["Contribution", "Conference", "Status", "Sent title", "Sent text", "Notes"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_labels_and_their_order(kind: Kind) -> None:
    assert [each.label for each in KIND_INFO[kind].fields] == LABELS[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_stands_for_two_fields_of_one_form(kind: Kind) -> None:
    names = [name.casefold() for each in KIND_INFO[kind].fields for name in (each.label, *each.aliases)]

    assert len(names) == len(set(names))


def test_every_synonym_belongs_to_a_choice_and_to_one_only() -> None:
    for info in KIND_INFO.values():
        for each in info.fields:
            words = [word.casefold() for words in each.synonyms.values() for word in words]
            assert set(each.synonyms) <= set(each.choices)
            assert len(words) == len(set(words))
            assert not set(words) & {choice.casefold() for choice in each.choices}


def test_the_field_of_a_key() -> None:
    assert KIND_INFO["contribution"].field("duration_minutes").unit == "minutes"
    with pytest.raises(KeyError):
        KIND_INFO["contribution"].field("duration")


@pytest.mark.parametrize("sample", sample_data.SAMPLES, ids=lambda sample: f"{sample.kind}-{sample.name}")
def test_every_sample_would_be_accepted_from_a_form(sample: sample_data.Sample) -> None:
    frozen = [each.key for each in KIND_INFO[sample.kind].fields if each.editable == "never"]

    clean(KIND_INFO[sample.kind], {k: v for k, v in sample.fields.items() if k not in frozen}, None)
