"""Every text can be read on every background of every scheme, and the system's wish decides which scheme."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPushButton, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.theme import COLOURS, Colours, SchemeName, Theme, contrast, set_text_size, sized_font
from app.widgets.theme.focus_ring import FocusRing
from app.widgets.theme.paint import make_primary
from app.widgets.theme.theme import system_scheme

SCHEMES = list(COLOURS)
ROLE, GROUP = QPalette.ColorRole, QPalette.ColorGroup
PALETTE_PAIRS = [
    (ROLE.WindowText, ROLE.Window),
    (ROLE.Text, ROLE.Base),
    (ROLE.Text, ROLE.AlternateBase),
    (ROLE.ButtonText, ROLE.Button),
    (ROLE.ToolTipText, ROLE.ToolTipBase),
    (ROLE.HighlightedText, ROLE.Highlight),
    (ROLE.PlaceholderText, ROLE.Base),
    (ROLE.Link, ROLE.Base),
    (ROLE.Link, ROLE.Window),
    (ROLE.LinkVisited, ROLE.Base),
]


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """A theme that is taken back after the test."""
    style, palette = qapp.style().name(), qapp.palette()
    yield Theme(qapp, "light")
    for left in qapp.findChildren(Theme):
        left.dispose()
    qapp.setStyle(style)
    qapp.setPalette(palette)


@pytest.mark.parametrize(("one", "other", "ratio"), [("#000000", "#ffffff", 21.0), ("#777777", "#ffffff", 4.48)])
def test_contrast_is_that_of_wcag(one: str, other: str, ratio: float) -> None:
    assert contrast(one, other) == pytest.approx(ratio, abs=0.01)
    assert contrast(other, one) == contrast(one, other)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_text_stands_out_from_every_background(scheme: SchemeName) -> None:
    colours = COLOURS[scheme]
    low = {
        pair: ratio
        for pair in colours.text_pairs()
        if (ratio := contrast(getattr(colours, pair[0]), getattr(colours, pair[1]))) < 4.5
    }
    assert low == {}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("group", [GROUP.Active, GROUP.Inactive, GROUP.Disabled])
def test_every_pair_of_the_palette_can_be_read(scheme: SchemeName, group: QPalette.ColorGroup) -> None:
    palette = COLOURS[scheme].palette()
    for text, ground in PALETTE_PAIRS:
        ratio = contrast(palette.color(group, text).name(), palette.color(group, ground).name())
        assert ratio >= 4.5, f"{text} on {ground}: {ratio:.2f}"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_edges_and_focus_stand_out(scheme: SchemeName) -> None:
    colours = COLOURS[scheme]
    for ground in (colours.window, colours.base, colours.raised):
        assert contrast(colours.outline, ground) >= 3
        assert contrast(colours.focus, ground) >= 3


def test_high_contrast_is_higher() -> None:
    colours = COLOURS["high_contrast"]
    assert min(contrast(getattr(colours, text), getattr(colours, ground)) for text, ground in colours.text_pairs()) >= 7


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_colours_of_a_palette_are_found_again(scheme: SchemeName) -> None:
    assert Colours.of(COLOURS[scheme].palette()) is COLOURS[scheme]


def test_a_foreign_palette_gets_the_scheme_of_its_lightness() -> None:
    assert Colours.of(QPalette(QColor("#303030"))) is COLOURS["dark"]
    assert Colours.of(QPalette(QColor("#dddddd"))) is COLOURS["light"]


class Accessibility:
    """Stands for the system's accessibility hints: nothing changes the real ones on the offscreen platform."""

    def __init__(self, contrast: Qt.ContrastPreference) -> None:
        self._contrast = contrast

    def contrastPreference(self) -> Qt.ContrastPreference:  # noqa: N802
        return self._contrast


class Hints:
    """Stands for the system's style hints, for the same reason."""

    def __init__(self, scheme: Qt.ColorScheme, contrast: Qt.ContrastPreference) -> None:
        self._scheme, self._contrast = scheme, contrast

    def colorScheme(self) -> Qt.ColorScheme:  # noqa: N802
        return self._scheme

    def accessibility(self) -> Accessibility:
        return Accessibility(self._contrast)


