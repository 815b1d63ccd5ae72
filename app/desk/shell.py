"""The window without its pages: what is painted first, made of a tenth of the program."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from app.main_window import MainWindow
from app.panel.panel import AssistantPanel
from app.settings.first_look import FirstLook
from app.widgets.sidebar import NavItem
from app.widgets.theme.text_size import use_text_size
from app.widgets.theme.theme import Theme

NAVIGATION = (
    NavItem("Contributions", "contributions"),
    NavItem("Conferences", "conferences"),
    NavItem("Speakers", "speakers"),
    NavItem("Collections", "collections"),
    NavItem("Settings", "settings", at_bottom=True),
)
"""The pages there are, in the order of the navigation."""


class Shell:
    """Navigation, an empty place for the page, and the assistant panel, in the person's colours and text size."""

    def __init__(self, look: FirstLook) -> None:
        """Makes it; the application has to be there. Shows nothing yet.

        Raises:
            RuntimeError: There is no application.
        """
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            raise RuntimeError("make the application first: app.desk.gui.make_application()")
        self._application = application
        self.theme = Theme(application, look.scheme)
        use_text_size(application, look.text_size)
        self.panel = AssistantPanel(look.push_to_talk_key)
        self.window = MainWindow(NAVIGATION, self.panel)

    def use(self, look: FirstLook) -> None:
        """Takes other colours or another text size. The name of the key is the voice's to say."""
        self.theme.use(look.scheme)
        use_text_size(self._application, look.text_size)
