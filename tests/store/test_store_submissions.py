"""A submission is a frozen copy with a status of its own."""

from __future__ import annotations

import pytest
from both_databases import BOTH

from app.store.enums import SubmissionStatus
from app.store.errors import InvalidFieldsError
from app.store.store import Store

pytestmark = BOTH


def test_what_was_sent_stays_when_the_talk_changes(store: Store) -> None:
    talk, conference = store.list("contribution")[0], store.list("conference")[1]

    made = store.submit(talk.id, conference.id)
    store.save("contribution", talk.id, {"title": "Later title", "abstract": "Later text"})

    assert made.fields == {
        "contribution": talk.id,
        "conference": conference.id,
        "status": "Draft",
        "sent_title": talk.fields["title"],
        "sent_text": talk.fields["abstract"],
        "notes": "",
    }
    assert made.title == "Fine-grained voice control for your app at Sample Days"
    assert store.submissions_of(talk.id) == (made,)


def test_the_talk_of_a_submission_stays_the_same(store: Store) -> None:
    submission, other = store.list("submission")[0], store.list("contribution")[3]

    with pytest.raises(InvalidFieldsError, match="Contribution can't be changed"):
        store.save("submission", submission.id, {"contribution": other.id})


def test_the_whole_form_can_be_given_back(store: Store) -> None:
    submission = store.list("submission")[0]

    after = store.save("submission", submission.id, {**submission.fields, "status": "Accepted"})

    assert after.fields["status"] == "Accepted"


def test_submitting_twice_is_refused_until_the_first_is_closed(store: Store) -> None:
    submission = store.list("submission")[0]
    talk, conference = str(submission.fields["contribution"]), str(submission.fields["conference"])

    with pytest.raises(InvalidFieldsError, match="already submitted"):
        store.submit(talk, conference)
    store.save("submission", submission.id, {"status": SubmissionStatus.WITHDRAWN})

    assert store.submit(talk, conference).fields["status"] == "Draft"


def test_a_talk_or_conference_in_the_bin_cannot_be_submitted(store: Store) -> None:
    talk, conference = store.list("contribution")[0], store.list("conference")[0]
    store.delete("conference", conference.id)

    with pytest.raises(InvalidFieldsError) as raised:
        store.submit(talk.id, conference.id)
    assert raised.value.errors == {"conference": "Conference names a conference that is not there."}
    with pytest.raises(InvalidFieldsError):
        store.submit("nothing", store.list("conference")[0].id)
