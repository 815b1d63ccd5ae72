"""The `greenroom` command: the window at once, everything else through the command line."""

from __future__ import annotations

import sys

from app.voice.recogniser_process import ARGUMENT

_JUST_THE_WINDOW: tuple[list[str], ...] = ([], ["--sample-data"])


def main() -> None:
    """Runs it. A windowed build has no standard output: what is printed then goes nowhere."""
    if sys.stdout is None:
        import os

        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for the process's life
    if sys.argv[1:] == [ARGUMENT]:
        from app.voice.recogniser_server import main as recognise

        recognise()
        return
    if sys.argv[1:] in _JUST_THE_WINDOW:
        # Without typer, whose import takes a fifth of the time until the window is painted.
        from app.desk.preload import plain_imports

        plain_imports()
        from app.desk.gui import run_window

        sys.exit(run_window(sample_data=len(sys.argv) > 1))
    from app.desk.command_line import application

    application()
