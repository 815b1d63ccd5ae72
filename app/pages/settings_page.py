"""The Settings page: all settings, what is kept and allowed, and behind them the recent requests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSizePolicy, QStackedWidget

from app.agent.json_types import Json
from app.pages.activity_view import ActivityView
from app.pages.api_key_row import ApiKeyRow
from app.pages.background import Background
from app.pages.corrections_section import CorrectionsSection
from app.pages.editors import Editor
from app.pages.grants_section import GrantsSection
from app.pages.kept_utterances import KeptUtterances
from app.pages.live_corrections import LiveCorrections
from app.pages.live_settings import LiveSettings
from app.pages.sample_data import SampleDataRow
from app.pages.services import PageServices
from app.pages.setting_row import Listings
from app.pages.settings_form import SettingsForm
from app.pages.settings_layout import Extra, put_tabs_in_order, scrolling, under_heading
from app.pages.speech_models import SpeechModels
from app.pages.spoken_language import SpokenLanguageNote
from app.settings import KeyStore
from app.store.database import Database
from app.store.grants import Grants
from app.store.traces import Traces
from app.widgets.command_button import CommandAdapter, CommandButton
from app.widgets.views import ScrollAdapter

if TYPE_CHECKING:
    from app.agent.commands.corrections import Corrections
    from app.qtbridge.model_work import ModelWork

_LOOKS = "Reads the list of microphones again."
_SHOWS = "Shows what each request did, step by step."


class SettingsPage(QStackedWidget):
    """The settings in front, the recent requests behind them.

    Args:
        services: Registry and undo log.
        live: The settings.
        keys: Keeps the key for the model server.
        listings: What is on this machine.
        models: Gets, removes and measures speech models.
        database: For the sample data, what is always allowed, and the recent requests.
        corrections: Gives what is remembered of words put right; called in a thread.
    """

    page_name = "Settings"
    key_changed = Signal()
    """There is another API key now, or none."""
    microphones_wanted = Signal()
    """The person wants to see what is plugged in now: whoever holds a microphone open should look again."""

    def __init__(
        self,
        services: PageServices,
        live: LiveSettings,
        keys: KeyStore,
        listings: Listings,
        models: ModelWork,
        database: Database,
        corrections: Callable[[], Corrections],
    ) -> None:
        super().__init__()
        self._live = live
        self._listings = listings
        self._background = Background(self)
        self._background.done.connect(self._on_listed)
        voice = services.voice.without_undo()
        self.api_key = ApiKeyRow(keys, self._base_url, self._background)
        self.api_key.key_changed.connect(self.key_changed)
        self.sample_data = SampleDataRow(services.voice, database)
        self.speech_models = SpeechModels(models, voice, self._model_in_use, self._use_model)
        self.speech_models.models_changed.connect(self._list_models)
        self.kept = KeptUtterances(live)
        self._corrections = LiveCorrections(corrections, self._background, services.undo, self)
        self.corrections = CorrectionsSection(self._corrections, voice)
        self.corrections.rows_changed.connect(self._put_tabs_in_order)
        self.grants = GrantsSection(Grants(database))
        self.activity = ActivityView(Traces(database), self._background, voice)
        self.activity.left.connect(self._show_settings)
        look_again = CommandButton("Look again", "", self._look_for_microphones, partial(str, _LOOKS))
        CommandAdapter(look_again, voice, label="Look for microphones", aliases=("refresh microphones",))
        look_again.setAccessibleName("Look for microphones again")
        self.show_activity = CommandButton("Show recent requests", "", self._open_activity, partial(str, _SHOWS))
        self.show_activity.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        CommandAdapter(self.show_activity, voice, aliases=("activity", "recent requests"))
        self._form = SettingsForm(
            live,
            voice,
            (
                Extra("Voice", self.kept, "Keep recordings", self.kept.choose_button),
                Extra("Voice", under_heading("Remembered corrections", self.corrections)),
                Extra("Voice", under_heading("Speech models", self.speech_models)),
                Extra("Assistant", self.api_key, "API key", self.api_key.edit),
                Extra("Policies", self.grants, "Always allowed"),
                Extra("Recent requests", self.show_activity),
                Extra("Data", self.sample_data),
            ),
            {"voice.device": look_again},
        )
        SpokenLanguageNote(self._form.note("voice.language"), live, models)
        self._scroll = scrolling(self._form, self.page_name)
        ScrollAdapter(self._scroll, services.voice)
        self.setAccessibleName(self.page_name)
        self.setFocusProxy(self._form.editor("voice.push_to_talk_key").widget)
        self.addWidget(self._scroll)
        self.addWidget(self.activity)
        live.changed.connect(self.speech_models.refresh)
        # Their rows are made last, and stand in the middle.
        models.listed.connect(self._put_tabs_in_order)

    def current_state(self) -> dict[str, Json]:
        """The page and its values by label. The API key is not among them."""
        return {"page": self.page_name, "fields": self._form.values()}

    def editor(self, key: str) -> Editor:
        """The editor of a setting, by section and name ("voice.rate")."""
        return self._form.editor(key)

    def error(self, key: str) -> str:
        """What is said about a setting, such as what is wrong with it, or an empty string."""
        return self._form.note(key).text()

    def close_down(self) -> None:
        """Waits for what runs in the background."""
        self._background.finish()

    @Slot(str)
    def show_sending_problem(self, problem: str) -> None:
        """Says that recent requests could not be sent to their collector, and why; an empty text: that they are."""
        self._form.note("tracing.endpoint").say(
            f"Recent requests can't be sent: {problem}" if problem else "The last request was sent.",
            "danger" if problem else "muted",
        )

    @Slot()
    def refresh(self) -> None:
        """A request has ended: what it was, and what is always allowed since."""
        if self.isVisible():
            self.grants.refresh()
            self._corrections.look()
            self._put_tabs_in_order()
            self.activity.refresh()

    def showEvent(self, event: QShowEvent, /) -> None:
        """What is on this machine may be different since; and one comes here for the settings."""
        super().showEvent(event)
        if not event.spontaneous():
            self._show_settings()
        for key, listing in self._listings.by_key().items():
            self._background.start(key, listing)
        self.speech_models.refresh()
        self._corrections.look()
        self.grants.refresh()
        self.api_key.refresh()

    # -- one or the other

    @Slot()
    def _show_settings(self) -> None:
        if self.currentWidget() is self.activity:
            self.setCurrentWidget(self._scroll)
            self.show_activity.setFocus()

    def _open_activity(self) -> str:
        self.setCurrentWidget(self.activity)
        return "The recent requests are shown."

    # -- what is on this machine

    @Slot()
    def list_microphones(self) -> None:
        """Reads the list of microphones again, if anybody looks."""
        if self.isVisible():
            self._background.start("voice.device", self._listings.microphones)

    def _look_for_microphones(self) -> str:
        self.microphones_wanted.emit()
        self.list_microphones()
        return "The list of microphones is read again."

    @Slot()
    def _list_models(self) -> None:
        self._background.start("voice.model", self._listings.models)

    def _on_listed(self, key: str, result: object) -> None:
        if key in self._listings.by_key():
            assert isinstance(result, Sequence)
            self._form.offer(key, result)

    @Slot()
    def _put_tabs_in_order(self) -> None:
        put_tabs_in_order(self._form)

    def _base_url(self) -> str:
        return self._live.settings.assistant.base_url

    def _model_in_use(self) -> str:
        return self._live.settings.voice.model

    def _use_model(self, name: str) -> None:
        self._live.change("voice", "model", name)
