"""Any history of edits, saves, deletions and discards is undone to the beginning and redone to the end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication

from app.agent.errors import ToolError
from app.agent.registry import Registry
from app.pages.book import RecordBook
from app.pages.services import PageServices
from app.qtbridge.undo import UndoLog
from app.store.database import Database
from app.store.drafts import Drafts
from app.store.errors import StoreError
from app.store.store import Store
from app.widgets.context import VoiceContext

Step = tuple[str, int, str]

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["edit", "edit", "save", "save", "discard", "delete", "new", "utterance"]),
        st.integers(0, 3),
        # A name that is empty is refused when it is saved.
        st.sampled_from(["", "Ada", "Grace", "Edsger"]),
    ),
    min_size=1,
    max_size=14,
)


def picture(book: RecordBook, store: Store) -> object:
    """Everything that can be seen: what is stored, in the bin or not, and what the forms hold."""
    stored = {(each.id, each.in_bin, each.fields["name"]) for each in (*store.list("speaker"), *store.bin("speaker"))}
    forms = [(book.values(key)["name"], book.is_edited(key), book.entry(key).base is None) for key in book.order()]
    return stored, forms


def take(book: RecordBook, undo: UndoLog, step: Step, run: int) -> None:
    what, position, name = step
    keys = book.order()
    if what == "new" or not keys:
        book.create()
        return
    key = keys[position % len(keys)]
    does: dict[str, Callable[[], object]] = {
        "edit": lambda: book.edit(key, "name", name),
        "save": lambda: book.save(key),
        "discard": lambda: book.discard(key),
        "delete": lambda: book.delete(key),
    }
    if what == "utterance":
        undo.begin(str(run), "change and save")
        book.edit(key, "name", name or "Barbara")
        if book.is_edited(key):
            book.save(key)
        undo.end(str(run))
        return
    try:
        does[what]()
    except (ToolError, StoreError):
        # Refused, and nothing changed: part of any history.
        return


@settings(max_examples=25, deadline=None)
@given(steps=STEPS)
def test_undone_to_the_beginning_and_redone_to_the_end(qapp: QCoreApplication, steps: list[Step]) -> None:
    assert qapp is not None
    with TemporaryDirectory() as folder:
        database = Database.open(f"sqlite:///{Path(folder) / 'records.db'}").database
        store, undo = Store(database), UndoLog()
        for name in ("One", "Two"):
            store.save("speaker", None, {"name": name})
        drafts = Drafts(database)
        book = RecordBook(PageServices(store, drafts, undo, VoiceContext(Registry(), undo.record)), "speaker")
        begin = picture(book, store)
        for run, step in enumerate(steps):
            take(book, undo, step, run)
        end = picture(book, store)
        done = 0
        while undo.undo_text:
            undo.undo()
            done += 1
        assert picture(book, store) == begin
        for _ in range(done):
            undo.redo()
        assert picture(book, store) == end
        book.keep_drafts()
        again = RecordBook(PageServices(store, drafts, undo, VoiceContext(Registry(), undo.record)), "speaker")
        kept = {(again.values(key)["name"], again.is_edited(key)) for key in again.order()}
        assert kept == {(book.values(key)["name"], book.is_edited(key)) for key in book.order()}
        again.keep_drafts()
        undo.deleteLater()
        database.close()
