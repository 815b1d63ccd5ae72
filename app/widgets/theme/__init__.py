"""How the program looks: palettes with one accent colour, an 8 px grid, three text sizes, a focus ring."""

from app.widgets.theme.colours import COLOURS, Colours, SchemeName, contrast
from app.widgets.theme.metrics import BUTTON_HEIGHT, GAP, GRID, ICON, RADIUS, TextSize, set_text_size, sized_font
from app.widgets.theme.theme import Theme, ThemeChoice

__all__ = [
    "BUTTON_HEIGHT",
    "COLOURS",
    "GAP",
    "GRID",
    "ICON",
    "RADIUS",
    "Colours",
    "SchemeName",
    "TextSize",
    "Theme",
    "ThemeChoice",
    "contrast",
    "set_text_size",
    "sized_font",
]
