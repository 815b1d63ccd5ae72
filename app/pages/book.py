"""The records of one kind with their unsaved changes. What a page shows and edits; knows no widgets."""

from __future__ import annotations

import uuid
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal

from app.agent.errors import ToolError
from app.pages.changes import CreatedChange, DeletedChange, DiscardedChange, FieldChange, SavedChange
from app.pages.services import PageServices
from app.store.drafts import NEW, Drafts
from app.store.errors import ConflictError
from app.store.fields import KIND_INFO, Kind
from app.store.json_types import Json
from app.store.records import Record
from app.store.store import Listed

KEEP_DRAFTS_AFTER_MS = 400


@dataclass(eq=False)
class Entry:
    """One row of a page.

    Attributes:
        key: Identity in this session, the same before and after the record is first stored.
        base: The record as last read. None while it was never stored, and until `RecordBook.entry` asks for it.
        changes: Field key to value, for what differs from `base` and is not saved.
        moved: Someone else changed the record while there were unsaved changes.
        listed: Its title and version as last read; None while it was never stored.
    """

    key: str
    base: Record | None
    changes: dict[str, Json] = field(default_factory=dict)
    moved: bool = False
    listed: Listed | None = None

    def __post_init__(self) -> None:
        if self.base is not None:
            self.take(self.base)

    def take(self, record: Record | None) -> None:
        """Says what is stored now."""
        self.base = record
        self.listed = Listed(record.id, record.title, record.version) if record is not None else None


