"""The sample records: plainly made up, dated 2027, in the order in which lists show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from uuid import NAMESPACE_URL, uuid5

from app.store.fields import Kind
from app.store.json_types import Json, JsonObject


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample record; its id is made from its kind and name, so it is the same on every machine."""

    kind: Kind
    name: str
    fields: JsonObject

    @property
    def id(self) -> str:
        """The record id."""
        return sample_id(self.kind, self.name)


def sample_id(kind: Kind, name: str) -> str:
    """The id of the sample record of that kind and short name."""
    return str(uuid5(NAMESPACE_URL, f"greenroom-sample:{kind}:{name}"))


def _ids(kind: Kind, *names: str) -> tuple[str, ...]:
    return tuple(sample_id(kind, name) for name in names)


def _samples(kind: Kind, records: Mapping[str, Mapping[str, Json]]) -> tuple[Sample, ...]:
    return tuple(Sample(kind, name, MappingProxyType(dict(fields))) for name, fields in records.items())


_SPEAKERS = _samples(
    "speaker",
    {
        "robin": {
            "name": "Robin Example",
            "email": "robin@example.com",
            "company": "Example Software",
            "job_title": "Developer",
            "biography": "Robin builds desktop software and gives talks about interfaces that listen.",
            "website": "https://robin.example.com",
        },
        "sam": {
            "name": "Sam Sample",
            "email": "sam@example.org",
            "company": "Sample Labs",
            "job_title": "Researcher",
            "biography": "Sam measures how well small speech models do on ordinary laptops.",
            "website": "https://sam.example.org",
        },
        "kim": {
            "name": "Kim Placeholder",
            "email": "kim@example.net",
            "company": "Placeholder Press",
            "job_title": "Editor",
            "biography": "Kim helps speakers to turn a rough idea into an abstract.",
        },
        "alex": {
            "name": "Alex Fictional",
            "email": "alex@example.com",
            "job_title": "Community organiser",
            "biography": "Alex runs a small conference and reads every proposal twice.",
        },
    },
)

_CONTRIBUTIONS = _samples(
    "contribution",
    {
        "voice-control": {
            "title": "Fine-grained voice control for your app",
            "abstract": (
                "Most voice control stops at opening an app. This talk shows how every button and field of an ordinary"
                " window can be reached by speaking, without writing the interface twice.\n\nWe generate tools from"
                " documented methods, let widgets register themselves while they are on screen, and ask before"
                " anything changes."
            ),
            "format": "Talk",
            "duration_minutes": 30,
            "level": "Intermediate",
            "language": "English",
            "speakers": _ids("speaker", "robin"),
            "tags": ("voice", "desktop", "accessibility"),
            "status": "Draft",
        },
        "agents-ask": {
            "title": "Agents that ask first",
            "abstract": (
                "An assistant that acts on its own is quick until it is wrong. We look at proposals, approvals and"
                " undo, and at what changes when the person decides before anything happens."
            ),
            "format": "Talk",
            "duration_minutes": 40,
            "level": "Intermediate",
            "language": "English",
            "speakers": _ids("speaker", "robin", "sam"),
            "tags": ("agents", "safety"),
            "status": "Submitted",
        },
        "whisper-small": {
            "title": "Whisper on small machines",
            "abstract": (
                "Speech recognition without a network and without a graphics card: what to shorten, what to measure,"
                " and where accuracy goes when the model gets small."
            ),
            "format": "Lightning talk",
            "duration_minutes": 10,
            "level": "Advanced",
            "language": "English",
            "speakers": _ids("speaker", "sam"),
            "tags": ("speech", "performance"),
            "status": "Accepted",
        },
        "first-abstract": {
            "title": "Write your first abstract",
            "abstract": "Bring an idea, leave with an abstract that a programme committee can say yes to.",
            "format": "Workshop",
            "duration_minutes": 120,
            "level": "Beginner",
            "language": "English",
            "speakers": _ids("speaker", "kim", "alex"),
            "tags": ("writing",),
            "status": "Draft",
        },
        "kleine-konferenzen": {
            "title": "Kleine Konferenzen, große Wirkung",
            "abstract": "Was eine Konferenz mit achtzig Gästen kann, und was sie lieber lässt.",
            "format": "Keynote",
            "duration_minutes": 45,
            "level": "Beginner",
            "language": "German",
            "speakers": _ids("speaker", "alex"),
            "tags": ("community",),
            "status": "Rejected",
        },
        "undo": {
            "title": "Undo is a feature of trust",
            "abstract": "People try things when they can take them back. How to design undo from the first day.",
            "format": "Talk",
            "duration_minutes": 25,
            "level": "Beginner",
            "language": "English",
            "speakers": _ids("speaker", "robin"),
            "tags": ("desktop", "design"),
            "status": "Withdrawn",
        },
    },
)

_CONFERENCES = _samples(
    "conference",
    {
        "exampleconf": {
            "name": "ExampleConf",
            "city": "Lisbon",
            "country": "Portugal",
            "website": "https://exampleconf.example.com",
            "starts_on": "2027-06-17",
            "ends_on": "2027-06-19",
            "cfp_closes_on": "2027-02-28",
            "online": False,
            "notes": "Talks are 30 minutes. Speakers get a ticket.",
        },
        "sample-days": {
            "name": "Sample Days",
            "city": "Vienna",
            "country": "Austria",
            "website": "https://sampledays.example.org",
            "starts_on": "2027-09-09",
            "ends_on": "2027-09-10",
            "cfp_closes_on": "2027-04-15",
            "online": False,
            "notes": "",
        },
        "nowhere": {
            "name": "Nowhere Online",
            "website": "https://nowhere.example.net",
            "starts_on": "2027-11-03",
            "ends_on": "2027-11-03",
            "cfp_closes_on": "2027-08-31",
            "online": True,
            "notes": "One track, everything is recorded.",
        },
        "made-up": {
            "name": "Made-up Makers Meeting",
            "city": "Dublin",
            "country": "Ireland",
            "starts_on": "2027-10-21",
            "ends_on": "2027-10-22",
            "cfp_closes_on": "2027-06-30",
            "online": False,
            "notes": "Workshops only.",
        },
    },
)

_COLLECTIONS = _samples(
    "collection",
    {
        "voice-and-agents": {
            "name": "Voice and agents",
            "description": "Talks that fit together in one afternoon.",
            "contributions": _ids("contribution", "voice-control", "agents-ask", "whisper-small"),
        },
        "newcomers": {
            "name": "For newcomers",
            "description": "Sessions that need no background.",
            "contributions": _ids("contribution", "first-abstract", "undo"),
        },
    },
)


def _submission(contribution: str, conference: str, status: str, notes: str) -> dict[str, Json]:
    talk = next(each for each in _CONTRIBUTIONS if each.name == contribution)
    return {
        "contribution": talk.id,
        "conference": sample_id("conference", conference),
        "status": status,
        "sent_title": talk.fields["title"],
        "sent_text": talk.fields["abstract"],
        "notes": notes,
    }


_SUBMISSIONS = _samples(
    "submission",
    {
        "agents-ask-exampleconf": _submission("agents-ask", "exampleconf", "Waiting", "They answer in March."),
        "whisper-small-nowhere": _submission("whisper-small", "nowhere", "Accepted", ""),
    },
)

SAMPLES: tuple[Sample, ...] = (*_SPEAKERS, *_CONTRIBUTIONS, *_CONFERENCES, *_COLLECTIONS, *_SUBMISSIONS)
"""In an order in which each refers only to earlier ones."""
