"""The kinds of records and their fields: the one description that pages, voice and the store share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from app.store.enums import ContributionStatus, Format, Language, Level, SubmissionStatus
from app.store.json_types import Json

Kind: TypeAlias = Literal["contribution", "conference", "speaker", "collection", "submission"]
KINDS: tuple[Kind, ...] = get_args(Kind)

FieldType: TypeAlias = Literal["text", "long_text", "integer", "date", "email", "url", "choice", "choices", "boolean"]
"""`choice`: one of the options or None. `choices`: a list of them, in the person's order."""

Editable: TypeAlias = Literal["always", "once", "never"]
"""`once`: only while the record is new. `never`: filled in by the store."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form.

    Attributes:
        key: Name in `Record.fields`, snake_case.
        label: The words on screen.
        value_type: How its value is stored: text as str, dates as ISO text, references as record ids.
        choices: The fixed choices, worded as on screen. Empty where `references` or the person's own words decide:
            `Store.options` gives the options of any choice field.
        synonyms: Choice to other words a person may say for it.
        aliases: Other names of the field a person may say.
        references: The kind of record whose ids the value holds.
        unit: What a number counts, in the plural.
        default: The value in a new record.
    """

    key: str
    label: str
    value_type: FieldType = "text"
    choices: tuple[str, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    aliases: tuple[str, ...] = ()
    required: bool = False
    unit: str = ""
    minimum: int | None = None
    maximum: int | None = None
    references: Kind | None = None
    editable: Editable = "always"
    default: str | None = None

    @property
    def empty(self) -> Json:
        """The value that means "nothing here"."""
        if self.value_type in ("text", "long_text", "email", "url"):
            return ""
        if self.value_type == "choices":
            return ()
        return False if self.value_type == "boolean" else None

    @property
    def initial(self) -> Json:
        """The value in a new record."""
        return self.empty if self.default is None else str(self.default)


@dataclass(frozen=True, slots=True)
class KindInfo:
    """What a page needs to know of a kind of record.

    Attributes:
        page: Title of its screen; `aliases` are other words for it.
        noun: What one record is called, in lower case.
        title_key: The field that names a record.
    """

    kind: Kind
    page: str
    noun: str
    title_key: str
    fields: tuple[Field, ...]
    aliases: tuple[str, ...] = ()

    def field(self, key: str) -> Field:
        """The field of that key; KeyError where there is none."""
        for each in self.fields:
            if each.key == key:
                return each
        raise KeyError(key)

    def initial(self) -> dict[str, Json]:
        """The values of a new record, before the person has typed anything."""
        return {each.key: each.initial for each in self.fields}


def _labels(choices: type[StrEnum]) -> tuple[str, ...]:
    return tuple(each.value for each in choices)


_CONTRIBUTION = KindInfo(
    kind="contribution",
    page="Contributions",
    noun="contribution",
    title_key="title",
    aliases=("talks", "my talks", "sessions"),
    fields=(
        Field("title", "Title", required=True, aliases=("heading", "talk title")),
        Field("abstract", "Abstract", "long_text", aliases=("description", "summary")),
        Field(
            "format",
            "Format",
            "choice",
            choices=_labels(Format),
            synonyms={Format.TALK: ("session", "presentation"), Format.LIGHTNING_TALK: ("lightning", "short talk")},
            aliases=("session format", "type"),
            default=Format.TALK,
        ),
        Field(
            "duration_minutes",
            "Duration",
            "integer",
            unit="minutes",
            minimum=1,
            maximum=1440,
            aliases=("length", "minutes"),
        ),
        Field(
            "level",
            "Level",
            "choice",
            choices=_labels(Level),
            synonyms={
                Level.BEGINNER: ("basic", "introductory", "beginners"),
                Level.INTERMEDIATE: ("medium",),
                Level.ADVANCED: ("expert",),
            },
            aliases=("audience level", "difficulty"),
        ),
        Field("language", "Language", "choice", choices=_labels(Language), default=Language.ENGLISH),
        Field("speakers", "Speakers", "choices", references="speaker", aliases=("presenters",)),
        Field("tags", "Tags", "choices", aliases=("keywords", "topics")),
        Field(
            "status",
            "Status",
            "choice",
            choices=_labels(ContributionStatus),
            synonyms={ContributionStatus.SUBMITTED: ("sent",), ContributionStatus.REJECTED: ("declined",)},
            aliases=("state",),
            required=True,
            default=ContributionStatus.DRAFT,
        ),
    ),
)

_CONFERENCE = KindInfo(
    kind="conference",
    page="Conferences",
    noun="conference",
    title_key="name",
    aliases=("events",),
    fields=(
        Field("name", "Name", required=True, aliases=("conference name",)),
        Field("city", "City", aliases=("town",)),
        Field("country", "Country"),
        Field("website", "Website", "url", aliases=("web site", "home page", "web address")),
        Field("starts_on", "Starts on", "date", aliases=("start", "start date", "first day")),
        Field("ends_on", "Ends on", "date", aliases=("end", "end date", "last day")),
        Field(
            "cfp_closes_on",
            "Call for papers closes on",
            "date",
            aliases=("deadline", "call for papers", "call closes on", "CFP closes on"),
        ),
        Field("online", "Online", "boolean", aliases=("remote", "virtual")),
        Field("notes", "Notes", "long_text", aliases=("note", "remarks")),
    ),
)

_SPEAKER = KindInfo(
    kind="speaker",
    page="Speakers",
    noun="speaker",
    title_key="name",
    aliases=("people", "presenters"),
    fields=(
        Field("name", "Name", required=True, aliases=("full name",)),
        Field("email", "Email", "email", aliases=("e-mail", "mail", "email address")),
        Field("company", "Company", aliases=("employer", "organisation")),
        Field("job_title", "Job title", aliases=("position", "role")),
        Field("biography", "Biography", "long_text", aliases=("bio",)),
        Field("website", "Website", "url", aliases=("web site", "home page", "web address")),
    ),
)

_COLLECTION = KindInfo(
    kind="collection",
    page="Collections",
    noun="collection",
    title_key="name",
    aliases=("sets",),
    fields=(
        Field("name", "Name", required=True, aliases=("collection name",)),
        Field("description", "Description", "long_text", aliases=("summary",)),
        Field("contributions", "Contributions", "choices", references="contribution", aliases=("talks",)),
    ),
)

_SUBMISSION = KindInfo(
    kind="submission",
    page="Submissions",
    noun="submission",
    title_key="sent_title",
    aliases=("proposals",),
    fields=(
        Field("contribution", "Contribution", "choice", references="contribution", required=True, editable="once"),
        Field("conference", "Conference", "choice", references="conference", required=True, editable="once"),
        Field(
            "status",
            "Status",
            "choice",
            choices=_labels(SubmissionStatus),
            synonyms={SubmissionStatus.SENT: ("submitted",), SubmissionStatus.WAITLISTED: ("on the waiting list",)},
            aliases=("state",),
            required=True,
            default=SubmissionStatus.DRAFT,
        ),
        Field("sent_title", "Sent title", editable="never"),
        Field("sent_text", "Sent text", "long_text", editable="never"),
        Field("notes", "Notes", "long_text", aliases=("note", "remarks")),
    ),
)

KIND_INFO: Mapping[Kind, KindInfo] = MappingProxyType(
    {info.kind: info for info in (_CONTRIBUTION, _CONFERENCE, _SPEAKER, _COLLECTION, _SUBMISSION)}
)
