"""The main window: navigation on the left, the page in the middle, the assistant panel on the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDockWidget, QHBoxLayout, QMainWindow, QStackedWidget, QWidget

from app.panel.panel import AssistantPanel
from app.widgets.icons import app_icon
from app.widgets.sidebar import NavItem, Sidebar

_SIZE = QSize(1280, 800)
_PANEL_WIDTH = 380
_PREPARE_MS = 100
"""Between two pages that are made before anybody opens them: each takes a frame or two, and none is to be felt."""

PageFactory = Callable[[], QWidget]


class MainWindow(QMainWindow):
    """Puts the parts side by side. A page is made when it is first opened, or by `prepare_pages` before that.

    It can be shown without pages; `use_pages` brings them.
    """

    page_shown = Signal(str)
    """The name of the page that is in front now."""
    undo_requested = Signal()
    redo_requested = Signal()

    def __init__(self, items: Sequence[NavItem], panel: AssistantPanel) -> None:
        super().__init__()
        self.setWindowIcon(app_icon())
        self.setObjectName("greenroom")
        self.panel = panel
        self.sidebar = Sidebar(items)
        self._factories: dict[str, PageFactory] = {}
        self._pages: dict[str, QWidget] = {}
        self._unprepared: list[str] = []
        self._preparing = QTimer(self)
        self._preparing.setInterval(_PREPARE_MS)
        self._preparing.timeout.connect(self._prepare_page)
        self._stack = QStackedWidget()
        centre = QWidget()
        layout = QHBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.sidebar)
        layout.addWidget(self._stack, 1)
        self.setCentralWidget(centre)
        self._dock = QDockWidget("Assistant", self)
        self._dock.setObjectName("assistant")
        self._dock.setWidget(panel)
        self._dock.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self._dock)
        self.resize(_SIZE)
        self.resizeDocks([self._dock], [_PANEL_WIDTH], Qt.Orientation.Horizontal)
        self.sidebar.page_chosen.connect(self.open_page)
        for number, item in enumerate(items, 1):
            shortcut = QShortcut(QKeySequence(f"Alt+{number}"), self)
            shortcut.activated.connect(self.sidebar.button(item.name).click)
        for keys, wanted in (
            (QKeySequence("Ctrl+L"), self.show_panel),
            (QKeySequence(QKeySequence.StandardKey.Undo), self.undo_requested),
            (QKeySequence(QKeySequence.StandardKey.Redo), self.redo_requested),
        ):
            QShortcut(keys, self).activated.connect(wanted)
        self.setWindowTitle(self.page_name)

    def use_pages(self, pages: Mapping[str, PageFactory]) -> None:
        """Takes the pages. None is made yet."""
        self._factories = dict(pages)

    def open_first_page(self) -> None:
        """Opens the page that is chosen in the navigation. Who is somewhere in the window by now, typing, stays."""
        untouched = self.focusWidget() in (None, self)
        self.open_page(self.page_name)
        if self.page is not None and untouched:
            self.page.setFocus()

    @property
    def page_names(self) -> tuple[str, ...]:
        """The pages there are, in the order of the navigation."""
        return tuple(self._factories)

    @property
    def page(self) -> QWidget | None:
        """The page in front; None until one is opened."""
        return self._stack.currentWidget()

    @property
    def page_name(self) -> str:
        """The name of the page in front."""
        return self.sidebar.current

    def pages_made(self) -> tuple[QWidget, ...]:
        """The pages that there are so far."""
        return tuple(self._pages.values())

    def open_page(self, name: str) -> None:
        """Brings a page to the front; before there are any, it is chosen for then.

        Raises:
            KeyError: There is no such page.
        """
        self.sidebar.set_current(name)
        self.setWindowTitle(name)
        if self._factories:
            self._stack.setCurrentWidget(self._made(name))
            self.page_shown.emit(name)

    def prepare_pages(self) -> None:
        """Makes the pages that have not been opened yet, one now and then, so that opening them only shows them.

        Does nothing while the window is hidden: a program without a screen opens few of them.
        """
        if self.isVisible():
            self._unprepared = list(self._factories)
            self._preparing.start()

    def _prepare_page(self) -> None:
        self._unprepared = [name for name in self._unprepared if name not in self._pages]
        if self._unprepared:
            self._made(self._unprepared.pop(0))  # once: one that fails is told again when it is opened
        else:
            self._preparing.stop()

    def _made(self, name: str) -> QWidget:
        page = self._pages.get(name)
        if page is None:
            page = self._pages[name] = self._factories[name]()
            self._stack.addWidget(page)
        return page

    def show_panel(self) -> None:
        """Shows the assistant panel, if it was closed, and goes to its text box."""
        self._dock.show()
        self.panel.setFocus()
