"""The fixed choices, worded as the screens show them; the stored value is the label."""

from __future__ import annotations

from enum import StrEnum


class Format(StrEnum):
    """What kind of session a contribution is."""

    TALK = "Talk"
    WORKSHOP = "Workshop"
    LIGHTNING_TALK = "Lightning talk"
    KEYNOTE = "Keynote"


class Level(StrEnum):
    """How much the audience should know."""

    BEGINNER = "Beginner"
    INTERMEDIATE = "Intermediate"
    ADVANCED = "Advanced"


class Language(StrEnum):
    """The language a contribution is given in."""

    ENGLISH = "English"
    GERMAN = "German"
    SPANISH = "Spanish"
    FRENCH = "French"


class ContributionStatus(StrEnum):
    """Where the living talk stands."""

    DRAFT = "Draft"
    SUBMITTED = "Submitted"
    ACCEPTED = "Accepted"
    REJECTED = "Rejected"
    WITHDRAWN = "Withdrawn"


class SubmissionStatus(StrEnum):
    """Where one submission to one conference stands, from the speaker's side."""

    IDEA = "Idea"
    DRAFT = "Draft"
    SENT = "Sent"
    WAITING = "Waiting"
    WAITLISTED = "Waitlisted"
    ACCEPTED = "Accepted"
    CONFIRMED = "Confirmed"
    DECLINED = "Declined"
    REJECTED = "Rejected"
    WITHDRAWN = "Withdrawn"
    GIVEN = "Given"


CLOSED_SUBMISSIONS = frozenset({SubmissionStatus.DECLINED, SubmissionStatus.REJECTED, SubmissionStatus.WITHDRAWN})
"""After these the same contribution may be submitted to the same conference again."""