@pytest.mark.parametrize(
    ("scheme", "preference", "found"),
    [
        (Qt.ColorScheme.Light, Qt.ContrastPreference.NoPreference, "light"),
        (Qt.ColorScheme.Dark, Qt.ContrastPreference.NoPreference, "dark"),
        (Qt.ColorScheme.Unknown, Qt.ContrastPreference.NoPreference, "light"),
        (Qt.ColorScheme.Dark, Qt.ContrastPreference.HighContrast, "high_contrast"),
    ],
)
def test_the_system_decides(scheme: Qt.ColorScheme, preference: Qt.ContrastPreference, found: str) -> None:
    assert system_scheme(Hints(scheme, preference)) == found  # type: ignore[arg-type]


def test_a_choice_changes_the_application(theme: Theme, qapp: QApplication, qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme.changed) as changed:
        theme.use("dark")
    assert changed.args == ["dark"]
    assert qapp.palette().color(ROLE.Window).name() == COLOURS["dark"].window
    assert theme.colours is COLOURS["dark"]
    with qtbot.assertNotEmitted(theme.changed):
        theme.use("dark")


def test_a_new_theme_takes_the_place_of_the_last(theme: Theme, qapp: QApplication, qtbot: QtBot) -> None:
    with qtbot.waitSignal(theme.destroyed):
        newer = Theme(qapp, "dark")
    assert qapp.findChildren(Theme) == [newer]


def test_there_are_three_sizes_of_text(qapp: QApplication) -> None:
    base = qapp.font().pointSizeF()
    small, normal, large = (sized_font(size).pointSizeF() for size in ("small", "normal", "large"))
    assert 8 <= small <= normal == base < large
    label = QLabel()
    set_text_size(label, "large", bold=True)
    assert (label.font().pointSizeF(), label.font().weight()) == (large, QFont.Weight.Bold)


@pytest.fixture
def form(theme: Theme, qtbot: QtBot) -> QWidget:
    """A window with the kinds of widgets that take the focus, without margins around them."""
    assert theme.scheme == "light"
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    layout.setContentsMargins(0, 0, 0, 0)
    inner = QWidget()
    inside = QVBoxLayout(inner)
    inside.setContentsMargins(0, 0, 0, 0)
    for widget in (QPushButton("Save"), QLineEdit(), QComboBox(), QSpinBox()):
        inside.addWidget(widget)
    layout.addWidget(inner)
    layout.setContentsMargins(8, 8, 8, 8)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.mark.parametrize("kind", [QPushButton, QLineEdit, QComboBox, QSpinBox])
def test_the_focus_is_always_to_be_seen(form: QWidget, qtbot: QtBot, kind: type[QWidget]) -> None:
    widget = form.findChildren(kind)[0]
    widget.setFocus(Qt.FocusReason.MouseFocusReason)
    qtbot.waitUntil(widget.hasFocus)
    ratio = form.devicePixelRatio()
    left = widget.mapTo(form, widget.rect().center())
    left.setX(left.x() - widget.width() // 2 - 2)

    def ringed() -> bool:
        colour = form.grab().toImage().pixelColor(round(left.x() * ratio), round(left.y() * ratio))
        return contrast(colour.name(), COLOURS["light"].window) >= 3

    qtbot.waitUntil(ringed)


def test_the_ring_outlives_the_window_it_was_in(theme: Theme, qtbot: QtBot) -> None:
    assert theme.findChild(FocusRing) is not None
    for _ in range(2):
        window = QWidget()
        field = QLineEdit(window)
        window.show()
        window.activateWindow()
        field.setFocus()
        qtbot.waitUntil(field.hasFocus)
        window.close()
        window.deleteLater()
        with qtbot.waitSignal(window.destroyed):
            pass


def test_the_primary_button_keeps_the_contrast_of_its_colours(theme: Theme, qtbot: QtBot) -> None:
    button = QPushButton()
    qtbot.addWidget(button)
    make_primary(button, theme.colours)
    button.resize(120, 32)
    button.show()
    image = button.grab().toImage()
    ground = image.pixelColor(image.width() // 2, image.height() // 2).name()
    assert contrast(ground, theme.colours.on_accent) >= 4.5
