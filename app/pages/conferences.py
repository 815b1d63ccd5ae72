"""The Conferences page."""

from __future__ import annotations

from app.pages.record_page import RecordPage
from app.pages.services import PageServices


class ConferencesPage(RecordPage):
    """Events, and when their calls for papers close."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(
            services,
            "conference",
            "Conferences you follow go here, with the day on which their call for papers closes.",
        )
