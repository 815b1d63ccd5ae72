"""Icons come from the font that is installed, in the colours of the palette."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from PySide6.QtGui import QColor, QIcon, QImage
from PySide6.QtWidgets import QApplication, QPushButton

from app.widgets.icons import GLYPHS, app_icon, font_file, glyph_path, icon, set_icon
from app.widgets.theme import COLOURS, SchemeName


def strongest(image: QImage) -> QColor:
    """The colour of the most opaque pixel."""
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return max(pixels, key=lambda colour: colour.alpha())


def test_each_name_means_the_glyph_that_the_font_gives_it() -> None:
    table = font_file().with_name(font_file().name.replace("-webfont-", "-webfont-charmap-")).with_suffix(".json")
    codes = json.loads(table.read_text(encoding="utf-8"))
    assert {name: int(codes[glyph], 16) for name, (glyph, _) in GLYPHS.items()} == {
        name: code for name, (_, code) in GLYPHS.items()
    }


@pytest.mark.parametrize("name", list(GLYPHS))
def test_each_glyph_lies_in_its_square(qapp: QApplication, name: str) -> None:
    assert qapp is not None
    box = glyph_path(name).boundingRect()
    assert box.width() > 0.3 or box.height() > 0.3
    assert -0.02 <= box.left() <= box.right() <= 1.02
    assert -0.02 <= box.top() <= box.bottom() <= 1.02


def test_an_unknown_name_is_an_error(qapp: QApplication) -> None:
    with pytest.raises(KeyError):
        icon("no such icon", qapp.palette())


@pytest.mark.parametrize("scheme", list(COLOURS))
def test_an_icon_has_the_colour_of_its_role(qapp: QApplication, scheme: SchemeName) -> None:
    assert qapp is not None
    palette = COLOURS[scheme].palette()
    drawn = icon("approve", palette, role="accent_text")
    assert strongest(drawn.pixmap(32, 32).toImage()).name() == COLOURS[scheme].accent_text
    faded = drawn.pixmap(32, 32, QIcon.Mode.Disabled).toImage()
    assert strongest(faded).name() == COLOURS[scheme].disabled


def test_a_button_takes_the_icon_of_its_palette(qapp: QApplication) -> None:
    assert qapp is not None
    button = QPushButton()
    for scheme in COLOURS.values():
        button.setPalette(scheme.palette())
        set_icon(button, "save")
        assert strongest(button.icon().pixmap(24, 24).toImage()).name() == scheme.text


def test_the_slow_import_is_not_needed_to_draw_an_icon() -> None:
    code = (
        "import sys; from PySide6.QtWidgets import QApplication; app = QApplication(['-platform', 'offscreen']);"
        "from app.widgets.icons import icon; assert not icon('save', app.palette()).pixmap(16, 16).isNull();"
        "sys.exit('qtawesome' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


def test_the_program_has_an_icon(qapp: QApplication) -> None:
    assert qapp is not None
    assert strongest(app_icon().pixmap(64, 64).toImage()).alpha() == 255
