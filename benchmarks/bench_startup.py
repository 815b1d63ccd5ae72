"""How soon the window paints, how soon it listens, and how long anything holds up the GUI thread.

Prints, over several starts of the real program in a process of its own: process start to first paint, process start to
ready to listen; and, in the last process, the longest gaps between two beats of a 1 ms timer on the GUI thread while
nothing happens, and while recording, transcribing and thinking. Run it with `make bench-startup`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDINGS = ROOT / "resources" / "tour"
SPOKEN = ("accept-and-save-joe.flac", "undo-that-joe.flac", "new-speaker-joe.flac", "duration-slt.flac")


def start_once(beats: bool) -> None:
    """Runs in the child: opens the window, notes when it painted and listened, and prints that as JSON."""
    began = float(os.environ["BENCH_BEGAN"])
    from app.desk.preload import before_qt

    before_qt()
    from PySide6.QtCore import QEvent, QEventLoop, QObject

    from app.desk.gui import make_application, spare_collections

    application = make_application()
    from app.desk.assembly import Desk
    from app.desk.first_paint import AfterFirstPaint
    from app.desk.options import DeskOptions

    desk = Desk(DeskOptions(sample_data=True, interactive=False))
    figures: dict[str, object] = {}

    class FirstPaint(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            if event.type() is QEvent.Type.Paint and "first_paint_s" not in figures:
                figures["first_paint_s"] = time.time() - began
            return False

    watcher = FirstPaint()
    desk.window.installEventFilter(watcher)
    desk.window.show()
    ready = QEventLoop()

    def start() -> None:
        desk.voice.listening.ready.connect(ready.quit)
        desk.start()

    AfterFirstPaint(desk.window, start)
    ready.exec()
    figures["ready_to_listen_s"] = time.time() - began
    if beats:
        spare_collections()  # as the program does some seconds after its start
        figures["beats"] = heartbeat(desk)
    desk.close()
    application.processEvents()
    print(json.dumps(figures))


def heartbeat(desk: object) -> dict[str, dict[str, float]]:
    """Gaps between the beats of a timer on the GUI thread, in ms: at rest, then hearing and answering recordings."""
    from PySide6.QtCore import QEventLoop, Qt, QTimer

    from app.desk.assembly import Desk
    from app.desk.headless import InputRunner, hear_one
    from app.desk.hearing import FileEar

    assert isinstance(desk, Desk)
    gaps: list[float] = []
    last = time.perf_counter()

    def beat() -> None:
        nonlocal last
        now = time.perf_counter()
        gaps.append((now - last) * 1000)
        last = now

    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.setInterval(1)
    timer.timeout.connect(beat)

    def figures() -> dict[str, float]:
        figures = {
            "median": statistics.median(gaps),
            "p99": sorted(gaps)[int(len(gaps) * 0.99)],
            "worst": max(gaps),
            "beats": len(gaps),
        }
        gaps.clear()
        return figures

    timer.start()
    rest = QEventLoop()
    QTimer.singleShot(2000, rest.quit)
    rest.exec()
    result = {"at rest": figures()}
    ear = FileEar(desk.voice.listening)
    runner = InputRunner(desk, lambda _collector: desk.bridge.cancel())
    for _ in range(3):
        for name in SPOKEN:
            hear_one(ear, runner, RECORDINGS / name)
    result["hearing and thinking"] = figures()
    timer.stop()
    ear.close()
    return result


def main() -> None:
    """Starts the program several times and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--beats", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        start_once(options.beats)
        return
    starts = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GREENROOM_DATA_DIR": folder, "GREENROOM_CONFIG_DIR": folder}
        for run in range(options.runs + 1):
            command = [sys.executable, __file__, "--child"] + (["--beats"] if run == options.runs else [])
            environment["BENCH_BEGAN"] = str(time.time())
            child = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
            if child.returncode != 0:
                sys.exit(child.stderr)
            starts.append(json.loads(child.stdout.splitlines()[-1]))
    print(f"first start (empty database): paint {starts[0]['first_paint_s']:.2f} s")
    for name in ("first_paint_s", "ready_to_listen_s"):
        values = [start[name] for start in starts[1:]]
        print(f"{name}: median {statistics.median(values):.2f}, worst {max(values):.2f} over {len(values)} starts")
    for what, gaps in starts[-1]["beats"].items():
        print(
            f"GUI thread, {what}: median gap {gaps['median']:.1f} ms, 99 % {gaps['p99']:.1f} ms, "
            f"worst {gaps['worst']:.1f} ms over {gaps['beats']:.0f} beats of 1 ms"
        )


if __name__ == "__main__":
    main()
