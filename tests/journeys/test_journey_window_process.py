"""The window as a process of its own: it ends in good order when it is asked to, and loses nothing."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

SCRIPT = """
import sys
from app.desk import assembly, gui

class Told(assembly.Desk):
    def start(self):
        super().start()
        self.window.page.book.edit(self.window.page.key, "title", "Typed and not saved")
        print("ready", flush=True)

assembly.Desk = Told
sys.exit(gui.run_window(sample_data=True))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_window_ends_when_asked_and_keeps_what_was_typed(number: signal.Signals, tmp_path: Path) -> None:
    environment = {**os.environ, "GREENROOM_DATA_DIR": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
    window = subprocess.Popen(
        [sys.executable, "-c", SCRIPT], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert window.stdout is not None
        assert window.stdout.readline() == "ready\n"
        window.send_signal(number)
        _, errors = window.communicate(timeout=60)
    finally:
        window.kill()
        window.wait()
    assert window.returncode == 0, errors
    assert "Traceback" not in errors
    with closing(sqlite3.connect(tmp_path / "greenroom.db")) as database:
        (kept,) = database.execute("SELECT count(*) FROM drafts").fetchone()
    assert kept == 1
