"""What can go wrong with the data, in sentences a person can act on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store.records import Record


class StoreError(Exception):
    """The database can't do what was asked. `str()` is one readable sentence without addresses or secrets."""


class NewerDatabaseError(StoreError):
    """The database was written by a newer version of Greenroom. Nothing in it was touched."""


class NotFoundError(StoreError):
    """The record does not exist, or no longer does."""


class ConflictError(StoreError):
    """Someone else changed the record since it was read; nothing was written.

    Attributes:
        current: The record as it is now, or None where it is gone.
    """

    def __init__(self, message: str, current: Record | None) -> None:
        super().__init__(message)
        self.current = current


class InvalidFieldsError(StoreError):
    """Values that their fields refuse; nothing was written.

    Attributes:
        errors: Field key to a sentence that says what the field accepts.
    """

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(errors.values()))
        self.errors = dict(errors)
