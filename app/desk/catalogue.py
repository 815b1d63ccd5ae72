"""How each page is made, and what else it is called."""

from __future__ import annotations

from collections.abc import Mapping

from app.desk.shell import NAVIGATION
from app.main_window import PageFactory
from app.pages.collections import CollectionsPage
from app.pages.conferences import ConferencesPage
from app.pages.contributions import ContributionsPage
from app.pages.services import PageServices
from app.pages.speakers import SpeakersPage
from app.store.fields import KIND_INFO

_SETTINGS_ALIASES = ("preferences", "options")


def page_factories(services: PageServices, settings_page: PageFactory) -> Mapping[str, PageFactory]:
    """How each page is made when it is first opened."""
    return {
        "Contributions": lambda: ContributionsPage(services),
        "Conferences": lambda: ConferencesPage(services),
        "Speakers": lambda: SpeakersPage(services),
        "Collections": lambda: CollectionsPage(services),
        "Settings": settings_page,
    }


def page_aliases() -> dict[str, list[str]]:
    """Other words for each page."""
    shown = {item.name for item in NAVIGATION}
    aliases = {info.page: list(info.aliases) for info in KIND_INFO.values() if info.page in shown}
    return {**aliases, "Settings": list(_SETTINGS_ALIASES)}
