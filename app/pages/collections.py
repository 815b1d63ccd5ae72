"""The Collections page."""

from __future__ import annotations

from app.pages.record_page import RecordPage
from app.pages.services import PageServices


class CollectionsPage(RecordPage):
    """Named sets of contributions."""

    def __init__(self, services: PageServices) -> None:
        super().__init__(
            services, "collection", "Sets of contributions go here, such as those for one audience or one season."
        )
