"""Dictation in the real window: asked once, then speech is text until it is ended."""

from __future__ import annotations

import pytest
from journey_kit import Person


def test_it_is_asked_once(person: Person) -> None:
    person.types("dictate the abstract")
    (proposal,) = person.sees_proposals(1)
    assert (proposal.tool, proposal.title, proposal.target) == ("dictate", "Dictate into", "Abstract")
    person.approves(proposal)
    person.sees_the_end()
    assert person.desk.dictation.active
    assert person.status == "Dictating into Abstract"
    person.types("stop dictation")
    person.sees_the_end(2)
    assert not person.desk.dictation.active
