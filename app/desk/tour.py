"""A tour for machines without a display: spoken recordings go through the microphone's path, step by step."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from app.desk.assembly import Desk
from app.desk.gui import make_application
from app.desk.headless import InputRunner, hear_one, take_picture
from app.desk.hearing import FileEar
from app.desk.options import DeskOptions
from app.desk.records import ACTION_FAILED, Collector
from app.resources import resources_dir
from app.voice.types import Transcript

_APPROVE = "approve-joe.flac"


@dataclass(frozen=True, slots=True)
class Step:
    """One recording of the tour, what it shows, and what must come of it.

    Attributes:
        page: The page to open first; empty for the one that is open.
        actions: How many actions must be proposed and done.
    """

    file: str
    about: str
    page: str = ""
    actions: int = 1


STEPS = (
    Step("accept-and-save-joe.flac", "Two actions in one sentence: shown first, approved by saying so.", actions=2),
    Step("undo-that-joe.flac", "Two words take all of it back, the stored row included."),
    Step("new-speaker-joe.flac", "A chain goes on where it leads: the button is on the page it opens.", actions=2),
    Step("duration-slt.flac", "A spoken number becomes one that its field takes.", page="Contributions"),
    Step("train-joe.flac", "Talk that is no command proposes nothing.", actions=0),
)


def run_tour(folder: Path) -> int:
    """Hears each recording, prints what was heard, proposed and done, and saves a picture of the window.

    Returns:
        0 where every step came out as it should.
    """
    folder.mkdir(parents=True, exist_ok=True)
    make_application(offscreen=True)
    print("Greenroom without a display: a spoken tour. With a display, the same command opens the window.")
    with tempfile.TemporaryDirectory() as data:
        desk = Desk(DeskOptions(sample_data=True, interactive=False, database_url=f"sqlite:///{data}/tour.db"))
        try:
            return _Tour(desk, folder).run()
        finally:
            desk.close()


class _Tour:
    def __init__(self, desk: Desk, folder: Path) -> None:
        self._desk = desk
        self._folder = folder
        self._recordings = resources_dir() / "tour"
        self._ear = FileEar(desk.voice.listening)
        self._runner = InputRunner(desk, self._approve_by_voice)
        self._printed: set[str] = set()

    def run(self) -> int:
        self._desk.window.show()
        failures = 0
        for number, step in enumerate(STEPS, 1):
            print(f"\n{number}. {step.about}")
            if step.page:
                self._desk.open_page(step.page)
            collector = hear_one(self._ear, self._runner, self._recordings / step.file)
            self._print_news(collector)
            self._printed.clear()
            picture = self._folder / f"{number}-{Path(step.file).stem}.png"
            take_picture(self._desk.window, picture)
            print(f"   Picture: {picture}")
            if len(collector.shown()) != step.actions or len(collector.applied) != step.actions:
                print(f"   This step should have done {step.actions} actions.")
                failures += 1
        self._ear.close()
        print(f"\n{len(STEPS) - failures} of {len(STEPS)} steps came out as they should.")
        return ACTION_FAILED if failures else 0

    def _print_news(self, collector: Collector) -> None:
        """Prints what is not printed yet, in the order in which it happened."""
        for line in collector.as_lines():
            if line not in self._printed:
                self._printed.add(line)
                print(f"   {line}")

    def _approve_by_voice(self, collector: Collector) -> None:
        """Answers the open question as a person would, with a recording of the word."""
        self._print_news(collector)
        heard = self._ear.hear(self._recordings / _APPROVE)
        if isinstance(heard, Transcript):
            print(f"   Heard: {heard.text}")
        else:
            self._desk.bridge.cancel()