class RecordBook(QObject):
    """The records of one kind, in memory, each with what was changed and not saved."""

    values_changed = Signal(str)
    """The values of the entry of that key are different now."""
    entries_changed = Signal()
    """There are other entries now, or they have other titles."""
    revealed = Signal(str)
    """Something happened to the entry of that key that the person should see."""

    def __init__(self, services: PageServices, kind: Kind) -> None:
        super().__init__()
        self.info = KIND_INFO[kind]
        self.store = services.store
        self._drafts = services.drafts
        self._undo = services.undo
        self._entries: dict[str, Entry] = {}
        self._unkept: set[str] = set()
        self._stamp: Hashable = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(KEEP_DRAFTS_AFTER_MS)
        self._timer.timeout.connect(self.keep_drafts)
        self.refresh()
        self._restore_drafts()

    # -- reading

    def order(self) -> tuple[str, ...]:
        """The keys of all entries, oldest first."""
        return tuple(self._entries)

    def entry(self, key: str) -> Entry:
        """The entry of that key, with its record.

        Raises:
            ToolError: There is none any more.
        """
        found = self._entries.get(key)
        if found is not None and found.base is None and found.listed is not None:
            record = self.store.find(self.info.kind, found.listed.id)
            if record is None:
                self.refresh()
                found = None
            elif not self._rebase(found, record):
                found.take(record)
        if found is None:
            raise ToolError(f"The {self.info.noun} is no longer there.")
        return found

    def values(self, key: str) -> dict[str, Json]:
        """The values as the form shows them."""
        entry = self.entry(key)
        return {**_stored_values(entry, self), **entry.changes}

    def title(self, key: str) -> str:
        """What lists call it; its record need not be read for that."""
        entry = self._known(key)
        name = self.info.title_key
        title = entry.changes.get(name, "" if entry.listed is None else entry.listed.title)
        return str(title).strip() or (f"New {self.info.noun}" if entry.listed is None else "Untitled")

    def is_edited(self, key: str) -> bool:
        """Whether there is something to save."""
        entry = self._known(key)
        return entry.listed is None or bool(entry.changes)

    def _known(self, key: str) -> Entry:
        found = self._entries.get(key)
        return found if found is not None else self.entry(key)

    # -- changing, each of which is recorded in the undo log

    def edit(self, key: str, name: str, value: Json) -> None:
        """Sets one field, without storing it."""
        before = self.values(key)[name]
        if before == value:
            return
        self.put(key, name, value)
        latest = self._undo.latest()
        if isinstance(latest, FieldChange) and latest.is_of(self, key, name):
            latest.after = value
        else:
            self._undo.record(FieldChange(self, key, name, before, value))

    def create(self) -> str:
        """Adds an entry for a new record that is not stored yet, and returns its key."""
        # Unique among all windows on this database, so that no draft overwrites another.
        entry = Entry(f"{NEW}-{uuid.uuid4().hex}", None)
        self.add(entry)
        self._undo.record(CreatedChange(self, entry))
        return entry.key

    def save(self, key: str) -> Record:
        """Stores what was changed in this entry, and nothing else.

        Raises:
            InvalidFieldsError: Values that their fields refuse; nothing is stored.
            ConflictError: Someone else changed the record; nothing is stored, and the entry shows both.
            StoreError: It can't be stored.
            ToolError: There is nothing to save.
        """
        entry = self.entry(key)
        if not self.is_edited(key):
            raise ToolError("There is nothing to save: no field was changed.")
        before = entry.base
        try:
            if before is None:
                stored = self.store.save(self.info.kind, None, self.values(key))
            else:
                stored = self.store.save(self.info.kind, before.id, entry.changes, version=before.version)
        except ConflictError as error:
            if error.current is not None:
                self._rebase(entry, error.current)
            raise
        change = SavedChange(self, key, before, stored, dict(entry.changes))
        self.settle(key, stored, {})
        self._undo.record(change)
        return stored

    def discard(self, key: str) -> None:
        """Drops what was changed and not saved; an entry that was never stored goes altogether.

        Raises:
            ToolError: There is nothing to discard.
        """
        entry = self.entry(key)
        if not self.is_edited(key):
            raise ToolError("There is nothing to discard: no field was changed.")
        if entry.base is None:
            self._drop_new(entry)
            return
        change = DiscardedChange(self, key, dict(entry.changes))
        self.settle(key, entry.base, {})
        self._undo.record(change)

    def delete(self, key: str) -> None:
        """Moves the record to the bin.

        Raises:
            StoreError: Someone else changed or deleted it, or the database failed.
        """
        entry = self.entry(key)
        if entry.base is None:
            self._drop_new(entry)
            return
        try:
            deleted = self.store.delete(self.info.kind, entry.base.id, version=entry.base.version)
        except ConflictError as error:
            if error.current is not None:
                self._rebase(entry, error.current)
            raise
        position = self.remove(key)
        self._undo.record(DeletedChange(self, entry, position, deleted))

    def _drop_new(self, entry: Entry) -> None:
        self._undo.record(DeletedChange(self, entry, self.remove(entry.key), None))

    # -- the steps that changes are made of: never recorded

    def put(self, key: str, name: str, value: Json) -> None:
        """Sets one field in memory."""
        entry = self.entry(key)
        if _stored_values(entry, self)[name] == value:
            entry.changes.pop(name, None)
        else:
            entry.changes[name] = value
        self._touched(key)
        self.entries_changed.emit()

    def settle(self, key: str, base: Record | None, changes: Mapping[str, Json]) -> None:
        """Says what is stored and what is not saved."""
        entry = self.entry(key)
        if entry.base is not None and base is None:
            self._forget_draft(entry.base.id)
        elif entry.base is None and base is not None:
            self._forget_draft(key)
        entry.take(base)
        entry.changes, entry.moved = dict(changes), False
        self._touched(key)
        self.entries_changed.emit()

    def add(self, entry: Entry, position: int | None = None) -> None:
        """Adds an entry, at a position or at the end."""
        items = list(self._entries.items())
        items.insert(len(items) if position is None else position, (entry.key, entry))
        self._entries = dict(items)
        self._touched(entry.key)
        self.entries_changed.emit()
        self.revealed.emit(entry.key)

    def remove(self, key: str) -> int:
        """Takes an entry out, and returns the position it had."""
        entry = self.entry(key)
        position = list(self._entries).index(key)
        del self._entries[key]
        self._forget_draft(entry.base.id if entry.base is not None else key)
        self.entries_changed.emit()
        return position

    # -- what is stored may be changed by others

    def refresh(self) -> bool:
        """Reads what is different since the last time; what was changed here and not saved stays.

        Titles only: a record is read when it is asked for. Says whether anything was different.
        """
        stamp = self.store.stamp(self.info.kind)
        if stamp == self._stamp:
            return False
        self._stamp = stamp
        stored = {each.id: each for each in self.store.listed(self.info.kind)}
        known = {entry.listed.id: entry for entry in self._entries.values() if entry.listed is not None}
        changed = False
        for record_id, entry in known.items():
            if record_id in stored:
                changed |= self._follow(entry, stored[record_id])
            elif not entry.changes:
                del self._entries[entry.key]
                changed = True
        for record_id, listed in stored.items():
            if record_id not in known:
                self._entries[record_id] = Entry(record_id, None, listed=listed)
                changed = True
        if changed:
            self.entries_changed.emit()
        return changed

    def _follow(self, entry: Entry, listed: Listed) -> bool:
        """Takes over what is stored now, if it is another version. Says whether it is."""
        if entry.listed is not None and entry.listed.version == listed.version:
            return False
        if entry.changes and (record := self.store.find(self.info.kind, listed.id)) is not None:
            return self._rebase(entry, record)
        entry.base, entry.listed = None, listed
        self.values_changed.emit(entry.key)
        return True

    def _rebase(self, entry: Entry, record: Record) -> bool:
        """Takes over what is stored now. Says whether anything is different."""
        if entry.listed is not None and entry.listed.version == record.version:
            return False
        entry.take(record)
        entry.changes = {name: value for name, value in entry.changes.items() if record.fields[name] != value}
        entry.moved = bool(entry.changes)
        self._touched(entry.key)
        return True

    # -- unsaved changes are kept over a restart

    def reset(self) -> None:
        """Drops what was changed and not saved in this session, and reads everything again."""
        self._timer.stop()
        self._unkept.clear()
        self._entries.clear()
        self._stamp = None
        self.refresh()
        self._restore_drafts()
        self.entries_changed.emit()

    def keep_drafts(self) -> None:
        """Writes unsaved changes to the store now, without waiting for the pause after typing."""
        self._timer.stop()
        if self._drafts is None:
            return
        for key in tuple(self._unkept):
            entry = self._entries.get(key)
            if entry is not None:
                self._keep_draft(self._drafts, entry)
            self._unkept.discard(key)

    def _keep_draft(self, drafts: Drafts, entry: Entry) -> None:
        record_id, version = (entry.listed.id, entry.listed.version) if entry.listed is not None else (entry.key, None)
        if self.is_edited(entry.key):
            drafts.save(self.info.kind, record_id, entry.changes, base_version=version)
        else:
            drafts.discard(self.info.kind, record_id)

    def _forget_draft(self, record_id: str) -> None:
        if self._drafts is not None:
            self._drafts.discard(self.info.kind, record_id)

    def _touched(self, key: str) -> None:
        self.values_changed.emit(key)
        if self._drafts is not None:
            self._unkept.add(key)
            self._timer.start()

    def _restore_drafts(self) -> None:
        if self._drafts is None:
            return
        known = {name.key for name in self.info.fields}
        for draft in self._drafts.load():
            if draft.kind != self.info.kind:
                continue
            changes = {name: _plain(value) for name, value in draft.fields.items() if name in known}
            entry = self._entries.get(draft.record_id)
            if entry is not None:
                entry.changes = changes
                entry.moved = entry.listed is not None and entry.listed.version != draft.base_version
            elif draft.record_id.startswith(NEW):
                self._entries[draft.record_id] = Entry(draft.record_id, None, changes)
        self.entries_changed.emit()


def _stored_values(entry: Entry, book: RecordBook) -> Mapping[str, Json]:
    return entry.base.fields if entry.base is not None else book.info.initial()


def _plain(value: Json) -> Json:
    """Lists as records hold them."""
    return tuple(value) if isinstance(value, list) else value
