"""What a page has done, as changes for the undo log. Each restores the form and what is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from app.agent.errors import ToolError
from app.store.errors import StoreError
from app.store.json_types import Json
from app.store.records import Record
from app.store.store import Store

if TYPE_CHECKING:
    from app.pages.book import Entry, RecordBook

T = TypeVar("T")


def in_words(step: Callable[[], T]) -> T:
    """Does a step in the store; raises what fails there as a ToolError, with the same words."""
    try:
        return step()
    except StoreError as error:
        raise ToolError(str(error)) from error


@dataclass
class FieldChange:
    """One field of a form was changed, and not saved. Typing on in the same field widens it."""

    book: RecordBook
    key: str
    name: str
    before: Json
    after: Json

    @property
    def text(self) -> str:
        return f"{self.book.info.field(self.name).label} of “{self.book.title(self.key)}”"

    def is_of(self, book: RecordBook, key: str, name: str) -> bool:
        """Whether it changed that very field."""
        return (self.book, self.key, self.name) == (book, key, name)

    def undo(self) -> None:
        self._put(self.before)

    def redo(self) -> None:
        self._put(self.after)

    def _put(self, value: Json) -> None:
        self.book.put(self.key, self.name, value)
        self.book.revealed.emit(self.key)


@dataclass
class SavedChange:
    """An entry was stored. Undone, the row is as before, and the form holds the changes unsaved."""

    book: RecordBook
    key: str
    before: Record | None
    after: Record
    changes: Mapping[str, Json]

    @property
    def text(self) -> str:
        return f"Save of “{self.after.title}”"

    def undo(self) -> None:
        self._store(self.before, self.after, self.changes)

    def redo(self) -> None:
        self._store(self.after, self.before, {})

    def _store(self, state: Record | None, expected: Record | None, changes: Mapping[str, Json]) -> None:
        book = self.book
        book.entry(self.key)
        now = in_words(lambda: book.store.set_state(self.after.kind, self.after.id, state, expected=expected))
        book.settle(self.key, now, changes)
        book.revealed.emit(self.key)


@dataclass
class CreatedChange:
    """An entry for a new record was added."""

    book: RecordBook
    entry: Entry
    position: int | None = None

    @property
    def text(self) -> str:
        return f"New {self.book.info.noun}"

    def undo(self) -> None:
        self.position = self.book.remove(self.entry.key)

    def redo(self) -> None:
        self.book.add(self.entry, self.position)


@dataclass
class DiscardedChange:
    """Unsaved changes were dropped."""

    book: RecordBook
    key: str
    changes: Mapping[str, Json]

    @property
    def text(self) -> str:
        return f"Discarded changes of “{self.book.title(self.key)}”"

    def undo(self) -> None:
        self._settle(self.changes)

    def redo(self) -> None:
        self._settle({})

    def _settle(self, changes: Mapping[str, Json]) -> None:
        self.book.settle(self.key, self.book.entry(self.key).base, changes)
        self.book.revealed.emit(self.key)


@dataclass
class DeletedChange:
    """An entry was taken away; `deleted` is its record in the bin, or None where it was never stored."""

    book: RecordBook
    entry: Entry
    position: int
    deleted: Record | None

    @property
    def text(self) -> str:
        return f"Deleted {self.book.info.noun}"

    def undo(self) -> None:
        if self.deleted is not None:
            self._store(self.entry.base, self.deleted)
        self.book.add(self.entry, self.position)

    def redo(self) -> None:
        self.book.entry(self.entry.key)
        if self.deleted is not None:
            self._store(self.deleted, self.entry.base)
        self.book.remove(self.entry.key)

    def _store(self, state: Record | None, expected: Record | None) -> None:
        assert self.deleted is not None
        kind, record_id = self.deleted.kind, self.deleted.id
        now = in_words(lambda: self.book.store.set_state(kind, record_id, state, expected=expected))
        if now is not None and not now.in_bin:
            self.entry.take(now)


@dataclass
class SubmittedChange:
    """A submission was made."""

    store: Store
    made: Record
    told: Callable[[], None]
    """Called after each step, so that what shows submissions reads them again."""

    @property
    def text(self) -> str:
        return f"Submission of “{self.made.title}”"

    def undo(self) -> None:
        self._store(None, self.made)

    def redo(self) -> None:
        self._store(self.made, None)

    def _store(self, state: Record | None, expected: Record | None) -> None:
        in_words(lambda: self.store.set_state(self.made.kind, self.made.id, state, expected=expected))
        self.told()
