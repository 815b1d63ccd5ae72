"""Settings and database: what the rest stands on, found and opened without Qt, in whichever thread."""

from __future__ import annotations

from dataclasses import dataclass

from app.desk.options import DeskOptions
from app.desk.settings_found import SettingsFound, find_settings
from app.settings import Settings, SettingsFile
from app.store.database import Database
from app.store.samples import seed_samples


@dataclass(frozen=True, slots=True)
class Foundations:
    """What a desk is built on.

    Attributes:
        file: Where settings are kept; `stored` is what it has.
        settings: The settings as they count.
        database: Open, with its schema in place; whoever builds on it closes it.
        notices: Sentences for the person about what was found.
    """

    file: SettingsFile
    stored: Settings
    settings: Settings
    database: Database
    notices: tuple[str, ...]


def lay_foundations(options: DeskOptions, found: SettingsFound | None = None) -> Foundations:
    """Opens the database, and adds the sample records where they are wanted.

    Args:
        options: What the command line says.
        found: The settings, where they have been read already.

    Raises:
        StoreError: The database can't be opened.
    """
    found = found or find_settings(options)
    opened = Database.open(options.database_url or found.settings.data.database_url or None)
    if options.sample_data:
        seed_samples(opened.database)
    notices = tuple(notice for notice in (found.notice, opened.notice) if notice)
    return Foundations(found.file, found.stored, found.settings, opened.database, notices)
