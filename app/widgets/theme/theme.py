"""Applies a scheme to the application, and follows the system's."""

from __future__ import annotations

from typing import Literal, TypeAlias

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QStyleHints
from PySide6.QtWidgets import QApplication

from app.widgets.theme.colours import COLOURS, Colours, SchemeName
from app.widgets.theme.focus_ring import FocusRing
from app.widgets.theme.style import FlatStyle

ThemeChoice: TypeAlias = Literal["system", "light", "dark", "high_contrast"]


class Theme(QObject):
    """The look of the application. Make one right after the `QApplication`; it lives until `dispose` or the end.

    An application has one look: a new one takes the place of the last.

    Widgets need not know it: they read `Colours.of(self.palette())` when they paint and renew their icons when a
    `PaletteChange` reaches them.
    """

    changed = Signal(str)
    """The scheme now in use: a `SchemeName`."""

    def __init__(self, app: QApplication, choice: ThemeChoice = "system") -> None:
        for last in app.findChildren(Theme, options=Qt.FindChildOption.FindDirectChildrenOnly):
            last.dispose()
        super().__init__(app)
        self._app = app
        self._choice = choice
        self._scheme: SchemeName | None = None
        if not isinstance(app.style(), FlatStyle):
            app.setStyle(FlatStyle())
        app.styleHints().colorSchemeChanged.connect(self._follow)
        self._ring = FocusRing(app, self)
        self._follow()

    @property
    def scheme(self) -> SchemeName:
        """The scheme in use."""
        return self._scheme or "light"

    @property
    def colours(self) -> Colours:
        """The colours in use."""
        return COLOURS[self.scheme]

    def dispose(self) -> None:
        """Follows nothing any more. Colours and style stay as they are."""
        self._ring.dispose()
        self.setParent(None)
        self.deleteLater()

    def use(self, choice: ThemeChoice) -> None:
        """Changes to a scheme, or to following the system's."""
        self._choice = choice
        self._follow()

    def _follow(self) -> None:
        scheme = system_scheme(self._app.styleHints()) if self._choice == "system" else self._choice
        if scheme == self._scheme:
            return
        self._scheme = scheme
        self._app.setPalette(COLOURS[scheme].palette())
        self.changed.emit(scheme)


def system_scheme(hints: QStyleHints) -> SchemeName:
    """What the system asks for; `light` where it doesn't say. More contrast wins over dark."""
    # Qt 6.10 and newer tell the contrast preference.
    accessibility = getattr(hints, "accessibility", None)
    if accessibility is not None and accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return "high_contrast"
    return "dark" if hints.colorScheme() == Qt.ColorScheme.Dark else "light"
