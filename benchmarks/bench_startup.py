"""How soon the window paints, is of use and listens, and how long anything holds up the GUI thread.

Prints, over several starts of the real program in a process of its own, from the start of the process: until the window
is first painted; until its page is, with its rows; until the speech model is loaded. Each in time of day and in time of
the processor, which does not depend on what else runs.

Then, in the last process, the gaps between two beats of a 1 ms timer on the GUI thread: while nothing happens, and
while recordings are heard, understood and shown, by what the panel says at the end of the gap. Beside each stands how
much of it the GUI thread was at work, in time of the processor. An empty Qt window in a process beside it beats along:
the gaps that it has, too, are the machine's, and where it has long ones no gap is judged. Run it with
`make bench-startup`.
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
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QEventLoop, QObject, QSocketNotifier, Qt, QTimer
from PySide6.QtWidgets import QListView, QWidget

if TYPE_CHECKING:
    from app.desk.assembly import Desk

ROOT = Path(__file__).resolve().parent.parent
RECORDINGS = ROOT / "resources" / "tour"
SPOKEN = ("accept-and-save-joe.flac", "undo-that-joe.flac", "new-speaker-joe.flac", "duration-slt.flac")
TARGETS_S = {"first paint": 1.0, "usable": None, "ready to listen": 3.0}
FRAME_MS = 16.0
SETTLE_MS = 12_000


class Beats(QObject):
    """The gaps between the beats of a 1 ms timer and the work in them, both in ms, by what goes on at their end."""

    def __init__(self, what: Callable[[], str]) -> None:
        super().__init__()
        self.gaps: defaultdict[str, list[float]] = defaultdict(list)
        self.work: defaultdict[str, list[float]] = defaultdict(list)
        self._what = what
        self._last = time.perf_counter(), time.thread_time()
        self.timer = QTimer()
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.setInterval(1)
        self.timer.timeout.connect(self._beat)
        self.timer.start()

    def _beat(self) -> None:
        now, what = (time.perf_counter(), time.thread_time()), self._what()
        self.gaps[what].append((now[0] - self._last[0]) * 1000)
        self.work[what].append((now[1] - self._last[1]) * 1000)
        self._last = now

    def figures(self) -> dict[str, dict[str, float]]:
        """Median, 99th percentile, worst gap, those over 16 ms, how many, and the longest work."""
        return {
            name: {
                "median": statistics.median(gaps),
                "p99": sorted(gaps)[int(len(gaps) * 0.99)],
                "worst": max(gaps),
                "long": sum(gap > FRAME_MS for gap in gaps),
                "beats": len(gaps),
                "work": max(self.work[name]),
            }
            for name, gaps in self.gaps.items()
        }


class FirstPaint(QObject):
    """Calls back at the first paint of a widget that counts."""

    def __init__(self, widget: QWidget, painted: Callable[[], None], counts: Callable[[], bool] = lambda: True) -> None:
        super().__init__(widget)
        self._painted, self._counts = painted, counts
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and self._counts():
            watched.removeEventFilter(self)
            self._painted()
        return False


def start_once(beats: bool) -> None:
    """Runs in the child: starts the program as `greenroom --sample-data` does, and prints its figures as JSON."""
    began = float(os.environ["BENCH_BEGAN"])
    from app.desk.preload import plain_imports

    plain_imports()
    from app.desk.gui import make_application
    from app.desk.options import DeskOptions
    from app.desk.startup import Startup

    application = make_application()
    figures: dict[str, object] = {}

    def note(what: str) -> None:
        figures[what] = (time.time() - began, time.process_time())

    startup = Startup(DeskOptions(sample_data=True))

    def watch_page() -> None:
        views = startup.shell.window.findChildren(QListView)
        view = next(view for view in views if view.isVisible() and view.accessibleName() == "Contributions")
        FirstPaint(view.viewport(), lambda: note("usable"), lambda: view.model().rowCount() > 0)

    def watch_voice() -> None:
        assert startup.desk is not None
        startup.desk.voice.listening.ready.connect(ready.quit)

    FirstPaint(startup.shell.window, lambda: note("first paint"))
    startup.page_made.connect(watch_page)
    startup.started.connect(watch_voice)
    ready = QEventLoop()
    startup.show()
    ready.exec()
    note("ready to listen")
    if beats:
        assert startup.desk is not None
        with empty_window() as control:
            figures["beats"] = heartbeat(startup.desk)
        figures["control"] = control
    startup.close()
    application.processEvents()
    print(json.dumps(figures))


def heartbeat(desk: Desk) -> dict[str, dict[str, float]]:
    """Gaps on the GUI thread: at rest, then while recordings are heard and understood."""
    from app.desk.headless import InputRunner, hear_one
    from app.desk.hearing import FileEar

    wait(SETTLE_MS)  # what is loaded in the seconds after the start
    rest = Beats(lambda: "at rest")
    wait(2000)
    rest.timer.stop()
    at_work = Beats(lambda: desk.panel.status_words.partition(":")[0])  # without why there is no microphone
    ear = FileEar(desk.voice.listening)
    runner = InputRunner(desk, lambda _collector: desk.bridge.cancel())
    for _ in range(3):
        for name in SPOKEN:
            hear_one(ear, runner, RECORDINGS / name)
            wait(50)
    at_work.timer.stop()
    ear.close()
    return rest.figures() | at_work.figures()


def wait(ms: int) -> None:
    """Runs the event loop for so long."""
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


@contextmanager
def empty_window() -> Iterator[dict[str, object]]:
    """Runs an empty Qt window beside this process; its figures are there at the end."""
    figures: dict[str, object] = {}
    command = [sys.executable, __file__, "--control"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as control:
        yield figures
        output, _ = control.communicate("stop")
    figures |= json.loads(output)


def be_empty_window() -> None:
    """Runs in the control process until it is told to stop: a window with nothing in it, and the same timer."""
    from app.desk.gui import make_application

    application = make_application()
    window = QWidget()
    window.show()
    beats = Beats(lambda: "an empty window beside it")
    told = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    told.activated.connect(application.quit)
    application.exec()
    print(json.dumps(beats.figures()))


def child(environment: dict[str, str], *, beats: bool) -> dict[str, Any]:
    """Starts the program once and gives its figures."""
    command = [sys.executable, __file__, "--child"] + (["--beats"] if beats else [])
    ran = subprocess.run(
        command,
        env={**environment, "BENCH_BEGAN": str(time.time())},
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.returncode != 0:
        sys.exit(ran.stderr)
    figures: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return figures


def main() -> None:
    """Starts the program several times and prints the figures; status 1 where a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--beats", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--control", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.control:
        be_empty_window()
        return
    if options.child:
        start_once(options.beats)
        return
    with tempfile.TemporaryDirectory() as folder:
        # Everything as a person has it, but that nothing is said aloud: the answers would be measured, too.
        Path(folder, "settings.json").write_text(json.dumps({"voice": {"speech": "off"}}), encoding="utf-8")
        environment = {**os.environ, "GREENROOM_DATA_DIR": folder, "GREENROOM_CONFIG_DIR": folder}
        first, *starts = [child(environment, beats=run == options.runs) for run in range(options.runs + 1)]
    print(
        f"first start (empty database): first paint {first['first paint'][0]:.2f} s, usable {first['usable'][0]:.2f} s"
    )
    missed = False
    for name, target in TARGETS_S.items():
        wall, processor = zip(*(start[name] for start in starts), strict=True)
        missed |= target is not None and statistics.median(wall) > target
        print(
            f"{name}: median {statistics.median(wall):.2f} s, worst {max(wall):.2f} s; "
            f"of the processor {statistics.median(processor):.2f} s"
            + (f" (target {target:.1f} s)" if target is not None else "")
        )
    beats, control = starts[-1]["beats"], starts[-1]["control"]
    for what, gaps in (beats | control).items():
        print(
            f"GUI thread, {what}: median gap {gaps['median']:.1f} ms, 99 % {gaps['p99']:.1f} ms, "
            f"worst {gaps['worst']:.1f} ms, {gaps['long']:.0f} of {gaps['beats']:.0f} over {FRAME_MS:.0f} ms; "
            f"longest work {gaps['work']:.1f} ms"
        )
    if all(gaps["worst"] <= FRAME_MS for gaps in control.values()):
        missed |= any(gaps["worst"] > FRAME_MS for gaps in beats.values())
    else:
        print("An empty window was held up as well, so the gaps are not judged: run it while nothing else does.")
    sys.exit(missed)


if __name__ == "__main__":
    main()
