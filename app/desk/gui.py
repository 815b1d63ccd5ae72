"""Starts Qt: platform, exception hooks, look, and the window's event loop."""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
from types import TracebackType

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication, QMessageBox

from app.desk.options import DeskOptions
from app.desk.preload import plain_imports
from app.desk.signals import QuitOnSignals
from app.desk.startup import Startup

_log = logging.getLogger("greenroom")

_SWITCH_S = 0.0005

_HARMLESS = ("This plugin does not support propagateSizeHints()",)
"""What the offscreen platform says of every window."""

_QT_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def make_application(*, offscreen: bool = False) -> QApplication:
    """The application object, made once in a process. `offscreen` needs no display.

    Without a display on Linux the offscreen platform is taken anyway, since Qt would end the process otherwise.
    """
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    headless = sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if offscreen or headless:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    plain_imports()
    _install_hooks()
    # A GUI thread that waits for the interpreter waits for at most this long; by default it is 5 ms for each call that
    # Qt makes into Python while the grammar is at work in another thread.
    sys.setswitchinterval(_SWITCH_S)
    application = QApplication(["greenroom"])
    application.setApplicationName("greenroom")
    application.setApplicationDisplayName("Greenroom")
    application.setDesktopFileName("greenroom")
    return application


def run_window(*, sample_data: bool) -> int:
    """Opens the window and returns when it is closed; the exit status of the process."""
    application = make_application()
    startup = Startup(DeskOptions(sample_data=sample_data))

    def give_up(sentence: str) -> None:
        QMessageBox.critical(startup.shell.window, "Greenroom can't start", sentence)
        application.exit(1)

    startup.failed.connect(give_up)
    signals = QuitOnSignals(application)
    startup.show()
    try:
        return application.exec()
    finally:
        signals.close()
        startup.close()


def _install_hooks() -> None:
    """Before the window, so that a fault while it is built is not lost either."""
    if sys.stderr is not None:
        faulthandler.enable()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    sys.excepthook = _log_exception
    threading.excepthook = _log_thread_exception
    qInstallMessageHandler(_log_qt)


def _log_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.exit(130)
    _log.error("unexpected fault", exc_info=(kind, error, trace))


def _log_thread_exception(arguments: threading.ExceptHookArgs) -> None:
    if arguments.exc_value is not None:
        _log_exception(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)


def _log_qt(kind: QtMsgType, _context: QMessageLogContext, message: str) -> None:
    if message in _HARMLESS:
        return
    _log.log(_QT_LEVELS.get(kind, logging.WARNING), "Qt: %s", message)
