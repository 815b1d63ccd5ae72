"""Builds one running Greenroom from its parts, and takes it down in the reverse order. No logic of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pydantic import SecretStr
from PySide6.QtCore import QObject, Slot

from app.agent.errors import ToolError
from app.agent.events import Event, RunFailed, RunFinished, UtteranceReceived
from app.agent.journal import Journal, MemoryJournal
from app.agent.json_types import Json
from app.agent.loop import EngineOptions
from app.agent.ranking import register_find_tools
from app.agent.registry import Registry
from app.agent.snapshot import Snapshot
from app.desk.after_ready import AfterReady
from app.desk.backends import Backends, DeferredBackend
from app.desk.catalogue import page_aliases, page_factories
from app.desk.conversation import ConversationLease
from app.desk.dictation import Dictation
from app.desk.foresight import Foresight
from app.desk.foundations import Foundations, lay_foundations
from app.desk.late import help_text, instructions, parse_answer, phrases_of
from app.desk.options import DeskOptions, look_of, with_options
from app.desk.outline import Outline
from app.desk.shell import Shell
from app.desk.spoken_words import SpokenWords
from app.desk.tracing import Tracing
from app.pages.app_tools import AppTools
from app.pages.background import Background
from app.pages.live_settings import LiveSettings
from app.pages.record_page import RecordPage
from app.pages.services import PageServices
from app.pages.settings_page import SettingsPage
from app.qtbridge.engine_bridge import EngineBridge
from app.qtbridge.gui_host import GuiHost
from app.qtbridge.gui_thread import GuiThread
from app.qtbridge.undo import UndoLog
from app.settings import KeyStore, Settings, with_environment
from app.settings.model import ANY_LANGUAGE
from app.store.drafts import Drafts
from app.store.grants import Grants
from app.store.journal import SqlJournal
from app.store.store import Store
from app.widgets.context import VoiceContext
from app.widgets.highlight import Highlight
from app.widgets.modality import blocking_dialog
from app.widgets.numbers import NumbersOverlay

if TYPE_CHECKING:
    from app.desk.utterance_keeping import UtteranceKeeping
    from app.desk.voice import VoiceDesk
    from app.voice.recogniser_process import RecogniserProcess
    from app.voice.sound_system import SoundSystem

_SUGGESTIONS = 5
_USUAL_LANGUAGE = "en"
"""Of what is shown as an example, where the spoken language isn't known before somebody speaks."""
_KEY = "key"
_PHRASES = "phrases"
_WARM_UP = "warm-up"


