"""The tables of the person's own data: contributions, conferences, speakers, collections, submissions, drafts."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, UniqueConstraint, false
from sqlalchemy.orm import Mapped, declared_attr, mapped_column, relationship

from app.store.columns import Base, new_id, utc_now
from app.store.json_types import Json


class RecordRow(Base):
    """What every record has. `version` counts its changes: an update against an older version fails."""

    __abstract__ = True

    id: Mapped[str] = mapped_column(primary_key=True, default=new_id, sort_order=-10)
    created_at: Mapped[datetime] = mapped_column(default=utc_now, sort_order=90)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, sort_order=91)
    version: Mapped[int] = mapped_column(sort_order=92)
    deleted_at: Mapped[datetime | None] = mapped_column(sort_order=93)
    is_sample: Mapped[bool] = mapped_column(default=False, server_default=false(), sort_order=94)

    @declared_attr.directive
    def __mapper_args__(cls) -> dict[str, Any]:  # noqa: N805
        return {"version_id_col": cls.__table__.c.version}


class Speaker(RecordRow):
    """A person who gives talks."""

    __tablename__ = "speakers"

    name: Mapped[str]
    email: Mapped[str] = mapped_column(default="")
    company: Mapped[str] = mapped_column(default="")
    job_title: Mapped[str] = mapped_column(default="")
    biography: Mapped[str] = mapped_column(default="")
    website: Mapped[str] = mapped_column(default="")


class Conference(RecordRow):
    """An event with a call for papers. `cfp_closes_on` is the last day, inclusive."""

    __tablename__ = "conferences"

    name: Mapped[str]
    city: Mapped[str] = mapped_column(default="")
    country: Mapped[str] = mapped_column(default="")
    website: Mapped[str] = mapped_column(default="")
    starts_on: Mapped[date | None]
    ends_on: Mapped[date | None]
    cfp_closes_on: Mapped[date | None]
    online: Mapped[bool] = mapped_column(default=False)
    notes: Mapped[str] = mapped_column(default="")


class ContributionSpeaker(Base):
    """One speaker of a contribution, at a place in their order."""

    __tablename__ = "contribution_speakers"

    contribution_id: Mapped[str] = mapped_column(ForeignKey("contributions.id", ondelete="CASCADE"), primary_key=True)
    speaker_id: Mapped[str] = mapped_column(ForeignKey("speakers.id"), primary_key=True, index=True)
    position: Mapped[int]


class Contribution(RecordRow):
    """The living talk."""

    __tablename__ = "contributions"

    title: Mapped[str]
    abstract: Mapped[str] = mapped_column(default="")
    format: Mapped[str | None]
    duration_minutes: Mapped[int | None]
    level: Mapped[str | None]
    language: Mapped[str | None]
    tags: Mapped[list[str]] = mapped_column(default=list)
    status: Mapped[str]
    speaker_links: Mapped[list[ContributionSpeaker]] = relationship(
        order_by=ContributionSpeaker.position, cascade="all, delete-orphan", passive_deletes=True, lazy="selectin"
    )


class CollectionItem(Base):
    """One contribution of a collection, at a place in its order."""

    __tablename__ = "collection_items"

    collection_id: Mapped[str] = mapped_column(ForeignKey("collections.id", ondelete="CASCADE"), primary_key=True)
    contribution_id: Mapped[str] = mapped_column(ForeignKey("contributions.id"), primary_key=True, index=True)
    position: Mapped[int]


class Collection(RecordRow):
    """A named set of contributions, in the person's order."""

    __tablename__ = "collections"

    name: Mapped[str]
    description: Mapped[str] = mapped_column(default="")
    item_links: Mapped[list[CollectionItem]] = relationship(
        order_by=CollectionItem.position, cascade="all, delete-orphan", passive_deletes=True, lazy="selectin"
    )


class Submission(RecordRow):
    """A contribution as it was sent to one conference: a frozen copy, with a status of its own."""

    __tablename__ = "submissions"

    contribution_id: Mapped[str] = mapped_column(ForeignKey("contributions.id"), index=True)
    conference_id: Mapped[str] = mapped_column(ForeignKey("conferences.id"), index=True)
    conference: Mapped[Conference] = relationship(lazy="joined")
    sent_title: Mapped[str]
    sent_text: Mapped[str]
    status: Mapped[str]
    notes: Mapped[str] = mapped_column(default="")


class Draft(Base):
    """What a form held that was not saved yet. `record_id` is "new" for a record that does not exist yet."""

    __tablename__ = "drafts"
    __table_args__ = (UniqueConstraint("kind", "record_id"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    record_id: Mapped[str]
    base_version: Mapped[int | None]
    fields: Mapped[dict[str, Json]]
    updated_at: Mapped[datetime] = mapped_column(default=utc_now)


for _model in (Speaker, Conference, Contribution, Collection, Submission):
    Index(f"ix_{_model.__tablename__}_created_at", _model.created_at, _model.id)
