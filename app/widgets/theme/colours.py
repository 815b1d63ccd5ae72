"""The three colour schemes and the palettes made of them. Values only: nothing here changes the application."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

from PySide6.QtGui import QColor, QPalette

SchemeName: TypeAlias = Literal["light", "dark", "high_contrast"]


@dataclass(frozen=True, slots=True)
class Colours:
    """One scheme, as `#rrggbb`. Names say what a colour is for, never what it looks like.

    Attributes:
        window, base, raised, said: Backgrounds of the window, of fields and lists, of cards, of the person's words.
        text, muted, disabled: Text on any of those backgrounds.
        accent, on_accent: The one accent colour, and text on it. `accent_text` is the accent as text.
        danger, caution: Text of errors and of things to look at twice.
        line, outline: Decorative separators; the edge of something that can be operated (3:1).
        focus: The focus ring (3:1).
    """

    window: str
    base: str
    raised: str
    said: str
    text: str
    muted: str
    disabled: str
    accent: str
    on_accent: str
    accent_text: str
    danger: str
    caution: str
    line: str
    outline: str
    focus: str

    @staticmethod
    def of(palette: QPalette) -> Colours:
        """The scheme a palette was made from; for a foreign palette, the one of its lightness."""
        window = palette.color(QPalette.ColorRole.Window)
        found = _BY_WINDOW.get(window.rgba())
        return found or COLOURS["dark" if window.lightness() < 128 else "light"]

    def role(self, name: str) -> str:
        """The colour of a role, by the name of its field.

        Raises:
            AttributeError: There is no such role.
        """
        return str(getattr(self, name))

    def text_pairs(self) -> Iterator[tuple[str, str]]:
        """Every (text, background) pair of field names that can meet on the screen."""
        for background in ("window", "base", "raised", "said"):
            for text in ("text", "muted", "disabled", "accent_text", "danger", "caution"):
                yield text, background
        yield "on_accent", "accent"

    def palette(self) -> QPalette:
        """A complete palette for the Fusion style."""
        role = QPalette.ColorRole
        palette = QPalette()
        for names, value in (
            ((role.Window, role.Button), self.window),
            ((role.Base,), self.base),
            ((role.AlternateBase, role.ToolTipBase), self.raised),
            ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText, role.BrightText), self.text),
            ((role.PlaceholderText,), self.muted),
            ((role.Highlight, role.Accent), self.accent),
            ((role.HighlightedText,), self.on_accent),
            ((role.Link, role.LinkVisited), self.accent_text),
            ((role.Light, role.Midlight), self.raised),
            ((role.Mid, role.Dark, role.Shadow), self.outline),
        ):
            for name in names:
                palette.setColor(name, QColor(value))
        for name in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(self.disabled))
        palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, QColor(self.said))
        palette.setColor(QPalette.ColorGroup.Disabled, role.HighlightedText, QColor(self.text))
        return palette


COLOURS: Mapping[SchemeName, Colours] = MappingProxyType(
    {
        "light": Colours(
            window="#f4f6f6",
            base="#ffffff",
            raised="#fcfdfd",
            said="#e1f0ed",
            text="#1a2124",
            muted="#525e63",
            disabled="#606b70",
            accent="#0f6f66",
            on_accent="#ffffff",
            accent_text="#0c665e",
            danger="#a8201a",
            caution="#7c4a03",
            line="#d9dfe0",
            outline="#818c90",
            focus="#0f6f66",
        ),
        "dark": Colours(
            window="#1b2022",
            base="#14181a",
            raised="#23292c",
            said="#203634",
            text="#e8eced",
            muted="#aab4b8",
            disabled="#98a2a6",
            accent="#55c7b7",
            on_accent="#06211d",
            accent_text="#6bd3c4",
            danger="#ff9d94",
            caution="#f0bf6c",
            line="#353d41",
            outline="#748085",
            focus="#55c7b7",
        ),
        "high_contrast": Colours(
            window="#000000",
            base="#000000",
            raised="#000000",
            said="#1c1c1c",
            text="#ffffff",
            muted="#f0f0f0",
            disabled="#b8b8b8",
            accent="#ffdd33",
            on_accent="#000000",
            accent_text="#ffdd33",
            danger="#ffb0a8",
            caution="#ffcf70",
            line="#ffffff",
            outline="#ffffff",
            focus="#ffdd33",
        ),
    }
)

_BY_WINDOW: Mapping[int, Colours] = {QColor(colours.window).rgba(): colours for colours in COLOURS.values()}
"""Looked up whenever a widget is painted."""


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, 1 to 21, as WCAG 2.2 defines it (relative luminance of sRGB)."""
    lighter, darker = sorted((_luminance(QColor(first)), _luminance(QColor(second))), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: QColor) -> float:
    def linear(channel: float) -> float:
        return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())
