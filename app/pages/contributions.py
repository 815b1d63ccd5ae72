"""The Contributions page: the living talks, and where each was submitted."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from app.agent.errors import ToolError
from app.pages.changes import SubmittedChange
from app.pages.record_page import RecordPage
from app.pages.services import PageServices
from app.pages.submit_dialog import SubmitDialog
from app.store.records import Record
from app.widgets.command_button import CommandButton


class ContributionsPage(RecordPage):
    """The living talks."""

    def __init__(self, services: PageServices) -> None:
        self.submissions = QLabel()
        super().__init__(
            services, "contribution", "The talks you give go here. Each keeps its text, and where you sent it."
        )
        self.submissions.setWordWrap(True)
        self.submissions.setAccessibleName("Submissions")
        self.form.add_line("Submitted to", self.submissions)
        self.submit = CommandButton("Submit to conference", "submit", self._submit, self._effect_of_submit)
        self.add_button(self.submit, "Ctrl+Shift+S")
        self.on_entry_shown()

    def on_entry_shown(self) -> None:
        """Shows where the contribution was submitted."""
        entry = self.book.entry(self.key) if self.key else None
        if entry is None or entry.base is None:
            self.submissions.setText("No conference yet")
            return
        made = self.services.store.submitted_to(entry.base.id)
        lines = [f"{each.conference} ({each.status})" for each in made]
        self.submissions.setText(", ".join(lines) or "No conference yet")

    def _submit(self) -> str:
        entry = self.book.entry(self.require_key())
        if entry.base is None:
            raise ToolError("Save the new contribution first: what is stored is what is submitted.")
        conferences = self.services.store.list("conference")
        if not conferences:
            raise ToolError("There is no conference to submit to yet. Add one on the Conferences page first.")
        dialog = SubmitDialog(self, self.services, entry.base, conferences, unsaved=bool(entry.changes))
        dialog.submitted.connect(self._on_submitted)
        # Never exec(): the dialog is answered by the same voice, mouse or keyboard as the page.
        dialog.open()
        return "Choose the conference, then press Submit."

    def _effect_of_submit(self) -> str:
        return (
            f"Asks for the conference to submit “{self.selected_title}” to."
            if self.key
            else "There is no contribution."
        )

    def _on_submitted(self, made: Record) -> None:
        self.services.undo.record(SubmittedChange(self.services.store, made, self.on_entry_shown))
        self.on_entry_shown()
        self.heading.say(f"Submitted: {made.title}.")
