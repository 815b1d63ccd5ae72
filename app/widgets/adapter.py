"""The bases of all adapters: an object that stands for one thing on screen in the registry while it is visible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.agent.errors import TargetError
from app.agent.json_types import Json
from app.agent.policy import Policy
from app.widgets.context import VoiceContext
from app.widgets.modality import ModalityWatch
from app.widgets.naming import name_of

if TYPE_CHECKING:
    from app.agent.handles import InstanceHandle

HIDDEN = "it is not visible now"
DISABLED = "it is disabled now"
READ_ONLY = "it can only be read"

WidgetT = TypeVar("WidgetT", bound=QWidget)

_TOUCHING = (
    QEvent.Type.EnabledChange,
    QEvent.Type.ReadOnlyChange,
    QEvent.Type.FocusIn,
    QEvent.Type.FocusOut,
)


_HAS_ADAPTER = "voice_adapter"


class Adapter(QObject):
    """Registers what it stands for. It is a child of it, so it lives exactly as long.

    Args:
        target: The widget or action that is operated.
        context: Where to register.
        label: What it is called; by default what `name_of` finds.
        aliases: Other names a person may say.
        policy: Stricter than the tool's own, or None.
    """

    # On the class too: Python's collector may empty an adapter of a dropped window before Qt sends its last events.
    _handle: InstanceHandle | None = None

    def __init__(
        self,
        target: QObject,
        context: VoiceContext,
        *,
        label: str = "",
        aliases: tuple[str, ...] = (),
        policy: Policy | None = None,
    ) -> None:
        super().__init__(target)
        target.setProperty(_HAS_ADAPTER, True)
        self.context = context
        self._given_label = label
        self._aliases = aliases
        self._policy = policy
        target.destroyed.connect(self.unregister)

    @property
    def label(self) -> str:
        """The words a person sees."""
        return self._given_label or self._found_label()

    @property
    def guid(self) -> str:
        """Identity in the registry, or an empty string while it isn't on screen."""
        return self._handle.guid if self._handle is not None else ""

    def state(self) -> Mapping[str, Json]:
        """What a model and the grammar need to know: see `InstanceView.state`."""
        return {}

    def available(self) -> str:
        """Why it can't be operated now, as the end of a sentence ("it is disabled"), or an empty string."""
        raise NotImplementedError

    def require_available(self) -> None:
        """Raises TargetError with the reason where it can't be operated now."""
        reason = self.available()
        if reason:
            raise TargetError(f"{self.label} can't be used: {reason}.")

    def touch(self, *_values: object) -> None:
        """Says that value or availability may have changed. Takes and ignores what signals carry."""
        if self._handle is not None:
            self._handle.touch()

    def dispose(self) -> None:
        """Takes it out of the registry for good."""
        self.unregister()
        target = self.parent()
        if target is not None:
            target.setProperty(_HAS_ADAPTER, False)
        self.setParent(None)

    def unregister(self, *_values: object) -> None:
        """Says that it is no longer on screen."""
        if self._handle is not None:
            self._handle.dispose()
            self._handle = None

    def _found_label(self) -> str:
        raise NotImplementedError

    def _register(self, window: QWidget) -> None:
        label = self.label
        if self._handle is not None or not label:
            return
        self._handle = self.context.registry.register_instance(
            self,
            label=label,
            aliases=self._aliases,
            state=self.state,
            available=self.available,
            policy=self._policy,
        )
        ModalityWatch.of(window).tell(self)


class WidgetAdapter(Adapter, Generic[WidgetT]):
    """Stands for a widget; registered while the widget is visible."""

    def __init__(
        self,
        target: WidgetT,
        context: VoiceContext,
        *,
        label: str = "",
        aliases: tuple[str, ...] = (),
        policy: Policy | None = None,
    ) -> None:
        super().__init__(target, context, label=label, aliases=aliases, policy=policy)
        target.installEventFilter(self)
        self._connect()
        if target.isVisible():
            self._register(target.window())

    def _connect(self) -> None:
        """Connects the widget's signals that tell of a new value to `touch`. For subclasses."""

    @property
    def widget(self) -> WidgetT:
        """The widget itself."""
        return cast(WidgetT, self.parent())

    def state(self) -> Mapping[str, Json]:
        return {"focused": True} if self.widget.hasFocus() else {}

    def available(self) -> str:
        widget = self.widget
        if not widget.isVisible():
            return HIDDEN
        if not widget.isEnabled():
            return DISABLED
        return ModalityWatch.of(widget.window()).reason() or self._refusal()

    def dispose(self) -> None:
        self.widget.removeEventFilter(self)
        super().dispose()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Follows visibility, enabled state and focus; passes everything on."""
        kind = event.type()
        if kind in _TOUCHING:
            self.touch()
        elif kind is QEvent.Type.Show:
            self._register(self.widget.window())
        elif kind is QEvent.Type.Hide and not event.spontaneous():
            self.unregister()
        return False

    def _refusal(self) -> str:
        """Why this kind of widget can't be operated now, or an empty string. For subclasses."""
        return ""

    def _found_label(self) -> str:
        return name_of(self.widget)


def adapter_of(target: QObject) -> Adapter | None:
    """The adapter of a widget or action, if it has one."""
    if not target.property(_HAS_ADAPTER):
        # Asked of every widget of a window, and some have many children: the inner parts of a combo box.
        return None
    return next((child for child in target.children() if isinstance(child, Adapter)), None)
