"""Icons: glyphs of Material Design Icons (the font file in the `qtawesome` package), coloured from a palette.

The font is read without importing `qtawesome` itself: its import takes 140 ms and more (it loads nine fonts), reading
this one file takes 8 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QIcon,
    QIconEngine,
    QPainter,
    QPainterPath,
    QPalette,
    QPixmap,
    QRawFont,
    QTransform,
)
from PySide6.QtWidgets import QAbstractButton

from app.resources import resources_dir
from app.widgets.theme.colours import Colours

# What we call it -> its code point in the font. tests/widgets/test_theme_icons.py compares with the font's own table.
GLYPHS: Mapping[str, tuple[str, int]] = MappingProxyType(
    {
        "add": ("plus", 0xF0415),
        "alert": ("alert-circle-outline", 0xF05D6),
        "appearance": ("palette-outline", 0xF0E0C),
        "approve": ("check", 0xF012C),
        "assistant": ("robot-outline", 0xF167A),
        "close": ("close", 0xF0156),
        "collections": ("folder-multiple-outline", 0xF0255),
        "conferences": ("calendar-star", 0xF09D3),
        "contributions": ("presentation", 0xF0428),
        "data": ("database-outline", 0xF1632),
        "delete": ("delete-outline", 0xF09E7),
        "discard": ("restore", 0xF099B),
        "done": ("check-circle-outline", 0xF05E1),
        "down": ("arrow-down", 0xF0045),
        "edit": ("pencil-outline", 0xF0CB6),
        "expand": ("chevron-right", 0xF0142),
        "expanded": ("chevron-down", 0xF0140),
        "forms": ("form-select", 0xF1401),
        "help": ("help-circle-outline", 0xF0625),
        "information": ("information-outline", 0xF02FD),
        "level_high": ("signal-cellular-3", 0xF08BE),
        "level_low": ("signal-cellular-1", 0xF08BC),
        "level_medium": ("signal-cellular-2", 0xF08BD),
        "microphone": ("microphone", 0xF036C),
        "microphone_off": ("microphone-off", 0xF036D),
        "policies": ("shield-check-outline", 0xF0CC8),
        "redo": ("redo", 0xF044E),
        "rejected": ("minus-circle-outline", 0xF0377),
        "save": ("content-save-outline", 0xF0818),
        "search": ("magnify", 0xF0349),
        "send": ("send", 0xF048A),
        "settings": ("cog-outline", 0xF08BB),
        "speakers": ("account-group-outline", 0xF0B58),
        "submissions": ("email-fast-outline", 0xF1870),
        "submit": ("email-arrow-right-outline", 0xF10DD),
        "suggestion": ("lightbulb-outline", 0xF0336),
        "threads": ("forum-outline", 0xF0822),
        "undo": ("undo", 0xF054C),
        "up": ("arrow-up", 0xF005D),
        "voice": ("volume-high", 0xF057E),
    }
)
_EM = 96.0


def icon(name: str, palette: QPalette, *, role: str = "text") -> QIcon:
    """An icon in the colours of a palette; sharp at every size and scale.

    Args:
        name: A key of `GLYPHS`.
        palette: Where the colours come from. Make a new icon when it changes, or use `set_icon`.
        role: The field of `Colours` to draw it in.

    Raises:
        KeyError: There is no icon of that name.
    """
    colours = Colours.of(palette)
    normal = QColor(colours.role(role))
    return QIcon(_GlyphEngine(glyph_path(name), normal, QColor(colours.disabled)))


def set_icon(button: QAbstractButton, name: str, *, role: str = "text") -> None:
    """Gives a button an icon in its own palette's colours. Call again when a `PaletteChange` reaches it."""
    button.setIcon(icon(name, button.palette(), role=role))


def app_icon() -> QIcon:
    """The program's own icon."""
    return QIcon(str(resources_dir() / "icons" / "greenroom.svg"))


@cache
def glyph_path(name: str) -> QPainterPath:
    """The outline of an icon in a square of side 1.

    Raises:
        KeyError: There is no icon of that name.
    """
    font = _font()
    indexes = font.glyphIndexesForString(chr(GLYPHS[name][1]))
    outline = font.pathForGlyph(indexes[0])
    # Each glyph is designed in a square of one em that reaches from the ascent down.
    return QTransform.fromScale(1 / _EM, 1 / _EM).map(outline.translated(0, font.ascent()))


@cache
def _font() -> QRawFont:
    return QRawFont(str(font_file()), _EM, QFont.HintingPreference.PreferNoHinting)


def font_file() -> Path:
    """The icon font in the installed `qtawesome` package.

    Raises:
        FileNotFoundError: The package is not installed, or holds no such font.
    """
    spec = find_spec("qtawesome")
    folder = Path(spec.origin).parent / "fonts" if spec is not None and spec.origin is not None else Path()
    found = sorted(folder.glob("materialdesignicons6-webfont-*.ttf"))
    if not found:
        raise FileNotFoundError("qtawesome's Material Design Icons font is missing: install qtawesome again.")
    return found[-1]


class _GlyphEngine(QIconEngine):
    def __init__(self, path: QPainterPath, normal: QColor, disabled: QColor) -> None:
        super().__init__()
        self._path = path
        self._normal = normal
        self._disabled = disabled

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State, /) -> None:
        side = min(rect.width(), rect.height())
        box = QRectF(0, 0, side, side)
        box.moveCenter(QPointF(rect.center()) + QPointF(0.5, 0.5))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(box.topLeft())
        painter.scale(side, side)
        painter.fillPath(self._path, self._disabled if mode == QIcon.Mode.Disabled else self._normal)
        painter.restore()

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, /) -> QPixmap:
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return _GlyphEngine(self._path, self._normal, self._disabled)
