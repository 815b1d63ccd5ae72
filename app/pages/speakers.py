"""The Speakers page."""

from __future__ import annotations

from app.pages.record_page import RecordPage
from app.pages.services import PageServices


class SpeakersPage(RecordPage):
    """People who give talks."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(
            services,
            "speaker",
            "People go here: yourself, and those you give talks with, each with a biography to reuse.",
        )
