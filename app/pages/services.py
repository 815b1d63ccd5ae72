"""What every page is given."""

from __future__ import annotations

from dataclasses import dataclass

from app.qtbridge.undo import UndoLog
from app.store.drafts import Drafts
from app.store.store import Store
from app.widgets.context import VoiceContext


@dataclass(frozen=True, slots=True)
class PageServices:
    """What every page is given.

    Attributes:
        store: The person's records.
        drafts: Keeps unsaved changes over a restart, or None where nothing of that kind should be kept.
        undo: Takes each change a page makes.
        voice: Where the pages' widgets register. Its `record` should be `undo.record`.
    """

    store: Store
    drafts: Drafts | None
    undo: UndoLog
    voice: VoiceContext