class Desk(QObject):
    """Everything of one running Greenroom."""

    def __init__(
        self,
        options: DeskOptions,
        sound: SoundSystem | None = None,
        *,
        shell: Shell | None = None,
        foundations: Foundations | None = None,
        recogniser: RecogniserProcess | None = None,
    ) -> None:
        """Builds it.

        Args:
            options: What the command line says.
            sound: The sound devices; by default those of this machine.
            shell: The window, where it is shown already.
            foundations: Settings and database, where they are open already; `close` closes them.
            recogniser: The process that recognises speech, where it was started ahead; `close` ends it.

        Raises:
            StoreError: The database can't be opened.
        """
        super().__init__()
        self._sound = sound
        self._recogniser = recogniser
        self._options = options
        self._started = False
        self._backends = Backends()
        self._last_run = ""
        self._keys = KeyStore()
        ground = foundations or lay_foundations(options)
        self.settings, self.database, self.notices = ground.settings, ground.database, list(ground.notices)
        shell = shell or Shell(look_of(self.settings))
        shell.use(look_of(self.settings))
        self._shell, self.panel, self.window = shell, shell.panel, shell.window
        self.gui = GuiThread(self)
        self._background = Background(self)
        self.undo = UndoLog(self)
        self._live = LiveSettings(ground.file, ground.stored, self.undo, self)
        self.registry = Registry(screen=self.screen)
        self.dictation = Dictation(self.undo, self._place, self._spoken_language, self)
        self._foresight = Foresight(self.registry.snapshot, self._spoken_language, self)
        self.services = PageServices(
            Store(self.database),
            Drafts(self.database) if options.interactive else None,
            self.undo,
            VoiceContext(self.registry, self.undo.record, language=self._spoken_language, dictate=self.dictation.begin),
        )
        self.window.use_pages(page_factories(self.services, self._make_settings_page))
        self._tracing = Tracing(self.database if options.interactive else None, self.settings, self)
        if self._tracing.problem:
            self.notices.append(self._tracing.problem)
        self.lease = ConversationLease() if options.interactive else None
        journal: Journal = SqlJournal(self.database, self.lease.name) if self.lease else MemoryJournal()
        self.bridge = EngineBridge(
            self.gui,
            GuiHost(self.gui, self.registry, self.undo),
            self._deferred(key=None),
            journal,
            parse_answer,
            self._engine_options(),
            grants=Grants(self.database) if options.interactive else None,
            observe=self._tracing.tracer.take,
            language=self._spoken_language,
        )
        self.highlight = Highlight(self.window, self.registry)
        self._outline = Outline(self.highlight)
        self._words = SpokenWords(self.panel, self.dictation, self._foresight, self._outline)
        self.numbers = NumbersOverlay(self.window, self.registry)
        self._tools = AppTools(
            pages=lambda: self.window.page_names,
            open_page=self.open_page,
            undo=self.undo,
            help_text=lambda: help_text(self.registry.snapshot(), self._spoken_language()),
            show_numbers=self.numbers.show_numbers,
        )
        self._tools_handle = self.registry.register_instance(self._tools, label="", state=self._tools.state)
        self._finder_handle = register_find_tools(self.registry)
        self._dictation_handle = self.registry.register_instance(self.dictation, label="")
        self._connect()
        self.window.open_first_page()
        if not options.interactive:
            self._use_backend(self._find_key())

    @cached_property
    def voice(self) -> VoiceDesk:
        """Listening and speaking; made when first needed, after the window has painted."""
        from app.desk.expecting import ScreenExpectation
        from app.desk.voice import VoiceDesk

        voice = VoiceDesk(
            self.settings.voice,
            self.window,
            self.panel,
            self._sound,
            listen_in=self.keeping.recogniser,
            expectation=ScreenExpectation(self.registry.snapshot, self._expects_commands),
            process=self._recogniser,
        )
        voice.utterance_transcribed.connect(self._tracing.transcribed)
        self._words.listen_to(voice)
        return voice

    @cached_property
    def keeping(self) -> UtteranceKeeping:
        """Keeps what is said and done, where the person in front of the window wants it; made with the voice."""
        from app.desk.utterance_keeping import UtteranceKeeping

        keeping = UtteranceKeeping(self.registry, self.bridge, self)
        if self._options.interactive:
            keeping.configure(self.settings.voice)
        return keeping

    def start(self) -> None:
        """Begins what may wait until the window has painted: voice, and what the last session left open."""
        for notice in self.notices:
            self.panel.show_notice(notice, "")
        self._started = True
        self.choose_backend()
        self.voice.start()
        self.resume()
        # Reading the grammar and loading the speech model both want the interpreter: one after the other.
        AfterReady(self.voice.listening.ready, self._make_ready, self.window)

    def _make_ready(self) -> None:
        self._background.start(_WARM_UP, partial(self._backends.warm_up, self.registry.snapshot()))
        self._on_page_shown(self.window.page_name)
        self.window.prepare_pages()

    def resume(self) -> None:
        """Takes up what the last window left open; one that is open beside this one keeps what is its own."""
        if self.lease is not None and self.lease.goes_on:
            self.bridge.resume()

    def choose_backend(self) -> None:
        """Takes the backend that the settings ask for. The key may have to be unlocked, so another thread waits."""
        self._background.start(_KEY, self._find_key)

    def _find_key(self) -> SecretStr | None:
        found = self._keys.key(self.settings.assistant.base_url)
        return found.secret if found else None

    def screen(self) -> Mapping[str, Json]:
        """What belongs to no widget: see `Snapshot.screen`."""
        page = self.window.page
        record = page if isinstance(page, RecordPage) else None
        dialog = blocking_dialog(self.window)
        return {
            "page": self.window.page_name,
            "pages": list(self.window.page_names),
            "page_aliases": page_aliases(),
            "selected": record.selected_title if record else "",
            "selected_id": record.key if record else "",
            "dialog": dialog.windowTitle() if dialog else "",
            "undoable": self.undo.undo_text,
        }

    def _place(self) -> tuple[Json, Json]:
        screen = self.screen()
        return screen["page"], screen["selected_id"]

    def _spoken_language(self) -> str:
        language = self.settings.voice.language
        return _USUAL_LANGUAGE if language == ANY_LANGUAGE else language

    def _expects_commands(self) -> bool:
        # The likely sentences of a screen are English ones.
        english = self.settings.voice.language == "en"
        return english and self.settings.assistant.backend != "openai" and not self.dictation.active

    def screen_state(self) -> Mapping[str, Json]:
        """The page and its fields by label, for the command line."""
        page = self.window.page
        if isinstance(page, RecordPage | SettingsPage):
            return page.current_state()
        return {"page": self.window.page_name, "fields": {}}

    def open_page(self, name: str) -> None:
        """Brings a page to the front.

        Raises:
            ToolError: There is no such page.
        """
        if name not in self.window.page_names:
            raise ToolError(f"There is no page {name}. There are: {', '.join(self.window.page_names)}.")
        self.window.open_page(name)
        page = self.window.page
        if page is not None:
            page.setFocus()

    def start_afresh(self, page: str) -> None:
        """Drops unsaved changes and selections, and opens a page with its first record."""
        self.dictation.end()
        self.undo.clear()
        for made in self.window.pages_made():
            if isinstance(made, RecordPage):
                made.reset()
        self.open_page(page)

    def close(self) -> None:
        """Keeps unsaved changes, ends the threads, closes the database."""
        for page in self.window.pages_made():
            if isinstance(page, RecordPage | SettingsPage):
                page.close_down()
        self.dictation.end()
        self._background.done.disconnect(self._on_background_done)  # nobody waits for what comes from now on
        self._background.finish()
        self._foresight.close()
        self.bridge.shutdown()
        if "voice" in self.__dict__:  # it was made
            self.voice.shutdown()
            self.keeping.close()
        if self._recogniser is not None:
            self._recogniser.close()
        self._tools_handle.dispose()
        self._finder_handle.dispose()
        self._dictation_handle.dispose()
        self.window.close()
        self.window.deleteLater()
        self._tracing.close()
        self.database.close()
        if self.lease is not None:
            self.lease.release()

    def _connect(self) -> None:
        panel, bridge = self.panel, self.bridge
        bridge.happened.connect(panel.handle_event)
        bridge.happened.connect(self._on_event)
        panel.text_submitted.connect(bridge.submit_text)
        panel.decided.connect(bridge.decide)
        panel.edited.connect(bridge.edit)
        panel.cancel_requested.connect(bridge.cancel)
        panel.undo_requested.connect(self._undo)
        self.window.undo_requested.connect(self._undo)
        self.window.redo_requested.connect(self._redo)
        panel.proposal_selected.connect(self._outline.propose)
        bridge.happened.connect(self._outline.take)
        self._words.for_engine.connect(bridge.submit)
        self.undo.changed.connect(self._on_undo_changed)
        self._live.changed.connect(self._on_settings_changed)
        self._background.done.connect(self._on_background_done)
        self.window.page_shown.connect(self._on_page_shown)
        self.window.page_shown.connect(self.dictation.check)

    @Slot(object)
    def _on_event(self, event: Event) -> None:
        if isinstance(event, UtteranceReceived):
            self._last_run = event.run_id
        elif isinstance(event, RunFinished):
            self._on_undo_changed()
            self.voice.say(event.message, is_error=event.outcome not in ("finished", "cancelled"))
        elif isinstance(event, RunFailed):
            self.voice.say(event.message, is_error=True)

    def _make_settings_page(self) -> SettingsPage:
        voice = self.voice
        page = SettingsPage(
            self.services,
            self._live,
            self._keys,
            voice.listings(),
            voice.models,
            self.database,
            self._backends.corrections,
        )
        page.key_changed.connect(self.choose_backend)
        page.microphones_wanted.connect(voice.listening.look_for_devices)
        voice.listening.microphone_opened.connect(page.list_microphones)
        self._tracing.kept.connect(page.refresh)
        self._tracing.sent.connect(page.show_sending_problem)
        return page

    def _engine_options(self) -> EngineOptions:
        return EngineOptions(instructions(), self.settings.policies.ask)

    @Slot(object)
    def _on_settings_changed(self, settings: Settings) -> None:
        before, self.settings = self.settings, with_options(with_environment(settings), self._options)
        if self.settings.appearance != before.appearance:
            self._shell.use(look_of(self.settings))
        if self.settings.voice != before.voice:
            self.voice.configure(self.settings.voice)
            if self._options.interactive:
                self.keeping.configure(self.settings.voice)
        if self.settings.policies != before.policies:
            self.bridge.configure(options=self._engine_options())
        self._tracing.configure(self.settings)
        if self.settings.assistant != before.assistant:
            self.choose_backend()

    @Slot(str, object)
    def _on_background_done(self, name: str, found: object) -> None:
        if name == _PHRASES and isinstance(found, tuple):
            self.panel.set_suggestions(found[:_SUGGESTIONS])
        elif name == _KEY:
            self._use_backend(found if isinstance(found, SecretStr) else None)

    def _use_backend(self, key: SecretStr | None) -> None:
        self.bridge.configure(backend=self._deferred(key))

    def _deferred(self, key: SecretStr | None) -> DeferredBackend:
        return self._backends.deferred(self.settings.assistant, key, self._options.timeout_s)

    @Slot()
    def _undo(self) -> None:
        self._step(self.undo.undo, "Undone")

    @Slot()
    def _redo(self) -> None:
        self._step(self.undo.redo, "Done again")

    def _step(self, step: Callable[[], str], what: str) -> None:
        try:
            self.panel.show_notice(f"{what}: “{step().rstrip(' .')}”")
        except ToolError as error:
            self.panel.show_notice(str(error))

    @Slot()
    def _on_undo_changed(self) -> None:
        # Only while it would take back the request it stands under: a change made by hand since is undone by saying so.
        self.panel.set_undoable(bool(self._last_run) and self.undo.undo_run == self._last_run)

    @Slot(str)
    def _on_page_shown(self, _name: str) -> None:
        if self._started:
            self._background.start(
                _PHRASES, partial(self._get_ready, self.registry.snapshot(), self._spoken_language())
            )

    def _get_ready(self, snapshot: Snapshot, language: str) -> tuple[str, ...]:
        """Makes ready for commands on a screen, and gives what can be said there; runs in a thread of its own."""
        self._backends.prepare(snapshot, language)
        return phrases_of(snapshot, language)
